/**
 * Prints how many PDFs a second Platen makes over HTTP, plain and active, against a fresh page per job on the same Chromium
 * and against Chromium's own printing of a page that is already loaded (the ceiling). One run, one table.
 */
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { activeDocuments, plainDocuments } from '../tests/documents/index.ts';
import { TestService } from '../tests/support/service.ts';

const JOBS = Number(process.env['JOBS'] ?? 200);
const CONCURRENCIES = [1, 2, 4, 8];

const invoice = find(plainDocuments, 'invoice');
const chart = find(activeDocuments, 'chart-svg');

interface Row {
  way: string;
  concurrency: number;
  rate: number;
  p50: number;
  p95: number;
}

const rows: Row[] = [];

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
await using service = await TestService.start();

// The order mixes the ways, so that a slow minute of a shared machine does not fall on one of them.
for (const concurrency of CONCURRENCIES) {
  await measure(
    'ceiling: print a loaded page',
    concurrency,
    await printLoaded(browser, concurrency, invoice),
  );
  await measure('Platen, plain invoice', concurrency, generate(invoice));
  await measure('fresh page per job, invoice', concurrency, freshPage(browser, invoice));
  await measure('Platen, active chart', concurrency, generate(chart));
  await measure('fresh page per job, chart', concurrency, freshPage(browser, chart));
}
await browser.close();

console.table(
  rows.map(({ way, concurrency, rate, p50, p95 }) => ({
    way,
    concurrency,
    'PDFs/s': Number(rate.toFixed(1)),
    'p50 ms': Math.round(p50),
    'p95 ms': Math.round(p95),
  })),
);
const best = (way: string) => Math.max(...rows.filter((row) => row.way === way).map((row) => row.rate));
console.log(
  `plain:  ${ratio('Platen, plain invoice', 'fresh page per job, invoice')} x a fresh page per job, ${ratio('Platen, plain invoice', 'ceiling: print a loaded page')} of the ceiling`,
);
console.log(`active: ${ratio('Platen, active chart', 'fresh page per job, chart')} x a fresh page per job`);

function ratio(a: string, b: string): string {
  return (best(a) / best(b)).toFixed(2);
}

function find(documents: readonly { name: string; html: string }[], name: string): string {
  const found = documents.find((document) => document.name === name);
  if (!found) throw new Error(`no document ${name}`);
  return found.html;
}

async function measure(
  way: string,
  concurrency: number,
  job: (worker: number) => Promise<void>,
): Promise<void> {
  const times: number[] = [];
  const work = async (jobs: number) => {
    let next = 0;
    await Promise.all(
      Array.from({ length: concurrency }, async (_, worker) => {
        while (next++ < jobs) {
          const startedAt = performance.now();
          await job(worker);
          times.push(performance.now() - startedAt);
        }
      }),
    );
  };
  await work(concurrency * 3);
  times.length = 0;
  const startedAt = performance.now();
  await work(JOBS);
  const seconds = (performance.now() - startedAt) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  rows.push({ way, concurrency, rate: JOBS / seconds, p50: quantile(0.5), p95: quantile(0.95) });
}

function generate(html: string): () => Promise<void> {
  return async () => {
    const { status, body } = await service.post('/v1/generate', { html });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
}

function freshPage(on: Browser, html: string): () => Promise<void> {
  return async () => {
    const page = await on.newPage();
    await page.setContent(html);
    await page.pdf({ format: 'A4', printBackground: true });
    await page.close();
  };
}

async function printLoaded(
  on: Browser,
  concurrency: number,
  html: string,
): Promise<(worker: number) => Promise<void>> {
  const pages = await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const page = await on.newPage();
      await page.setContent(html);
      return page;
    }),
  );
  return async (worker) => {
    await pages[worker]?.pdf({ format: 'A4', printBackground: true });
  };
}
