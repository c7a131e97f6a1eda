/**
 * Measures GET /v1/generations over HTTP on SQLite with a million generations in one account: without a filter, with each filter and
 * with large offsets: `npm run bench:generations`.
 */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { generations } from '../plugins/render/generations/collections.ts';
import type { Generation } from '../plugins/render/contract.ts';
import { newId } from '../src/ids.ts';
import { createTableSql, insertSql } from '../src/store/sqlite-query.ts';
import { TestService } from '../tests/support/service.ts';

const ALL = Number(process.env['ALL'] ?? 1_000_000);
const REQUESTS = Number(process.env['REQUESTS'] ?? 100);
const BATCH = 100;
const FIRST_AT = 1_790_000_000_000;

await using service = await TestService.start();
const [account] = await service.accounts.list();
if (!account) throw new Error('no account');
const accountId = account.id;
const rareBatch = newId('batch_');

const filledAt = performance.now();
fill(join(service.dataDir, 'platen.sqlite'));
console.log(`${ALL} generations stored in ${Math.round((performance.now() - filledAt) / 1000)} s`);

const last = ALL - 50;
const rows = [];
for (const query of [
  '',
  '?limit=100',
  '?status=completed',
  '?status=failed',
  '?status=queued',
  '?status=processing',
  '?input_type=html',
  '?input_type=react',
  '?status=failed&input_type=react',
  '?status=queued&input_type=react',
  `?batch_id=${rareBatch}`,
  `?batch_id=${rareBatch}&status=failed`,
  `?batch_id=${rareBatch}&input_type=react`,
  '?batch_id=batch_unknown',
  '?offset=10000',
  '?offset=100000',
  `?offset=${last}`,
  `?status=completed&offset=${Math.floor(ALL / 2)}`,
]) {
  rows.push({
    query: query.replace(rareBatch, '…') || 'none',
    ...(await timesOf(`/v1/generations${query}`)),
  });
}
console.log(
  `GET /v1/generations with ${ALL} generations in the account, ${REQUESTS} requests for each query:`,
);
console.table(rows);

async function timesOf(path: string) {
  const times: number[] = [];
  while (times.length < REQUESTS) {
    const begun = performance.now();
    const { status, body } = await service.get(path);
    if (status === 429) {
      await Bun.sleep(1_000);
      continue;
    }
    if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'max ms': Number((times.at(-1) ?? 0).toFixed(2)) };
}

/** Writes the records directly into the database, without indexes because that is faster, and then creates the indexes. */
function fill(path: string): void {
  const database = new Database(path);
  const names = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  );
  for (const [name] of names.values(generations.name)) database.run(`DROP INDEX "${String(name)}"`);
  database.run('PRAGMA synchronous = OFF');
  const insert = database.prepare(insertSql(generations, makeGeneration(0)).sql);
  database.transaction(() => {
    for (let index = 0; index < ALL; index += 1)
      insert.run(...insertSql(generations, makeGeneration(index)).values);
  })();
  for (const { sql } of createTableSql(generations)) database.run(sql);
  database.close();
}

/** Creates a generation. Most are completed; about 1 in 100 failed, 1 in 1,000 is queued and 1 in 100,000 is running. 1 in 20 is a component. */
function makeGeneration(index: number): Generation {
  const inBatch = index % 1_000 < 300;
  const status =
    index % 1_000 === 999
      ? 'queued'
      : index % 100_000 === 7
        ? 'processing'
        : index % 100 === 50
          ? 'failed'
          : 'completed';
  const isDone = status === 'completed';
  const batch = Math.floor(index / BATCH);
  return {
    id: newId('gen_'),
    accountId,
    templateId: index % 4 === 0 ? `tmpl_${index % 97}` : null,
    inputType: index % 20 === 10 ? 'react' : index % 4 === 0 ? 'template' : 'html',
    status,
    output: 'url',
    fileId: isDone ? newId('file_') : null,
    pages: isDone ? 1 : null,
    sizeBytes: isDone ? 20_000 + (index % 1_000) : null,
    generationTimeMs: isDone ? 40 : null,
    error: status === 'failed' ? 'RENDER_FAILED: the browser could not print the document' : null,
    createdAt: FIRST_AT + index * 1_000,
    batchId: inBatch ? (batch === 5_000 ? rareBatch : `batch_${batch}`) : null,
    index: inBatch ? index % BATCH : null,
    attempts: 1,
  };
}
