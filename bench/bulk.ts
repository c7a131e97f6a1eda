/**
 * Measures bulk batches of a service on SQLite in one run: `npm run bench:bulk`.
 *
 * - rate: the time per document of a batch of 1,000 simple and one of 1,000 designed invoices over HTTP, and
 *   of Chromium printing the loaded page again and again, the ceiling of `bench:render`
 * - neighbour: the response times of single prints of an account, idle and beside three batches of others;
 *   and the time from a request to cancel a batch until none of its items can start
 * - memory: the peak of the service process with three batches of 99 MB at once
 *
 * Settings: `ITEMS` (1000), `ROUNDS` (2) and `SECONDS` (20) of the neighbour, `ONLY` (such as `rate,memory`),
 * `RATIOS` (a file that gets the ratios as JSON).
 */
import { availableParallelism, loadavg } from 'node:os';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';
import { measureMemory } from './bulk/memory.ts';
import { measureBesideBatches } from './bulk/neighbour.ts';
import { measureRates } from './bulk/rate.ts';
import { Deployment } from './neighbours/deployment.ts';
import { writeMarkdown } from './render/report.ts';

const { ITEMS = '1000', ROUNDS = '2', SECONDS = '20', RATIOS } = process.env;
const only = (process.env['ONLY'] ?? 'rate,neighbour,memory').split(',');

const MAX_TIMES = 3;
const MAX_MEGABYTES = 600;
const MAX_CANCEL_MS = 1_000;

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const loadBefore = loadavg()[0] ?? 0;
const rows: (string | number)[][] = [['bulk batches', 'alone', 'measured', 'ratio', 'goal', '']];
const ratios: Record<string, number> = {};

if (only.includes('rate')) {
  begin('the rate');
  await using deployment = await Deployment.start();
  for (const { document, bulk, ceiling } of await measureRates(deployment, {
    items: Number(ITEMS),
    executablePath,
  })) {
    // The processor time depends less on the load of the machine than the rate.
    const ratio = ceiling.cpuMs / bulk.cpuMs;
    ratios[`${document}: bulk batch / ceiling, by processor time`] = Number(ratio.toFixed(2));
    const figures = (from: number, to: number) => [from.toFixed(1), to.toFixed(1), (from / to).toFixed(2)];
    rows.push([`${document}: ms per document`, ...figures(ceiling.ms, bulk.ms), '', '']);
    rows.push([`${document}: processor ms per document`, ...figures(ceiling.cpuMs, bulk.cpuMs), '', '']);
  }
}
if (only.includes('neighbour')) {
  begin('single prints beside batches');
  await using deployment = await Deployment.start();
  const { idle, beside, cancelMs, endMs } = await measureBesideBatches(deployment, {
    rounds: Number(ROUNDS),
    seconds: Number(SECONDS),
  });
  for (const share of ['p50', 'p95'] as const) {
    const ratio = beside[share] / idle[share];
    const [alone, measured] = [idle[share], beside[share]].map(Math.round) as [number, number];
    rows.push([
      `single print of another account: ${share} ms`,
      alone,
      measured,
      ratio.toFixed(1),
      `<= ${MAX_TIMES}`,
      verdict(ratio <= MAX_TIMES),
    ]);
  }
  const failures = beside.errors + beside.refused;
  rows.push([
    'single prints that failed or were refused',
    idle.errors + idle.refused,
    failures,
    '',
    '0',
    verdict(failures === 0),
  ]);
  const longest = Math.round(Math.max(...cancelMs));
  rows.push([
    'cancel: ms until no item can start',
    '',
    longest,
    '',
    `<= ${MAX_CANCEL_MS}`,
    verdict(longest <= MAX_CANCEL_MS),
  ]);
  rows.push(['cancel: ms until the last item has ended', '', Math.round(Math.max(...endMs)), '', '', '']);
}
if (only.includes('memory')) {
  begin('the memory');
  await using deployment = await Deployment.start();
  const peak = await measureMemory(deployment);
  rows.push([
    'service process: peak MB, 3 batches of 99 MB',
    '',
    peak,
    '',
    `< ${MAX_MEGABYTES}`,
    verdict(peak < MAX_MEGABYTES),
  ]);
}

const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
console.log(`${availableParallelism()} cores, load ${load} after\n`);
console.log(writeMarkdown(rows, 1));
if (RATIOS !== undefined) await Bun.write(RATIOS, `${JSON.stringify(ratios, null, 2)}\n`);

/** Reports the progress of the run. */
function begin(part: string): void {
  console.error(`measuring ${part}`);
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}
