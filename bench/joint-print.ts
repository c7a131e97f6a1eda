/**
 * Measures the largest gain that printing several documents of a template at once could have, for every
 * starter: `bun bench/joint-print.ts`. Ten items are printed one by one, and as one document that is split
 * afterwards. Times are processor times of the browser, and of this process for the split, so that the ratio
 * holds on a busy machine. The check of each item, which a service would need, is not included.
 *
 * "same pages" tells whether a joint print of the sample data and the hard case of the starter has the pages
 * of two separate prints.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type CDPSession } from 'playwright-core';
import { compareDocuments, openInput, openReadable, readSplitSource, writePart } from '@platen/pdf';
import { compileTemplate } from '@platen/templates';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';
import { countPages } from '../plugins/render/pdf-scan.ts';
import { readStarters, type StarterFile } from '../tests/support/starters/starters.ts';
import { readTreeCpuMs } from './process-tree.ts';
import { median } from './statistics.ts';
import { writeMarkdown } from './render/report.ts';

const ITEMS = 10;
const ROUNDS = 3;
/** As in plain documents of the service: layout and painting for the screen cost nothing. */
const HIDDEN = '<style media="screen">html{display:none!important}</style>';

const ITEM_STYLES = 'body{margin:0}item-body+item-body{break-before:page}';
/** The style that Chromium gives a body, below the styles of the document. */
const BODY_DEFAULTS = '<style>@layer{item-body{display:block;margin:8px}}</style>';

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
const browserPid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 100 } });
const session: CDPSession = await page.context().newCDPSession(page);
await session.send('Page.enable');
const { frameTree } = await session.send('Page.getFrameTree');

const rows: (string | number)[][] = [];
for (const starter of readStarters()) {
  const own = htmlOf(starter, starter.sample_data);
  const hard = htmlOf(starter, hardCaseOf(starter));
  const jointHtml = joined(Array.from({ length: ITEMS }, () => own));
  const single: number[] = [];
  const joint: number[] = [];
  const splitting: number[] = [];
  await print(own);
  const pages = countPages(Buffer.from(await print(own)));
  for (let round = 0; round < ROUNDS; round += 1) {
    single.push(
      await cpuOf(browserPid, async () => {
        for (let item = 0; item < ITEMS; item += 1) await print(own);
      }),
    );
    let pdf: Uint8Array = new Uint8Array();
    joint.push(
      await cpuOf(browserPid, async () => {
        pdf = await print(jointHtml);
      }),
    );
    const before = process.cpuUsage();
    split(
      pdf,
      Array.from({ length: ITEMS }, () => pages),
    );
    const { user, system } = process.cpuUsage(before);
    splitting.push((user + system) / 1000);
  }
  const [alone, together, parts] = [single, joint, splitting].map((times) => median(times) / ITEMS);
  const ratio = (alone ?? 0) / ((together ?? 0) + (parts ?? 0));
  rows.push([
    starter.slug,
    pages,
    (alone ?? 0).toFixed(1),
    (together ?? 0).toFixed(1),
    (parts ?? 0).toFixed(1),
    ratio.toFixed(2),
    (await hasSamePages([own, hard])) ? 'yes' : 'no',
  ]);
}
await browser.close();

const qualifying = rows.filter((row) => row[6] === 'yes');
const fast = qualifying.filter((row) => Number(row[5]) >= 1.3);
console.log(
  writeMarkdown(
    [['starter', 'pages', 'one by one ms', 'together ms', 'split ms', 'ratio', 'same pages'], ...rows],
    1,
  ),
);
console.log(
  `\n${rows.length} starters: ${qualifying.length} with the same pages, ${fast.length} of them at least 1.3 times as fast`,
);

function htmlOf({ html }: StarterFile, data: object): string {
  const compiled = compileTemplate({ source: html, data });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.value.html.replace(/<head>/i, `<head>${HIDDEN}`);
}

function hardCaseOf({ slug }: StarterFile): object {
  const path = join(import.meta.dir, '../starters/cases', slug, 'hard.json');
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}

/**
 * Joins documents with the same head: each body becomes an element that begins a page, and selectors of the
 * body select this element.
 */
function joined(documents: readonly string[]): string {
  const [first = ''] = documents;
  const bodies = documents.map((html) => `<item-body>${bodyOf(html)}</item-body>`);
  const head = first
    .slice(0, first.search(/<body/i))
    .replaceAll(/<style[^]*?<\/style>/gi, (style) =>
      style.replaceAll(/(?<![-\w.#])body(?![-\w:])/g, 'item-body'),
    );
  return `${head.replace(/<head>/i, `<head>${BODY_DEFAULTS}`)}<style>${ITEM_STYLES}</style><body>${bodies.join('')}</body></html>`;
}

function bodyOf(html: string): string {
  const start = html.indexOf('>', html.search(/<body/i)) + 1;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return html.slice(start, end === -1 ? undefined : end);
}

async function print(html: string): Promise<Uint8Array> {
  const loaded = new Promise<void>((resolve) => session.once('Page.loadEventFired', () => resolve()));
  await session.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
  await loaded;
  const { data } = await session.send('Page.printToPDF', { printBackground: true, preferCSSPageSize: true });
  return Buffer.from(data, 'base64');
}

async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = readTreeCpuMs(pid);
  await work();
  return readTreeCpuMs(pid) - before;
}

/** Splits a joint print into parts with the given numbers of pages. */
function split(pdf: Uint8Array, counts: readonly number[]): Uint8Array[] {
  const source = readSplitSource(openInput({ raw: pdf }, 'pdf'));
  let first = 0;
  return counts.map((count) => {
    const part = writePart(source, { first, last: first + count - 1 });
    first += count;
    return part;
  });
}

async function hasSamePages(documents: readonly string[]): Promise<boolean> {
  const alone: Uint8Array[] = [];
  for (const html of documents) alone.push(await print(html));
  const counts = alone.map((pdf) => countPages(Buffer.from(pdf)));
  const together = await print(joined(documents));
  if (countPages(Buffer.from(together)) !== counts.reduce((sum, count) => sum + count, 0)) return false;
  const parts = split(together, counts);
  for (const [index, part] of parts.entries()) {
    using expected = await openReadable({ raw: alone[index] ?? new Uint8Array() }, 'pdf');
    using found = await openReadable({ raw: part }, 'pdf');
    const pages = await compareDocuments([expected, found], { dpi: 60, tolerance: 0 });
    if (pages.some(({ equal }) => !equal)) return false;
  }
  return true;
}
