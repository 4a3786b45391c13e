'use strict';
// A harness over @grpc/grpc-js, which has nothing of the JVM's gRPC, Protobuf or HTTP/2. It takes
// the .proto as it is, and gives every field of it something to carry. All four streams share one
// connection. GrpcJsTest launches it; arguments: the .proto, and the address.
//
// A bundle's text says what to do:
//   remember  append two pieces to a cell
//   forget    ask with a token that nobody gave, then clear the cell
//   fail      answer with an error
//   (other)   nothing
// The output has what the cell held before and what it holds afterwards, each behind its length and
// a colon, and then the text.
//
// Each message goes to standard output, one a line: stream, direction, and what this side makes of
// its bytes, in Base64. It ends when a stream does: with 0 if the gateway went away, else with 1.

const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const [proto, address] = process.argv.slice(2);
const fn = grpc.loadPackageDefinition(loader.loadSync(proto, { keepCase: true })).org.apache.beam
  .fn.v1;
const credentials = grpc.credentials.createInsecure();
const headers = new grpc.Metadata();
headers.set('worker_id', 'grpc-js');

const texts = new Map();
const questions = new Map();

function open(Service, name, take) {
  const { requestSerialize, responseSerialize } = Service.service[name];
  const show = (direction, bytes) =>
    console.log(`${name} ${direction} ${Buffer.from(bytes).toString('base64')}`);
  const call = new Service(address, credentials)[name](headers);
  call.on('data', (message) => {
    show('down', responseSerialize(message));
    take(message);
  });
  call.on('error', (error) => {
    console.error(name, error);
    process.exit(error.code === grpc.status.UNAVAILABLE ? 0 : 1);
  });
  call.on('end', () => console.error(name, 'has ended'));
  return (message) => {
    show('up', requestSerialize(message));
    call.write(message);
  };
}

const log = open(fn.BeamFnLogging, 'Logging', () => {});
const state = open(fn.BeamFnState, 'State', (answer) => {
  questions.get(answer.id)(answer);
  questions.delete(answer.id);
});
const data = open(fn.BeamFnData, 'Data', (elements) => {
  for (const piece of elements.data) {
    const bundle = piece.instruction_reference;
    if (piece.data && piece.data.length > 0) {
      texts.set(bundle, (texts.get(bundle) || '') + piece.data.toString());
    } else {
      run(bundle, texts.get(bundle) || '').catch((error) => {
        console.error(error);
        process.exit(2);
      });
      texts.delete(bundle);
    }
  }
});
const control = open(fn.BeamFnControl, 'Control', (request) => {
  const response = answer(request);
  if (response) {
    control({ instruction_id: request.instruction_id, ...response });
  }
});

/** None to process_bundle yet: its input has to end first. */
function answer(request) {
  if (request.register) {
    return { register: {} };
  }
  if (request.process_bundle) {
    log({
      log_entries: [
        {
          severity: 'CRITICAL',
          timestamp: { seconds: 1500000000, nanos: 7 },
          message: `process ${request.process_bundle.process_bundle_descriptor_reference}`,
          trace: 'at some.place',
          instruction_reference: request.instruction_id,
          primitive_transform_reference: 'work',
          log_location: 'harness.js',
          thread: 'main',
        },
      ],
    });
    return null;
  }
  if (request.process_bundle_progress) {
    return { process_bundle_progress: { finished_work: 0.25, backlog: 7.5 } };
  }
  if (request.process_bundle_split) {
    const restriction = (id) => ({
      id,
      urn: 'urn:example:restriction:1',
      environment_reference: 'environment',
      data: { type_url: 'example/restriction', value: Buffer.from(id) },
    });
    return {
      process_bundle_split: {
        splits: [
          {
            primitive_transform_reference: 'work',
            completed_restriction: restriction('completed'),
            remaining_restriction: restriction('remaining'),
          },
        ],
      },
    };
  }
  return { error: 'not understood' };
}

async function run(bundle, text) {
  const before = await read(bundle);
  if (text === 'remember') {
    await write(bundle, { append: { data: Buffer.alloc(700000, 'a') } });
    await write(bundle, { append: { data: Buffer.alloc(700000, 'b') } });
  } else if (text === 'forget') {
    const refused = await ask(bundle, { get: { continuation_token: Buffer.from('invented') } });
    if (!refused.error) {
      throw new Error('a token that nobody gave was taken');
    }
    await write(bundle, { clear: {} });
  }
  const after = await read(bundle);
  for (const value of [before, after]) {
    send(bundle, Buffer.concat([Buffer.from(`${value.length}:`), value]));
  }
  if (text) {
    send(bundle, Buffer.from(text));
  }
  send(bundle, Buffer.alloc(0)); // the end
  const response = text === 'fail' ? { error: 'asked to fail' } : { process_bundle: {} };
  control({ instruction_id: bundle, ...response });
}

function send(bundle, bytes) {
  const target = { primitive_transform_reference: 'write', name: 'in' };
  data({ data: [{ instruction_reference: bundle, target, data: bytes }] });
}

function ask(bundle, request) {
  const id = `question-${bundle}-${ask.count++}`;
  const key = {
    target: { primitive_transform_reference: 'work', name: 'bag' },
    window: Buffer.from('window'),
    key: Buffer.from('alice'),
  };
  return new Promise((resolve) => {
    questions.set(id, resolve);
    state({ id, instruction_reference: bundle, state_key: key, ...request });
  });
}
ask.count = 0;

async function write(bundle, request) {
  const answer = await ask(bundle, request);
  if (answer.error || !(answer.append || answer.clear)) {
    throw new Error(`a write was refused: ${answer.error}`);
  }
}

async function read(bundle) {
  const pages = [];
  let token = Buffer.alloc(0);
  do {
    const { stream } = (await ask(bundle, { get: { continuation_token: token } })).get;
    pages.push(stream.data || Buffer.alloc(0));
    token = stream.continuation_token || Buffer.alloc(0);
  } while (token.length > 0);
  return Buffer.concat(pages);
}
