import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printed } from './browser.ts';
import { PAPER, type Contestant } from './contestant.ts';
import { freePort } from './free-port.ts';
import { buildGotenberg } from './gotenberg-build.ts';

const START_LIMIT_MS = 30_000;
/** Gotenberg only checks that these programs exist. HTML needs none of them. */
const UNUSED_PROGRAMS = [
  'LIBREOFFICE_BIN_PATH',
  'UNOCONVERTER_BIN_PATH',
  'QPDF_BIN_PATH',
  'PDFCPU_BIN_PATH',
  'PDFTK_BIN_PATH',
  'EXIFTOOL_BIN_PATH',
];

/**
 * Starts Gotenberg 8.36, and builds it with Go if necessary. If that fails, prints the reason and returns
 * `undefined`.
 */
export async function gotenberg(settings: {
  executablePath: string;
  documents: readonly string[];
}): Promise<Contestant | undefined> {
  try {
    return await start(settings, buildGotenberg());
  } catch (error) {
    console.log(`skipped: Gotenberg (${error instanceof Error ? error.message : String(error)})`);
    return undefined;
  }
}

async function start(
  { executablePath, documents }: { executablePath: string; documents: readonly string[] },
  program: string,
): Promise<Contestant> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const child = Bun.spawn(
    [
      program,
      `--api-port=${port}`,
      '--log-level=error',
      '--chromium-auto-start=true',
      // With each restart, it kills every Chromium of the machine, also those of the other contestants.
      '--chromium-restart-after=0',
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        ...Object.fromEntries(UNUSED_PROGRAMS.map((name) => [name, process.execPath])),
        CHROMIUM_BIN_PATH: executablePath,
        // The folder of dictionaries for hyphens, which the documents do not use.
        CHROMIUM_HYPHEN_DATA_DIR_PATH: folder,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
      },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  );
  await waitUntilHealthy(url, child.exited);
  const margin = String(PAPER.marginIn);
  return {
    way: 'Gotenberg 8.36',
    documents,
    prepare: (html) =>
      Promise.resolve(async () => {
        const form = new FormData();
        form.append('files', new Blob([html]), 'index.html');
        const fields = {
          paperWidth: String(PAPER.widthIn),
          paperHeight: String(PAPER.heightIn),
          marginTop: margin,
          marginRight: margin,
          marginBottom: margin,
          marginLeft: margin,
          printBackground: 'true',
          preferCssPageSize: 'true',
        };
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        const response = await fetch(`${url}/forms/chromium/convert/html`, { method: 'POST', body: form });
        const pdf = Buffer.from(await response.arrayBuffer());
        if (response.status !== 200)
          throw new Error(`Gotenberg returned ${response.status}: ${pdf.toString()}`);
        return printed(pdf);
      }),
    rootPid: () => child.pid,
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws {Error} if it ends, or does not answer in time */
async function waitUntilHealthy(url: string, ended: Promise<number>): Promise<void> {
  let status: number | undefined;
  void ended.then((code) => (status = code));
  for (const startedAt = performance.now(); performance.now() - startedAt < START_LIMIT_MS;) {
    if (status !== undefined) throw new Error(`it ended with ${status}`);
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error('it does not start');
}
