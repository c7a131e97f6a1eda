/**
 * Measures the cost of receipts: the rate and the CPU time per PDF over HTTP of two services, one with receipts and one without. They are
 * measured alternately for short periods, and each period is compared with the next, so that a slow minute on a shared machine affects
 * both. Prints the median ratio with its 95 % confidence interval. Settings: `PAIRS` (40), `SECONDS` (1.5), `DOCUMENTS`, `CONCURRENCY` (4).
 */
import { loadavg } from 'node:os';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';
import { activeDocuments, plainDocuments } from '../tests/documents/index.ts';
import type { BenchDocument, Contestant } from './render/contestant.ts';
import { medianWithin } from './render/median-within.ts';
import { measure, rateOf, type Cell } from './render/measure.ts';
import { embeddedPlaten, platenWithoutReceipts } from './render/platen.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 40);
const SECONDS = Number(process.env['SECONDS'] ?? 1.5);
const NAMES = (process.env['DOCUMENTS'] ?? 'invoice-simple,invoice,chart-svg').split(',');
const CONCURRENCY = Number(process.env['CONCURRENCY'] ?? 4);

const documents: BenchDocument[] = [...plainDocuments, ...activeDocuments].filter(({ name }) =>
  NAMES.includes(name),
);
const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const settings = { executablePath, documents: documents.map(({ name }) => name) };

const withReceipts = await embeddedPlaten(settings);
const without = await platenWithoutReceipts(settings);
try {
  console.log(
    `load ${loadavg()[0]?.toFixed(1)} before; ${PAIRS} pairs of ${SECONDS} s at a concurrency of ${CONCURRENCY}; ratios with 95 % confidence intervals; goal: a rate of at least 0.97`,
  );
  for (const document of documents) {
    const pairs: { on: Cell; off: Cell }[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const order = pair % 2 === 0 ? [withReceipts, without] : [without, withReceipts];
      const cells = new Map<Contestant, Cell>();
      for (const contestant of order)
        cells.set(
          contestant,
          await measure({ contestant, document, concurrency: CONCURRENCY, seconds: SECONDS }),
        );
      const [on, off] = [cells.get(withReceipts), cells.get(without)];
      if (on && off) pairs.push({ on, off });
    }
    const rate = medianWithin(pairs.map(({ on, off }) => rateOf(on) / rateOf(off)));
    const cpu = medianWithin(pairs.map(({ on, off }) => cpuPerPdf(off) / cpuPerPdf(on)));
    console.log(`${document.name.padEnd(16)} with receipts / without: rate ${rate}, CPU time ${cpu}`);
  }
} finally {
  await Promise.all([withReceipts.stop(), without.stop()]);
}
process.exit();

function cpuPerPdf(cell: Cell): number {
  return cell.cpuMs / cell.tookMs.length;
}
