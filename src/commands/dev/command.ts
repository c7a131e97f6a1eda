import { InvalidArgumentError, type Command } from 'commander';
import { SIGNAL_STATUS } from '../failures.ts';
import { serviceOptions, withOptions } from '../options.ts';
import { withDocumentOptions, type DocumentOptions } from '../render.ts';
import { connect } from '../service/connect.ts';
import { documentsAt } from './documents-in.ts';
import { servePage } from './page-server.ts';
import type { DevState } from './page/state.ts';
import { DevSession } from './session.ts';

interface DevOptions extends DocumentOptions {
  port?: number;
  json?: true;
}

const MAX_PORT = 65_535;

/** Adds `platen dev`. */
export function addDevCommand(program: Command): void {
  const command = program
    .command('dev')
    .description('show the printed pages in a browser, anew after each save, with what is wrong on them')
    .argument('<path>', 'a file, the folder of a template, or a folder with several')
    .option('--port <number>', 'the port on this machine; 4100 if it is free', readPort);
  withOptions(withDocumentOptions(command), serviceOptions()).action(dev);
}

/** Runs until the process gets SIGINT or SIGTERM. */
async function dev(path: string, { data, option = {}, port, json, ...service }: DevOptions): Promise<void> {
  const documents = documentsAt(path);
  await using opened = new AsyncDisposableStack();
  const connecting = connect(service);
  opened.defer(async () => (await connecting.catch(() => undefined))?.[Symbol.asyncDispose]());
  const report = createReport(json);
  let publish: (state: DevState) => void = () => {};
  const onState = (state: DevState) => {
    publish(state);
    report(state);
  };
  const session = new DevSession({ client: connecting, documents, data, options: option, onState });
  opened.defer(() => session.close());
  const server = servePage(session, { port });
  opened.defer(() => server.stop());
  publish = (state) => server.publish(state);
  console.log(json ? JSON.stringify({ url: server.url }) : `Open ${server.url} (Ctrl+C ends it).`);
  const stopped = Promise.withResolvers<void>();
  for (const [signal, status] of Object.entries(SIGNAL_STATUS))
    process.on(signal, () => {
      process.exitCode = status;
      stopped.resolve();
    });
  // A service that cannot be used ends the command; a document with a fault does not.
  await Promise.race([connecting, stopped.promise]);
  await Promise.race([session.start(), stopped.promise]);
  await stopped.promise;
}

/** Reports each print in the terminal, once. */
function createReport(json: true | undefined): (state: DevState) => void {
  let last = '';
  return ({ isBusy, printed, failure, documents, selected }) => {
    if (isBusy || (printed === null && failure === null)) return;
    const key = failure ? `${failure.place} ${failure.message}` : `version ${printed?.version}`;
    if (key === last) return;
    last = key;
    const document = documents[selected];
    if (json) {
      const facts = failure ? { failure } : printed;
      console.log(JSON.stringify({ document, ...facts }));
    } else if (failure) {
      console.log(`${failure.place ?? document}: ${failure.message}`);
    } else if (printed) {
      const { pages, milliseconds, findings } = printed;
      const found = findings.length === 0 ? '' : `, ${findings.length} findings`;
      console.log(`${document}: ${pages === 1 ? '1 page' : `${pages} pages`} in ${milliseconds} ms${found}`);
    }
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT) throw new InvalidArgumentError('It must be 0 to 65535.');
  return port;
}
