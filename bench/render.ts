/**
 * Measures PDFs per second over HTTP of Platen, embedded and with MongoDB and S3, against Chromium printing a
 * loaded page (the ceiling), loading and printing in one tab, a new page per job, jsreport 4 and Gotenberg
 * 8.36. All run in their own processes with the same Chromium and documents. Prints Markdown for
 * docs/benchmarks.md. Settings: `SECONDS` (2), `ROUNDS` (2), `CONCURRENCIES` (1,2,4,8), `RATIOS` (a file that
 * gets the ratios as JSON). Skips Gotenberg if Go cannot build it, jsreport if npm cannot install it, and
 * MongoDB and S3 if the servers are missing.
 */
import { availableParallelism, loadavg } from 'node:os';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';
import { documentNamed } from '../tests/documents/index.ts';
import { freshPage, loadAndPrint, loadedPage } from './render/browser.ts';
import type { BenchDocument, Contestant } from './render/contestant.ts';
import { gotenberg } from './render/gotenberg.ts';
import { jsreport } from './render/jsreport.ts';
import { join, measure, type Cell } from './render/measure.ts';
import { distributedPlaten, embeddedPlaten } from './render/platen.ts';
import { ratiosOf, writeGoals, writeTable, type Goal } from './render/report.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 2);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const CONCURRENCIES = (process.env['CONCURRENCIES'] ?? '1,2,4,8').split(',').map(Number);

const documents: BenchDocument[] = [
  { name: 'simple invoice', html: documentNamed('invoice-simple') },
  { name: 'designed invoice', html: documentNamed('invoice') },
  { name: 'report', html: documentNamed('report-10-pages') },
  { name: 'chart', html: documentNamed('chart-svg') },
];

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const loadBefore = loadavg()[0] ?? 0;
const all = documents.map(({ name }) => name);
const settings = { executablePath, documents: all };
const contestants: Contestant[] = [];
const addContestant = async (starting: Promise<Contestant | undefined>) => {
  const contestant = await starting;
  if (contestant) contestants.push(contestant);
};

const cells = new Map<string, Cell>();
try {
  await addContestant(loadedPage(settings));
  await addContestant(embeddedPlaten(settings));
  await addContestant(distributedPlaten({ executablePath, documents: ['simple invoice'] }));
  await addContestant(loadAndPrint(settings));
  await addContestant(freshPage(settings));
  await addContestant(gotenberg(settings));
  await addContestant(jsreport({ ...settings, concurrencies: CONCURRENCIES }));
  for (const document of documents) await requireSamePages(document);
  // The order alternates between the contestants, so that a slow minute on a shared machine affects all of
  // them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const concurrency of CONCURRENCIES)
      for (const document of documents)
        for (const contestant of contestantsFor(document)) {
          const key = `${document.name} ${contestant.way} ${concurrency}`;
          const cell = await measure({ contestant, document, concurrency, seconds: SECONDS });
          cells.set(key, join(cells.get(key), cell));
        }
} finally {
  await Promise.all(contestants.map((contestant) => contestant.stop()));
}

const ordered = documents.flatMap(({ name }) => [...cells.values()].filter((cell) => cell.document === name));
const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
console.log(
  `PDFs per second over HTTP: Platen, Chromium alone, Gotenberg and jsreport. ${availableParallelism()} cores, load ${load} after; ${ROUNDS} rounds of ${SECONDS} s for each figure\n`,
);
console.log(writeTable(ordered, CONCURRENCIES));
console.log();
const goals = [
  ...['simple invoice', 'designed invoice'].flatMap((document) => [
    goal(document, 'jsreport 4', 8),
    goal(document, 'Gotenberg 8.36', 8),
    goal(document, 'ceiling: print a loaded page', 0.6),
    goal(document, 'load and print in one tab', 1),
  ]),
  goal('report', 'ceiling: print a loaded page', 0.6),
  goal('report', 'load and print in one tab', 1),
  goal('chart', 'fresh page per job', 2),
  {
    name: 'simple invoice: MongoDB + S3 / embedded',
    document: 'simple invoice',
    way: 'Platen, MongoDB + S3',
    against: 'Platen',
    atLeast: 0.7,
  },
];
const ratios = ratiosOf(ordered, goals);
console.log(writeGoals(goals, ratios));
const ratiosPath = process.env['RATIOS'];
if (ratiosPath !== undefined) {
  const entries = ratios.map(({ name, measured }) => [name, Number(measured.toFixed(2))]);
  await Bun.write(ratiosPath, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
// Ends the MongoDB and S3 servers.
process.exit();

/** The goal that Platen makes at least so many times as many documents as another contestant. */
function goal(document: string, against: string, atLeast: number): Goal {
  return { name: `${document}: Platen / ${against}`, document, way: 'Platen', against, atLeast };
}

function contestantsFor({ name }: BenchDocument): Contestant[] {
  return contestants.filter((contestant) => contestant.documents.includes(name));
}

/**
 * Prints a document once with each contestant.
 * @throws {Error} if the page counts differ, because the work would differ too.
 */
async function requireSamePages(document: BenchDocument): Promise<void> {
  const pages: [string, number][] = [];
  for (const contestant of contestantsFor(document)) {
    const job = await contestant.prepare(document.html, 1);
    pages.push([contestant.way, (await job(0)).pages()]);
  }
  if (new Set(pages.map(([, count]) => count)).size > 1)
    throw new Error(
      `the contestants print different page counts of ${document.name}: ${JSON.stringify(pages)}`,
    );
}
