/**
 * Prints what receipts cost: PDFs a second and processor time of a PDF of two Platens, one with receipts and one without, asked in turn
 * for short stretches over HTTP. Each stretch is compared with its neighbour, so that a slow minute of a shared machine falls on both,
 * and the median of these ratios is printed with the interval that holds the true one in 95 of 100 such runs. `PAIRS` (40) of `SECONDS`
 * (1.5) for each of `DOCUMENTS`, at `CONCURRENCY` (4).
 */
import { loadavg } from 'node:os';
import { findChromium } from '../scripts/find-chromium.mjs';
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
    `load ${loadavg()[0]?.toFixed(1)} before; ${PAIRS} pairs of ${SECONDS} s at ${CONCURRENCY} at once`,
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
    const cpu = medianWithin(pairs.map(({ on, off }) => cpuOfOne(off) / cpuOfOne(on)));
    console.log(
      `${document.name.padEnd(16)} with receipts / without: rate ${rate}, by processor time ${cpu}`,
    );
  }
} finally {
  await Promise.all([withReceipts.stop(), without.stop()]);
}
process.exit();

function cpuOfOne(cell: Cell): number {
  return cell.cpuMs / cell.tookMs.length;
}
