/**
 * Prints how many PDFs a second Platen makes over HTTP, embedded and on MongoDB + S3, against Chromium's own printing of a page that
 * is loaded already (the ceiling), a fresh page per job, and jsreport 4 over HTTP: one run, one Chromium, the same documents, Markdown
 * for docs/benchmarks.md. Each service is a process of its own. `SECONDS` of measuring in each of `ROUNDS` (2 and 2) at each of
 * `CONCURRENCIES` (1,2,4,8); jsreport is skipped where npm cannot install it, MongoDB + S3 where there are no servers.
 */
import { availableParallelism, loadavg } from 'node:os';
import { findChromium } from '../scripts/find-chromium.mjs';
import { activeDocuments, plainDocuments } from '../tests/documents/index.ts';
import { freshPage, loadedPage } from './render/browser.ts';
import type { BenchDocument, Contestant } from './render/contestant.ts';
import { jsreport } from './render/jsreport.ts';
import { join, measure, type Cell } from './render/measure.ts';
import { distributedPlaten, embeddedPlaten } from './render/platen.ts';
import { writeGoals, writeTable } from './render/report.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 2);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const CONCURRENCIES = (process.env['CONCURRENCIES'] ?? '1,2,4,8').split(',').map(Number);

const documents: BenchDocument[] = [
  { name: 'simple invoice', html: find(plainDocuments, 'invoice-simple') },
  { name: 'designed invoice', html: find(plainDocuments, 'invoice') },
  { name: 'report', html: find(plainDocuments, 'report-10-pages') },
  { name: 'chart', html: find(activeDocuments, 'chart-svg') },
];

const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
if (!executablePath) throw new Error('no Chromium was found');
const loadBefore = loadavg()[0] ?? 0;
const all = documents.map(({ name }) => name);
const settings = { executablePath, documents: all };
const contestants: Contestant[] = [];
const enter = async (starting: Promise<Contestant | undefined>) => {
  const contestant = await starting;
  if (contestant) contestants.push(contestant);
};

const cells = new Map<string, Cell>();
try {
  await enter(loadedPage(settings));
  await enter(embeddedPlaten(settings));
  await enter(distributedPlaten({ executablePath, documents: ['simple invoice'] }));
  await enter(freshPage(settings));
  await enter(jsreport({ ...settings, concurrencies: CONCURRENCIES }));
  for (const document of documents) await requireSamePages(document);
  // The order mixes the ways, so that a slow minute of a shared machine does not fall on one of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const concurrency of CONCURRENCIES)
      for (const document of documents)
        for (const contestant of entered(document)) {
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
  `${availableParallelism()} cores, load ${load} after; ${ROUNDS} rounds of ${SECONDS} s for each figure\n`,
);
console.log(writeTable(ordered, CONCURRENCIES));
console.log();
console.log(
  writeGoals(ordered, [
    ...['simple invoice', 'designed invoice'].flatMap((document) => [
      { name: `${document}: Platen / jsreport`, document, way: 'Platen', against: 'jsreport 4', atLeast: 8 },
      {
        name: `${document}: Platen / ceiling`,
        document,
        way: 'Platen',
        against: 'ceiling: print a loaded page',
        atLeast: 0.6,
      },
    ]),
    {
      name: 'active chart: Platen / fresh page',
      document: 'chart',
      way: 'Platen',
      against: 'fresh page per job',
      atLeast: 2,
    },
    {
      name: 'simple invoice: MongoDB + S3 / embedded',
      document: 'simple invoice',
      way: 'Platen, MongoDB + S3',
      against: 'Platen',
      atLeast: 0.7,
    },
  ]),
);
// The servers of MongoDB and S3 end with this process.
process.exit();

function find(among: readonly BenchDocument[], name: string): string {
  const found = among.find((document) => document.name === name);
  if (!found) throw new Error(`no document ${name}`);
  return found.html;
}

function entered({ name }: BenchDocument): Contestant[] {
  return contestants.filter((contestant) => contestant.documents.includes(name));
}

/** Prints once in each way. @throws when not all print as many pages: then they do not do the same work. */
async function requireSamePages(document: BenchDocument): Promise<void> {
  const pages: [string, number][] = [];
  for (const contestant of entered(document)) {
    const job = await contestant.prepare(document.html, 1);
    pages.push([contestant.way, (await job(0)).pages()]);
  }
  if (new Set(pages.map(([, count]) => count)).size > 1)
    throw new Error(`not all print the same pages of ${document.name}: ${JSON.stringify(pages)}`);
}
