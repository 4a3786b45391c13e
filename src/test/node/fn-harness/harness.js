'use strict';
// node harness.js PORT PROTO WORKER_ID: echoes what comes on a bundle's input to its output, and
// appends it to a bag of state. It sets every field of what it sends, and logs what it was sent.

const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const [port, proto, workerId] = process.argv.slice(2);
const definition = loader.loadSync(proto, {
  keepCase: true, longs: String, enums: Number, defaults: true, oneofs: true,
});
const api = grpc.loadPackageDefinition(definition).org.apache.beam.fn.v1;
const address = `127.0.0.1:${port}`;
const credentials = grpc.credentials.createInsecure();
const metadata = new grpc.Metadata();
metadata.set('worker_id', workerId);
// A connection for each stream, as real harnesses have.
const own = () => ({'grpc.use_local_subchannel_pool': 1});

const control = new api.BeamFnControl(address, credentials, own()).Control(metadata);
const data = new api.BeamFnData(address, credentials, own()).Data(metadata);
const state = new api.BeamFnState(address, credentials, own()).State(metadata);
const logging = new api.BeamFnLogging(address, credentials, own()).Logging(metadata);

const output = {primitive_transform_reference: 'write', name: 'in'};
const facts = {};
const asked = new Map();
let requests = 0;

function ask(instruction, action) {
  const id = `request-${++requests}`;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    state.write({
      id,
      instruction_reference: instruction,
      state_key: {
        target: {primitive_transform_reference: 'work', name: 'bag'},
        window: Buffer.from('w'),
        key: Buffer.from('k'),
      },
      ...action,
    });
  });
}

state.on('data', (response) => {
  const resolve = asked.get(response.id);
  asked.delete(response.id);
  resolve(response);
});

async function read(instruction) {
  let bytes = Buffer.alloc(0);
  let token = Buffer.alloc(0);
  do {
    const page = await ask(instruction, {get: {continuation_token: token}});
    if (page.error) throw new Error(page.error);
    bytes = Buffer.concat([bytes, page.get.stream.data]);
    token = page.get.stream.continuation_token;
  } while (token.length > 0);
  return bytes.toString();
}

function log(instruction, message) {
  logging.write({
    log_entries: [{
      severity: 30,
      timestamp: {seconds: '1700000000', nanos: 5},
      message,
      trace: 'trace',
      instruction_reference: instruction,
      primitive_transform_reference: 'work',
      log_location: 'harness.js:1',
      thread: 'main',
    }],
  });
}

const restriction = (id, urn) => ({
  id, urn, environment_reference: 'env',
  data: {type_url: 'type.googleapis.com/x', value: Buffer.from(id)},
});

control.on('data', (request) => {
  const id = request.instruction_id;
  switch (request.request) {
    case 'register': {
      const descriptor = request.register.process_bundle_descriptor[0];
      const port = descriptor.primitive_transform[0].function_spec.data;
      facts.descriptor = descriptor.id;
      facts.transforms = descriptor.primitive_transform.map((each) => each.id).join();
      facts.coders = descriptor.coders.length;
      facts.endpoint = port.value.includes(address) && port.type_url.endsWith('RemoteGrpcPort');
      control.write({instruction_id: id, register: {}});
      break;
    }
    case 'process_bundle':
      facts.reference = request.process_bundle.process_bundle_descriptor_reference;
      facts.tokens = request.process_bundle.cache_tokens
          .map((each) => `${each.target.primitive_transform_reference}=${each.token}`).join();
      break;
    case 'process_bundle_progress':
      control.write({
        instruction_id: id, process_bundle_progress: {finished_work: 0.25, backlog: 3.5},
      });
      break;
    case 'process_bundle_split':
      facts.fraction = request.process_bundle_split.fraction;
      control.write({
        instruction_id: id,
        process_bundle_split: {
          splits: [{
            primitive_transform_reference: 'work',
            completed_restriction: restriction('done', 'urn:done'),
            remaining_restriction: restriction('todo', 'urn:todo'),
          }],
        },
      });
      break;
    default:
      control.write({instruction_id: id, error: 'unknown instruction'});
  }
});

async function finish(instruction, text) {
  facts.before = await read(instruction);
  await ask(instruction, {append: {data: Buffer.from(text)}});
  facts.own = await read(instruction);
  if (text === 'clear') await ask(instruction, {clear: {}});
  log(instruction, JSON.stringify(facts));
  data.write({data: [{instruction_reference: instruction, target: output, data: Buffer.alloc(0)}]});
  control.write({instruction_id: instruction, process_bundle: {}});
}

const texts = new Map();
data.on('data', (elements) => {
  for (const piece of elements.data) {
    const instruction = piece.instruction_reference;
    const text = texts.get(instruction) || '';
    if (piece.data.length === 0) {
      texts.delete(instruction);
      finish(instruction, text).catch((failure) =>
          control.write({instruction_id: instruction, error: String(failure)}));
    } else {
      texts.set(instruction, text + piece.data.toString());
      data.write({data: [{instruction_reference: instruction, target: output, data: piece.data}]});
    }
  }
});

for (const stream of [control, data, state, logging]) {
  stream.on('error', (failure) => {
    console.error(failure.message);
    process.exit(1);
  });
}
