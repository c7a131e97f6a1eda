/**
 * Measures a pipeline of five steps (merge, outline, properties, attachments, watermark) on uploaded files,
 * from the request to the stored result. Compares it with the same tasks one after another in a sandbox
 * without HTTP, with and without the time that the disk takes to read the files and store the result, and
 * with five requests that each store their result. They take turns in one run. Prints medians in milliseconds
 * and ratios: `npm run bench:pipeline [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PdfSource, Result } from '@platen/pdf';
import { setupOf } from '../plugins/documents/exports.ts';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { formOf, postForm } from '../tests/support/service/multipart.ts';
import { TestService } from '../tests/support/service/service.ts';
import { makeSample } from './pdf/samples.ts';
import { median } from './statistics.ts';

const ROUNDS = Number(process.argv[2] ?? 9);
const TASKS = new URL('../plugins/pdf-tools/operations/', import.meta.url);

const outline = [{ title: 'Summary', page: 1, children: [{ title: 'Details', page: 2 }] }];
const properties = { title: 'Annual report' };
const attachment = { name: 'sales.csv', data: Buffer.from('month;sales\n'.repeat(1_000)).toString('base64') };
const mark = makeSample({ pages: 1, imageBytes: 0 });

const steps = [
  { do: 'merge' },
  { do: 'outline', set: outline },
  { do: 'properties', set: properties },
  { do: 'attachments', add: [attachment] },
  { do: 'watermark', overlay: mark.toString('base64') },
];

const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
await using service = await TestService.start();
const sandbox = await startSandbox();
const load = <M extends object>(operation: string) => sandbox.load<M>(new URL(`${operation}/task.ts`, TASKS));
const tasks = {
  merge: load<typeof import('../plugins/pdf-tools/operations/merge/task.ts')>('merge'),
  outline: load<typeof import('../plugins/pdf-tools/operations/outline/task.ts')>('outline'),
  properties: load<typeof import('../plugins/pdf-tools/operations/properties/task.ts')>('properties'),
  attachments: load<typeof import('../plugins/pdf-tools/operations/attachments/task.ts')>('attachments'),
  watermark: load<typeof import('../plugins/pdf-tools/operations/watermark/task.ts')>('watermark'),
};

type Step = (pdf: PdfSource) => Promise<Result<{ pdf: Uint8Array }>>;

/** Runs the tasks one after another, and returns the time of each and the last result. */
async function runTasks(pdfs: readonly Buffer[]): Promise<{ times: number[]; result: Uint8Array }> {
  const watermark = {
    ...setupOf('watermark', { overlay: '' }),
    source: { pdf: { raw: mark }, area: 'pages' as const, field: 'overlay' },
  };
  const all: Step[] = [
    () => tasks.merge.merge({ pdfs: pdfs.map((raw) => ({ raw })) }),
    (pdf) => tasks.outline.write({ pdf, set: outline }),
    (pdf) => tasks.properties.write({ pdf, set: properties }),
    (pdf) => tasks.attachments.write({ pdf, add: [attachment], remove: undefined }),
    (pdf) => tasks.watermark.draw({ pdf, watermark }),
  ];
  const times: number[] = [];
  let pdf: PdfSource = '';
  let last: Uint8Array = new Uint8Array();
  for (const step of all) {
    const startedAt = performance.now();
    const result = await step(pdf);
    times.push(performance.now() - startedAt);
    if (!result.ok) throw new Error(result.message);
    last = result.value.pdf;
    pdf = { raw: last };
  }
  return { times, result: last };
}

async function upload(pdf: Buffer): Promise<string> {
  const { body } = await postForm(service, '/v1/files', formOf([['file', pdf]]));
  return body.id;
}

/** Reads the files and stores the result durably, as the service does. */
async function useDisk(pdfs: readonly Buffer[], result: Uint8Array): Promise<number> {
  const paths = pdfs.map((_, index) => join(folder, `${index}.pdf`));
  for (const [index, pdf] of pdfs.entries()) await writeFile(paths[index] ?? '', pdf);
  const startedAt = performance.now();
  for (const path of paths) await readFile(path);
  const file = await open(join(folder, 'result.pdf'), 'w');
  await file.writeFile(result);
  await file.sync();
  await file.close();
  return performance.now() - startedAt;
}

/** Runs each step as a request whose result is stored, and returns the time of all. */
async function runRequests(pdfs: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  let id = '';
  for (const { do: step, ...fields } of steps) {
    const input = step === 'merge' ? { pdfs } : { pdf: id };
    const { status, body } = await service.post(`/v1/pdf/${step}`, { ...input, ...fields });
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    id = body.file_id;
  }
  return performance.now() - startedAt;
}

async function runPipeline(pdfs: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await service.post('/v1/pdf/pipeline', { pdfs, steps });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return performance.now() - startedAt;
}

async function measure(name: string, pdfs: readonly Buffer[]): Promise<void> {
  const taken = {
    pipeline: [] as number[],
    tasks: [] as number[],
    disk: [] as number[],
    requests: [] as number[],
  };
  const each: number[][] = [];
  const ids: string[] = [];
  for (const pdf of pdfs) ids.push(await upload(pdf));
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pipeline = await runPipeline(ids);
    const { times, result } = await runTasks(pdfs);
    const disk = await useDisk(pdfs, result);
    const requests = await runRequests(ids);
    // The first round warms up.
    if (round === 0) continue;
    taken.pipeline.push(pipeline);
    taken.tasks.push(times.reduce((sum, time) => sum + time, 0));
    taken.disk.push(disk);
    taken.requests.push(requests);
    each.push(times);
  }
  const pipeline = median(taken.pipeline);
  const [alone, disk] = [median(taken.tasks), median(taken.disk)];
  const parts = steps.map(
    ({ do: step }, index) => `${step} ${median(each.map((times) => times[index] ?? 0)).toFixed(0)}`,
  );
  const show = (other: number) => `${other.toFixed(0)} ms, ratio ${(pipeline / other).toFixed(2)}`;
  console.log(`${name}: pipeline ${pipeline.toFixed(0)} ms`);
  console.log(`  tasks without HTTP (${parts.join(', ')}): ${show(alone)}`);
  console.log(`  tasks and disk (${disk.toFixed(0)} ms): ${show(alone + disk)}; goal 1.1`);
  console.log(`  five requests: ${show(median(taken.requests))}`);
}

const documents = (count: number, shape: Parameters<typeof makeSample>[0]) =>
  Array.from({ length: count }, () => makeSample(shape));
await measure('2 x 10 pages, text', documents(2, { pages: 10, imageBytes: 0 }));
await measure('20 x 50 pages', documents(20, { pages: 50, imageBytes: 4_000 }));
await measure('2 x 25 pages of images, 25 MB', documents(2, { pages: 25, imageBytes: 490_000 }));
await sandbox.close();
rmSync(folder, { recursive: true });
