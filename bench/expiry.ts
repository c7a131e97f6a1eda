/**
 * Measures the deletion of 100,000 expired generations with their receipts and files, on SQLite and disk, while requests are served:
 * `npm run bench:expiry`. Prints the p95 of generate before, during and after the sweep, then the goals that were missed, and exits with 1 if
 * there are any. `EXPIRED` changes the number of generations.
 */
import { Database } from 'bun:sqlite';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATION } from '../plugins/render/exports.ts';
import { generations } from '../plugins/render/generations/collections.ts';
import type { Generation } from '../plugins/render/contract.ts';
import { receiptCollection } from '../plugins/render/receipt/receipts.ts';
import { newId } from '../src/ids.ts';
import { createTableSql, insertSql } from '../src/store/sqlite-query.ts';
import { deletionsSpec } from '../src/deletions.ts';
import { platen, ServiceProcess } from '../tests/support/process.ts';
import { quantile } from './statistics.ts';

const EXPIRED = Number(process.env['EXPIRED'] ?? 100_000);
const REQUEST_INTERVAL_MS = 100;
const IDLE_MS = 30_000;
const FILE_BYTES = 8_000;
const GOAL_SECONDS = 120;
const GOAL_RATIO = 1.5;
/** The deletions are stored with a due time this far in the future, and are made due when the measured sweep begins. */
const DUE_IN_MS = 3_600_000;
/** The measurement of the sweep ends after this time, even if deletions remain. */
const SWEEP_LIMIT_MS = 15 * 60_000;

const dataDir = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
const service = new ServiceProcess(env);
const url = await service.ready();
const address = 'bench@example.com';
const created = await platen(['keys', 'create', '--email', address, '--plan', 'enterprise'], env);
const key = created.stdout.trim();
const database = new Database(join(dataDir, 'platen.sqlite'));
database.run('PRAGMA busy_timeout = 30000');
const [account] = database
  .prepare("SELECT id FROM accounts WHERE doc ->> '$.email' = ?")
  .values(address)
  .flat();
const accountId = String(account);

const filledAt = performance.now();
fill();
console.log(`${EXPIRED} generations stored in ${Math.round((performance.now() - filledAt) / 1000)} s`);

try {
  await measureFor(5_000);
  const before = await measureFor(IDLE_MS);
  const sweptAt = performance.now();
  database.run("UPDATE deletions SET doc = json_set(doc, '$.at', (doc ->> '$.at') - ?)", [
    DUE_IN_MS + EXPIRED,
  ]);
  const during = await measure(() => countDeletions() > 0 && performance.now() - sweptAt < SWEEP_LIMIT_MS);
  const seconds = (performance.now() - sweptAt) / 1000;
  const after = await measureFor(IDLE_MS);
  report({ before, during, after, seconds });
} finally {
  service.kill('SIGTERM');
  await service.exited;
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function countDeletions(): number {
  return Number(database.prepare('SELECT count(*) FROM deletions').values()[0]?.[0]);
}

async function measureFor(ms: number): Promise<number[]> {
  const end = performance.now() + ms;
  return measure(() => performance.now() < end);
}

/** Requests a PDF at a steady rate and returns the response times. A slow response does not delay the next request. */
async function measure(shouldContinue: () => boolean): Promise<number[]> {
  const requests: Promise<number>[] = [];
  while (shouldContinue()) {
    requests.push(requestPdf());
    await Bun.sleep(REQUEST_INTERVAL_MS);
  }
  return Promise.all(requests);
}

async function requestPdf(): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html: '<h1>Invoice</h1><p>One page.</p>' }),
  });
  if (!response.ok) throw new Error(`generate returned ${response.status}: ${await response.text()}`);
  await response.text();
  return performance.now() - begun;
}

function report(run: { before: number[]; during: number[]; after: number[]; seconds: number }): void {
  const { before, during, after, seconds } = run;
  console.log('Response times of /v1/generate before, during and after the sweep:');
  console.table(
    Object.entries({ before, during, after }).map(([phase, times]) => ({
      phase,
      requests: times.length,
      'p50 ms': Math.round(quantile(times, 0.5)),
      'p95 ms': Math.round(quantile(times, 0.95)),
      'p99 ms': Math.round(quantile(times, 0.99)),
    })),
  );
  const ratio = quantile(during, 0.95) / quantile([...before, ...after], 0.95);
  console.log(`swept in ${seconds.toFixed(1)} s (goal: under ${GOAL_SECONDS} s)`);
  console.log(
    `p95 during the sweep / p95 before and after it: ${ratio.toFixed(2)} (goal: at most ${GOAL_RATIO})`,
  );
  console.log(`load average: ${(loadavg()[0] ?? 0).toFixed(1)}`);
  if (seconds >= GOAL_SECONDS || ratio > GOAL_RATIO) {
    console.log('goals missed');
    process.exitCode = 1;
  }
}

/** Writes the files and records. The deletions are due in an hour. */
function fill(): void {
  const firstAt = Date.now() + DUE_IN_MS;
  const pdf = new Uint8Array(FILE_BYTES).fill(32);
  const files = join(dataDir, 'files');
  const folders = new Set<string>();
  const insert = (spec: { name: string }, document: { id: string }) => {
    const { sql, values } = insertSql(spec, document);
    database.prepare(sql).run(...values);
  };
  for (const spec of [generations, receiptCollection, deletionsSpec])
    for (const { sql } of createTableSql(spec as typeof generations)) database.run(sql);
  const receipt = JSON.stringify({ phases: {}, resources: [], padding: 'x'.repeat(800) });
  for (let start = 0; start < EXPIRED; start += 1_000)
    database.transaction(() => {
      for (let index = start; index < Math.min(start + 1_000, EXPIRED); index += 1) {
        const generation = makeGeneration(index, firstAt + index);
        const { id, fileId } = generation;
        const folder = join(files, String(fileId).slice(-2));
        if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
        folders.add(folder);
        writeFileSync(join(folder, String(fileId)), pdf);
        insert(generations, generation);
        insert(receiptCollection, { id, receipt, expiresAt: Date.now() + 86_400_000 } as { id: string });
        const row = { id: `${GENERATION}:${id}`, kind: GENERATION, recordId: id, at: firstAt + index };
        insert(deletionsSpec, row);
      }
    })();
}

function makeGeneration(index: number, expiresAt: number): Generation {
  return {
    id: newId('gen_'),
    accountId,
    templateId: null,
    inputType: 'html',
    status: 'completed',
    output: 'url',
    fileId: newId('file_'),
    pages: 1,
    sizeBytes: FILE_BYTES,
    generationTimeMs: 40,
    error: null,
    createdAt: expiresAt - 2 * DUE_IN_MS,
    batchId: null,
    index: null,
    attempts: 0,
    fileName: null,
    reference: null,
    metadata: null,
    expiresAt,
  };
}
