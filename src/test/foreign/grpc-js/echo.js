'use strict';
// A harness that gives each bundle's input back: data ports read/out and write/in. docs/fn-api.md
// runs bundles on it. Arguments: the .proto, the gateway's address, and the harness's id.

const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const [proto, address, id] = process.argv.slice(2);
const options = { keepCase: true, defaults: true, oneofs: true };
const fn = grpc.loadPackageDefinition(loader.loadSync(proto, options)).org.apache.beam.fn.v1;
const headers = new grpc.Metadata();
headers.set('worker_id', id);

function open(Service, name) {
  const call = new Service(address, grpc.credentials.createInsecure())[name](headers);
  call.on('error', (error) => {
    console.error(name, error.message);
    process.exit(error.code === grpc.status.UNAVAILABLE ? 0 : 1);
  });
  return call;
}

const control = open(fn.BeamFnControl, 'Control');
const log = open(fn.BeamFnLogging, 'Logging');
const data = open(fn.BeamFnData, 'Data');

control.on('data', (instruction) => {
  const answer = (kind, response) =>
    control.write({ instruction_id: instruction.instruction_id, [kind]: response });
  switch (instruction.request) {
    case 'process_bundle': // answered when its input has ended
      log.write({
        log_entries: [
          {
            severity: 'INFO',
            timestamp: { seconds: Math.floor(Date.now() / 1000) },
            message: 'a bundle begins',
            instruction_reference: instruction.instruction_id,
          },
        ],
      });
      break;
    case 'process_bundle_progress':
      answer('process_bundle_progress', { finished_work: 0.5, backlog: 1 });
      break;
    default: // register, and nothing to split
      answer(instruction.request, {});
  }
});

data.on('data', (elements) => {
  for (const piece of elements.data) {
    const target = { primitive_transform_reference: 'write', name: 'in' };
    data.write({ data: [{ ...piece, target }] });
    if (piece.data.length === 0) {
      control.write({ instruction_id: piece.instruction_reference, process_bundle: {} });
    }
  }
});
log.on('data', () => {});
