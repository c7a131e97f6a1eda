import { afterAll, describe, expect, jest, setDefaultTimeout, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  countSql,
  deleteExpiredSql,
  selectSql,
  updateSql,
  type BoundSql,
} from '../../src/store/sqlite-query.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { StoreUnavailableError, type CollectionSpec } from '../../src/store/store.ts';
import { rejection } from '../support/rejection.ts';
import { describeStore } from './store-suite.ts';

// Child processes start slowly on a busy machine, and writing to a locked database fails only after five
// seconds.
setDefaultTimeout(60_000);
const root = mkdtempSync(join(tmpdir(), 'platen-sqlite-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const sqliteModule = join(import.meta.dir, '../../src/store/sqlite.ts');
let pathsCreated = 0;

function freshPath(): string {
  pathsCreated += 1;
  return join(root, String(pathsCreated), 'platen.db');
}

describeStore('sqlite', async () => {
  const path = freshPath();
  let store = createSqliteStore({ path });
  return {
    store,
    async reopen() {
      await store.close();
      store = createSqliteStore({ path });
      return store;
    },
    dispose: () => store.close(),
  };
});

interface Job {
  id: string;
  status: string;
  runAt: number;
  owner: string | null;
  urgent: boolean;
  expiresAt: number | null;
}

const jobs: CollectionSpec<Job> = {
  name: 'jobs',
  indexes: [
    { fields: { status: 'asc', runAt: 'desc', id: 'desc' } },
    { fields: { owner: 'asc' } },
    { fields: { urgent: 'asc', runAt: 'asc' } },
  ],
  expiry: 'expiresAt',
};

function job(id: string, fields: Partial<Job> = {}): Job {
  return { id, status: 'queued', runAt: 0, owner: null, urgent: false, expiresAt: null, ...fields };
}

/** Creates a script for a child process with `store`, `collection` and `job` in scope. */
function childProgram(path: string, script: string): string {
  return `
    import { createSqliteStore } from ${JSON.stringify(sqliteModule)};
    const store = createSqliteStore({ path: ${JSON.stringify(path)} });
    const collection = await store.collection(${JSON.stringify(jobs)});
    ${job.toString()}
    ${script}`;
}

function spawnChild(path: string, script: string) {
  const command = [process.execPath, '-e', childProgram(path, script)];
  return Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
}

async function storedIds(path: string): Promise<Set<string>> {
  const store = createSqliteStore({ path });
  const stored = await (await store.collection<Job>(jobs)).find();
  await store.close();
  return new Set(stored.map(({ id }) => id));
}

describe('sqlite file', () => {
  test('keeps every write whose promise resolved before SIGKILL', async () => {
    for (const killAfter of [1, 20 + Math.random() * 500, 500 + Math.random() * 3000]) {
      const path = freshPath();
      const child = spawnChild(
        path,
        `await Promise.all([0, 1, 2, 3].map(async (writer) => {
          for (let n = 0; ; n += 1) {
            const id = writer + '-' + n;
            await collection.insert(job(id));
            process.stdout.write(id + '\\n');
          }
        }));`,
      );
      let printed = '';
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        printed += decoder.decode(chunk);
        if (printed.split('\n').length > killAfter) child.kill('SIGKILL');
      }
      await child.exited;
      const stored = await storedIds(path);
      // The last line may be incomplete.
      const promised = printed.split('\n').slice(0, -1);
      expect(promised.length).toBeGreaterThan(0);
      expect(promised.filter((id) => !stored.has(id))).toEqual([]);
    }
  });

  test('several processes can create it at the same instant', async () => {
    const program = `
      import { createSqliteStore } from ${JSON.stringify(sqliteModule)};
      process.stdout.write('ready');
      const startMs = Number(await Bun.stdin.text());
      for (let round = 0; round < 20; round += 1) {
        while (Date.now() < startMs + round * 60);
        const store = createSqliteStore({ path: ${JSON.stringify(join(root, 'same-instant'))} + '/' + round + '.db' });
        const collection = await store.collection({ name: 'jobs' });
        await collection.insert({ id: String(process.pid) });
        await store.close();
      }`;
    const children = [1, 2, 3].map(() =>
      Bun.spawn([process.execPath, '-e', program], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' }),
    );
    await Promise.all(children.map(({ stdout }) => stdout.getReader().read()));
    const startMs = Date.now() + 100;
    for (const { stdin } of children) {
      await stdin.write(String(startMs));
      await stdin.end();
    }
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  });

  test('several processes can create it and write to it at once', async () => {
    const path = freshPath();
    const script = `
      await collection.insert(job('counter')).catch(() => {});
      // A busy machine may keep the lock of another process for longer than a write waits.
      const increment = () => collection.increment({ id: 'counter' }, { runAt: 1 }).catch((error) => {
        if (error.name !== 'StoreUnavailableError') throw error;
        return increment();
      });
      for (let n = 0; n < 50; n += 1) await Promise.all([increment(), increment()]);
      await store.close();`;
    const children = Array.from({ length: 4 }, () => spawnChild(path, script));
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
    const store = createSqliteStore({ path });
    expect((await (await store.collection<Job>(jobs)).get('counter'))?.runAt).toBe(400);
    await store.close();
  });

  test('on a full disk, whole groups are rejected and accepted writes are kept', async () => {
    const path = freshPath();
    const program = childProgram(
      path,
      `const note = 'x'.repeat(3000);
       const accepted = [];
       const refused = [];
       for (let round = 0; round < 60; round += 1) {
         const group = [0, 1, 2].map((writer) => round + '-' + writer);
         const outcomes = await Promise.allSettled(group.map((id) => collection.insert(job(id, { owner: note }))));
         for (const [index, { status, reason }] of outcomes.entries()) {
           if (status === 'fulfilled') accepted.push(group[index]);
           else refused.push(reason.name);
         }
       }
       process.stdout.write(JSON.stringify({ accepted, refused, readable: await collection.count() }));`,
    );
    // A file size limit simulates a full disk. A process that ignores SIGXFSZ gets a write error.
    const command = ['sh', '-c', 'trap "" XFSZ; ulimit -f 200; exec "$0" -e "$1"', process.execPath, program];
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    const { accepted, refused, readable } = await new Response(child.stdout).json();
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length % 3).toBe(0);
    expect(refused.length).toBe(180 - accepted.length);
    expect(new Set(refused)).toEqual(new Set(['StoreUnavailableError']));
    expect(readable).toBe(accepted.length);
    expect(await storedIds(path)).toEqual(new Set(accepted));
  });

  test('while the disk has no room, only new data is refused', async () => {
    let hasRoom = true;
    const guard = { admits: () => hasRoom, release: () => false };
    const store = createSqliteStore({ path: freshPath(), guard });
    const collection = await store.collection<Job>(jobs);
    const needed = await store.collection<Job>({ name: 'needed', usesReserve: true });
    await collection.insertMany([job('j1'), job('j2')]);
    hasRoom = false;
    const refused = await rejection(collection.insert(job('j3')));
    expect(refused).toMatchObject({ name: 'StoreUnavailableError', reason: 'full' });
    await needed.insert(job('j1'));
    expect(await collection.update({ id: 'j1' }, { status: 'done' })).toMatchObject({ status: 'done' });
    expect(await collection.delete({ id: 'j2' })).toBe(1);
    expect((await collection.find()).map(({ id }) => id)).toEqual(['j1']);
    hasRoom = true;
    await collection.insert(job('j3'));
    await store.close();
  });

  test('a file that cannot be opened is named in the error', () => {
    const blocked = join(root, 'a-file');
    writeFileSync(blocked, 'no folder');
    const path = join(blocked, 'platen.db');
    expect(() => createSqliteStore({ path })).toThrow(StoreUnavailableError);
    expect(() => createSqliteStore({ path })).toThrow(path);
  });

  test('a file that is not a database is named in the error', () => {
    const path = join(root, 'garbage.db');
    writeFileSync(path, 'not a database. '.repeat(1000));
    expect(() => createSqliteStore({ path })).toThrow(StoreUnavailableError);
    expect(() => createSqliteStore({ path })).toThrow(path);
  });

  test('a lock held longer than the timeout rejects the waiting writes, and later ones succeed', async () => {
    const path = freshPath();
    const store = createSqliteStore({ path });
    const collection = await store.collection<Job>(jobs);
    const other = new Database(path);
    other.run('BEGIN IMMEDIATE');
    const writes = await Promise.allSettled([collection.insert(job('j1')), collection.insert(job('j2'))]);
    expect(await collection.count()).toBe(0);
    other.run('COMMIT');
    other.close();
    for (const write of writes)
      expect(write).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    await collection.insert(job('j1'));
    expect(await collection.count()).toBe(1);
    await store.close();
  });

  test('the sweep deletes expired documents', async () => {
    jest.useFakeTimers();
    const path = freshPath();
    const store = createSqliteStore({ path });
    const collection = await store.collection<Job>(jobs);
    const expired = Array.from({ length: 1200 }, (_, index) => job(`j${index}`, { expiresAt: 1 }));
    await collection.insertMany([job('kept'), ...expired]);
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    const database = new Database(path);
    const stored = () => database.query('SELECT id FROM jobs').values().flat();
    // If the sweep does not run, the test times out here.
    while (stored().length > 1) await Bun.sleep(5);
    expect(stored()).toEqual(['kept']);
    database.close();
    await store.close();
  });

  test('operations after close are rejected', async () => {
    const store = createSqliteStore({ path: freshPath() });
    const collection = await store.collection<Job>(jobs);
    await store.close();
    await store.close();
    expect(await rejection(store.ping())).toBeInstanceOf(StoreUnavailableError);
    expect(await rejection(collection.get('j1'))).toBeInstanceOf(StoreUnavailableError);
    expect(await rejection(collection.insert(job('j1')))).toBeInstanceOf(StoreUnavailableError);
  });

  test('declared orders and filters use an index', async () => {
    const path = freshPath();
    const store = createSqliteStore({ path });
    await store.collection<Job>(jobs);
    const table = { name: 'jobs', expiry: 'expiresAt' };
    const newest = { runAt: 'desc', id: 'desc' };
    const queries: BoundSql[] = [
      selectSql(table, { where: { id: 'j1' } }, 1),
      selectSql(table, { where: { id: { in: ['j1', 'j2'] } } }, 1),
      selectSql(table, { where: { status: 'queued' }, order: newest, limit: 10, offset: 20 }, 1),
      selectSql(table, { where: { status: 'queued', runAt: { gt: 5, lte: 9 } }, order: newest }, 1),
      selectSql(table, { where: { status: { in: ['queued', 'processing'] } } }, 1),
      selectSql(table, { where: { owner: 'o1' } }, 1),
      selectSql(table, { where: { owner: null } }, 1),
      selectSql(table, { where: { owner: { in: ['o1', null] } } }, 1),
      selectSql(table, { where: { urgent: true }, order: { runAt: 'asc' } }, 1),
      selectSql(table, { where: { urgent: false, runAt: 7 } }, 1),
      countSql(table, { status: 'queued', runAt: { gte: 5 } }, 1),
      updateSql(
        table,
        { status: 'processing' },
        { where: { status: 'queued', runAt: { lte: 9 } }, order: { runAt: 'asc', id: 'asc' }, now: 1 },
      ),
      deleteExpiredSql(table, 1, 10),
    ];
    const database = new Database(path);
    for (const { sql, values } of queries) {
      const plan = database
        .query(`EXPLAIN QUERY PLAN ${sql}`)
        .values(...values)
        .map((row) => String(row[3]))
        .join('; ');
      // json_each over a list parameter is the one expected scan.
      expect(plan.replaceAll('SCAN json_each', '')).not.toMatch(/SCAN|TEMP B-TREE/);
      expect(plan).toMatch(/SEARCH jobs USING (COVERING )?INDEX/);
    }
    database.close();
    await store.close();
  });
});
