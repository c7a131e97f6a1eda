import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, type SqliteConnection, type Statements } from './sqlite-connection.ts';
import { StoreUnavailableError } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A disk whose syncs end when the test says so. */
class SlowDisk {
  syncs: PromiseWithResolvers<void>[] = [];
  sync(): Promise<void> {
    const sync = Promise.withResolvers<void>();
    this.syncs.push(sync);
    return sync.promise;
  }
  close(): void {}
}

let disk: SlowDisk;
let connection: SqliteConnection;
let count = 0;

beforeEach(async () => {
  disk = new SlowDisk();
  connection = openSqlite(join(folder, `${(count += 1)}.db`), { isDurable: true, log: disk });
  const create = connection.write(({ rows }) => rows({ sql: 'CREATE TABLE t (id TEXT)', values: [] }));
  await begun(1);
  disk.syncs[0]?.resolve();
  await create;
});

/** Waits until a number of syncs have begun. */
async function begun(syncs: number): Promise<void> {
  while (disk.syncs.length < syncs) await Bun.sleep(1);
}

const insert = (id: string) => (run: Statements) =>
  run.rows({ sql: 'INSERT INTO t VALUES (?)', values: [id] });
const stored = async () =>
  (await connection.read({ sql: 'SELECT id FROM t ORDER BY rowid', values: [] })).flat().map(String);

/** Says whether a promise is settled after a few turns of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    Bun.sleep(15).then(() => false),
  ]);
}

test('a write waits for the disk, and the next transaction for its sync', async () => {
  const first = connection.write(insert('a'));
  await begun(2);
  const second = connection.write(insert('b'));
  const third = connection.write(insert('c'));
  expect(await isSettled(first)).toBe(false);
  expect(await stored()).toEqual(['a']);
  disk.syncs[1]?.resolve();
  await first;
  expect(await isSettled(second)).toBe(false);
  expect(await stored()).toEqual(['a', 'b', 'c']);
  // Both are in one transaction.
  expect(disk.syncs).toHaveLength(3);
  disk.syncs[2]?.resolve();
  await Promise.all([second, third]);
});

test('a write that need not wait resolves after its commit, without a sync', async () => {
  await connection.write(insert('a'), { waitsForDisk: false });
  expect(await stored()).toEqual(['a']);
  expect(disk.syncs).toHaveLength(1);
  // In one transaction with a write that waits, it resolves first.
  const durable = connection.write(insert('b'));
  await connection.write(insert('c'), { waitsForDisk: false });
  expect(await isSettled(durable)).toBe(false);
  disk.syncs[1]?.resolve();
  await durable;
});

test.each([
  ['EIO', 'disk'],
  ['ENOSPC', 'full'],
])('a disk that fails with %s rejects the write, and the next one is made', async (code, reason) => {
  const failed = connection.write(insert('a')).catch((error: unknown) => error);
  await begun(2);
  disk.syncs[1]?.reject(Object.assign(new Error(`${code}: fdatasync`), { code }));
  expect(await failed).toBeInstanceOf(StoreUnavailableError);
  expect(await failed).toMatchObject({ reason });
  const next = connection.write(insert('b'));
  await begun(3);
  disk.syncs[2]?.resolve();
  await next;
  expect(await stored()).toContain('b');
});

test('closing waits for the sync of the last write', async () => {
  const last = connection.write(insert('a'));
  await begun(2);
  const closing = connection.close();
  expect(await isSettled(closing)).toBe(false);
  disk.syncs[1]?.resolve();
  await Promise.all([last, closing]);
});

test.each(['real.db', ':memory:'])('a commit to %s resolves', async (name) => {
  const path = name === ':memory:' ? name : join(folder, name);
  const real = openSqlite(path, { isDurable: true });
  await real.write(({ rows }) => rows({ sql: 'CREATE TABLE t (id TEXT)', values: [] }));
  await Promise.all(['a', 'b'].map((id) => real.write(insert(id))));
  expect((await real.read({ sql: 'SELECT id FROM t', values: [] })).flat()).toEqual(['a', 'b']);
  await real.close();
});
