import { InvalidArgumentError, type Command } from 'commander';
import { SIGNAL_STATUS } from '../failures.ts';
import { serviceOptions, withOptions } from '../options.ts';
import { withDocumentOptions, type DocumentOptions } from '../render.ts';
import { connect } from '../service/connect.ts';
import { documentsAt } from './documents-in.ts';
import { servePage } from './page-server.ts';
import type { DevState } from './page/state.ts';
import { createReport } from './report.ts';
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
    .description('show the printed pages in a browser, anew after each save, with their findings')
    .argument('<path>', 'a file, the folder of a template, or a folder with several')
    .option('--port <number>', 'the port on this machine; 4100 if it is free', readPort);
  withOptions(withDocumentOptions(command), serviceOptions()).action(dev);
}

/** Runs until the process gets SIGINT or SIGTERM. */
async function dev(path: string, { data, option = {}, port, json, ...service }: DevOptions): Promise<void> {
  const documents = documentsAt(path);
  await using opened = new AsyncDisposableStack();
  const connecting = connect(service, { json });
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

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT) throw new InvalidArgumentError('It must be 0 to 65535.');
  return port;
}
