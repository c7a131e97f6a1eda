import { join } from 'node:path';
import { printed } from './browser.ts';
import { PAPER, type Contestant } from './contestant.ts';
import { freePort } from './free-port.ts';
import { installJsreport } from './jsreport-install.mjs';

/** Settings of the jsreport contestant. */
interface JsreportSettings {
  executablePath: string;
  documents: readonly string[];
  /** The measured concurrencies; each gets a server with as many workers. */
  concurrencies: readonly number[];
}

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts jsreport 4 and installs it if necessary. If that fails, prints the reason and returns `undefined`.
 */
export async function jsreport(settings: JsreportSettings): Promise<Contestant | undefined> {
  try {
    return await start(settings, installJsreport());
  } catch (error) {
    console.log(`skipped: jsreport (${error instanceof Error ? error.message : String(error)})`);
    return undefined;
  }
}

async function start(
  { executablePath, documents, concurrencies }: JsreportSettings,
  folder: string,
): Promise<Contestant> {
  const servers = new Map<number, Server>();
  for (const workers of concurrencies)
    servers.set(workers, await startServer({ folder, executablePath, workers }));
  const serverFor = (workers: number): Server => {
    // The page count check uses one worker, which may not be among the concurrencies.
    const server = servers.get(workers) ?? [...servers.values()][0];
    if (!server) throw new Error('no concurrency was given');
    return server;
  };
  const margin = `${PAPER.marginIn}in`;
  return {
    way: 'jsreport 4',
    documents,
    prepare(html, workers) {
      const { url } = serverFor(workers);
      const body = JSON.stringify({
        template: {
          content: html,
          // No template engine, because Platen gets the same HTML without data. No tags, because Platen's
          // PDFs are not tagged.
          engine: 'none',
          recipe: 'chrome-pdf',
          chrome: {
            format: 'A4',
            marginTop: margin,
            marginRight: margin,
            marginBottom: margin,
            marginLeft: margin,
            printBackground: true,
            preferCSSPageSize: true,
            tagged: false,
          },
        },
      });
      return Promise.resolve(async () => {
        const response = await fetch(`${url}/api/report`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const pdf = Buffer.from(await response.arrayBuffer());
        if (response.status !== 200)
          throw new Error(`jsreport returned ${response.status}: ${pdf.toString()}`);
        return printed(pdf);
      });
    },
    rootPid: (workers) => serverFor(workers).pid,
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    },
  };
}

async function startServer(settings: { folder: string; executablePath: string; workers: number }) {
  const port = await freePort();
  const script = join(import.meta.dir, 'jsreport-server.mjs');
  const child = Bun.spawn(['node', script, JSON.stringify({ ...settings, port })], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const first = await child.stdout.getReader().read();
  if (first.done) throw new Error('jsreport does not start');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      await child.stdin.end();
      await child.exited;
    },
  };
}
