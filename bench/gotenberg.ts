/**
 * Measures documents per second through Gotenberg's routes: `npm run bench:gotenberg`. One client sends the
 * same requests to Platen, to a Gotenberg at `GOTENBERG_URL` if it is set, and lets `soffice --convert-to`
 * convert the same Office files, a cold start each. They take turns in one run, so that their ratios hold on a
 * noisy machine.
 *
 *   --rounds 5         the number of turns of each contestant
 *   --seconds 4        the duration of a turn
 *   --concurrency 4    the number of requests under way
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPlaten } from '../tests/gotenberg/target.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    concurrency: { type: 'string', default: '4' },
  },
});
const rounds = Number(values.rounds);
const turnMs = Number(values.seconds) * 1000;
const concurrency = Number(values.concurrency);

/** A kind of document that a form converts. */
interface Task {
  name: string;
  path: string;
  file: { name: string; content: Blob };
}

/** Makes one document of a task. */
type Make = (task: Task) => Promise<void>;

interface Contestant {
  name: string;
  make: Make;
  tasks: readonly Task[];
}

const HTML =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page 1</title></head><body><h1>Page 1</h1></body></html>';

await using folder = await temporaryFolder();
const office = await makeOfficeFiles();
const tasks: readonly Task[] = [
  {
    name: 'simple HTML',
    path: '/forms/chromium/convert/html',
    file: { name: 'index.html', content: new Blob([HTML]) },
  },
  ...office.map((file) => ({ name: file.name, path: '/forms/libreoffice/convert', file })),
];

await using platen = await startPlaten({});
const contestants: Contestant[] = [{ name: 'Platen', make: request(platen.url), tasks }];
const peer = process.env['GOTENBERG_URL'];
if (peer !== undefined)
  contestants.push({ name: 'Gotenberg', make: request(peer.replace(/\/$/, '')), tasks });
if (office.length > 0) contestants.push({ name: 'soffice', make: convertAlone, tasks: tasks.slice(1) });

const loadBefore = loadavg()[0] ?? 0;
for (const contestant of contestants) for (const task of contestant.tasks) await contestant.make(task);
for (const task of tasks) {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const { name, make, tasks: own } of contestants)
      if (own.includes(task)) rates.set(name, [...(rates.get(name) ?? []), await rateOf(() => make(task))]);
  const own = median(rates.get('Platen') ?? []);
  for (const [name, some] of rates) {
    const rate = median(some);
    const ratio = name === 'Platen' ? '' : `  Platen is ${(own / rate).toFixed(2)} times as fast`;
    console.log(
      `${task.name.padEnd(14)} ${name.padEnd(10)} ${rate.toFixed(2).padStart(7)} per second${ratio}`,
    );
  }
}
if (peer === undefined) console.log('GOTENBERG_URL is not set: Gotenberg was not measured');
const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
console.log(`${availableParallelism()} cores, ${concurrency} requests under way, load ${load} after`);

/** Documents per second with several under way. */
async function rateOf(make: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let made = 0;
  const work = async () => {
    while (performance.now() - startedAt < turnMs) {
      await make();
      made++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (1000 * made) / (performance.now() - startedAt);
}

function request(url: string): Make {
  return async ({ path, file: { name, content } }) => {
    const body = new FormData();
    body.append('files', content, name);
    const response = await fetch(url + path, { method: 'POST', body });
    const bytes = await response.bytes();
    if (response.status !== 200)
      throw new Error(`${path}: ${response.status} ${new TextDecoder().decode(bytes)}`);
  };
}

async function convertAlone({ file: { name, content } }: Task): Promise<void> {
  await using own = await temporaryFolder();
  await Bun.write(join(own.path, name), content);
  await runOffice(own.path, 'pdf', name);
}

async function runOffice(path: string, format: string, name: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(path, 'profile')}`;
  const command = [
    'soffice',
    profile,
    '--headless',
    '--convert-to',
    format,
    '--outdir',
    path,
    join(path, name),
  ];
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' });
  if ((await child.exited) !== 0) throw new Error(`soffice could not convert ${name}`);
}

/** A letter and a table, made by LibreOffice; none without it. */
async function makeOfficeFiles(): Promise<Task['file'][]> {
  if (Bun.which('soffice') === null) return [];
  const lines = Array.from({ length: 40 }, (_, line) => line + 1);
  const letter = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>${lines.map((line) => `<text:p>Line ${line} of a letter.</text:p>`).join('')}</office:text></office:body></office:document>`;
  await writeFile(join(folder.path, 'letter.fodt'), letter);
  await writeFile(
    join(folder.path, 'table.csv'),
    lines.map((line) => `Article ${line},${line * 7}`).join('\n'),
  );
  await runOffice(folder.path, 'docx', 'letter.fodt');
  await runOffice(folder.path, 'xlsx', 'table.csv');
  return ['letter.docx', 'table.xlsx'].map((name) => ({ name, content: Bun.file(join(folder.path, name)) }));
}

async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
