/**
 * Measures `platen dev` on the simple invoice: from the start of the command to the first printed page in an
 * open browser, and from a save to the new page image on the screen, beside a bare print of the same document
 * by the same kind of service: `npm run bench:dev [saves]`.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';
import { connect } from '../src/commands/service/connect.ts';
import { median, quantile } from './statistics.ts';

const SAVES = Number(process.argv[2] ?? 100);
const root = join(import.meta.dir, '..');
const folder = join(mkdtempSync(join(tmpdir(), 'platen-bench-dev-')), 'invoice');
const template = join(folder, 'template.html');
const html = await Bun.file(join(root, 'starters/invoice-simple.html')).text();
const starter = (await Bun.file(join(root, 'starters/invoice-simple.json')).json()) as {
  sample_data?: object;
};
const data = starter.sample_data ?? {};

const save = (round: number) =>
  writeFileSync(template, html.replace('</body>', `<p>Save ${round}</p></body>`));
mkdirSync(folder);
save(0);
writeFileSync(join(folder, 'sample.json'), JSON.stringify(data));
for (const name of ['samples']) cpSync(join(root, 'starters', name), join(folder, name), { recursive: true });

/** Reads the address that the command prints. */
async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const line = text.split('\n').find((each) => each.startsWith('{'));
    if (line !== undefined) return (JSON.parse(line) as { url: string }).url;
  }
  throw new Error('platen dev printed no address');
}

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });

const startMs = performance.now();
const command = Bun.spawn(
  [process.execPath, '--no-install', join(root, 'src/cli.ts'), 'dev', folder, '--port', '0', '--json'],
  { stdout: 'pipe', stderr: 'inherit' },
);
await page.goto(await addressOf(command.stdout));
const openMs = performance.now() - startMs;
await page.waitForSelector('body[data-version="1"]', { timeout: 60_000 });
const firstMs = performance.now() - startMs;

const saves: number[] = [];
for (let round = 1; round <= SAVES; round += 1) {
  const version = round + 1;
  const shown = page.waitForFunction(
    (wanted) => Number(document.body.dataset['version'] ?? 0) >= wanted,
    version,
    { polling: 'raf' },
  );
  const savedMs = performance.now();
  save(round);
  await shown;
  saves.push(performance.now() - savedMs);
}
command.kill('SIGINT');
await command.exited;
await browser.close();

const prints: number[] = [];
{
  await using client = await connect({});
  for (let round = 0; round <= SAVES; round += 1) {
    const begunMs = performance.now();
    await client.json('POST /v1/generate', {
      body: { html: html.replace('</body>', `${round}</body>`), data },
    });
    if (round > 0) prints.push(performance.now() - begunMs);
  }
}
rmSync(join(folder, '..'), { recursive: true, force: true });

const show = (ms: number) => `${Math.round(ms)} ms`;
console.log(`page open after ${show(openMs)}, first printed page after ${show(firstMs)}`);
console.log(
  `save to new page image, ${SAVES} saves: p50 ${show(median(saves))}, p95 ${show(quantile(saves, 0.95))}`,
);
console.log(`a bare print over HTTP: p50 ${show(median(prints))}, p95 ${show(quantile(prints, 0.95))}`);
console.log(`ratio of the medians: ${(median(saves) / median(prints)).toFixed(1)}`);
