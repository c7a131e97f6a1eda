import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { withTimeout } from '@platen/runtime';
import { MongoClient } from 'mongodb';
import { startMongo } from '../../scripts/servers/mongo.mjs';
import { createMongoStore } from '../../src/store/mongo.ts';
import { DuplicateKeyError, StoreUnavailableError, type CollectionSpec } from '../../src/store/store.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';
import { refusingMongo } from './mongo-refusing.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { sample, samples, type Sample } from './store-samples.ts';
import { describeStore } from './store-suite.ts';

// A Java server starts slowly on a busy machine, and a connection to an unreachable server fails only after
// some seconds.
setDefaultTimeout(60_000);
const server = await mongoServer();

const unique: CollectionSpec<Sample> = {
  name: 'samples',
  indexes: [{ fields: { note: 'asc' }, unique: true }, { fields: { group: 'asc', rank: 'desc', id: 'asc' } }],
  expiry: 'expiresAt',
};

if (server) {
  describeStore('mongo', async () => {
    const url = await newMongoUrl();
    let store = await createMongoStore({ url });
    return {
      store,
      async reopen() {
        await store.close();
        store = await createMongoStore({ url });
        return store;
      },
      dispose: () => store.close(),
    };
  });
}

describe.if(server !== undefined)('mongo database', () => {
  test('several stores can open it at once, and each document is claimed once', async () => {
    const url = await newMongoUrl();
    const stores = await Promise.all([1, 2, 3].map(() => createMongoStore({ url })));
    const collections = await Promise.all(stores.map((store) => store.collection(unique)));
    const [first] = collections;
    await first?.insertMany(samples(60, (index) => ({ note: `n${index}` })));
    const claims = collections.flatMap((collection) =>
      Array.from({ length: 40 }, () => collection.update({ done: false }, { done: true })),
    );
    const claimed = (await Promise.all(claims)).filter((document) => document !== null);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(60);
    expect(claimed.length).toBe(60);
    const outcomes = await Promise.all(
      collections.map((collection, index) =>
        rejection(collection.insert(sample(`t${index}`, { note: 't' }))),
      ),
    );
    expect(outcomes.filter((reason) => reason instanceof DuplicateKeyError).length).toBe(2);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('expired documents are deleted by a TTL index on a date', async () => {
    const url = await newMongoUrl();
    const store = await createMongoStore({ url });
    const collection = await store.collection(unique);
    await collection.insertMany([
      sample('s1', { note: 'a', expiresAt: 4e12 }),
      sample('s2', { note: 'b', expiresAt: Number.MAX_SAFE_INTEGER }),
      sample('s3', { note: 'c', expiresAt: 4e12 }),
    ]);
    expect(await collection.update({ id: 's3' }, { expiresAt: null })).toEqual(
      sample('s3', { note: 'c', expiresAt: null }),
    );
    const client = new MongoClient(url);
    const stored = client.db().collection('samples');
    const dates = (await stored.find({}, { sort: { _id: 1 } }).toArray()).map(
      (document) => document['expiresAt:date'],
    );
    expect(dates).toEqual([new Date(4e12), new Date(8.64e15), undefined]);
    const keys = (await stored.indexes()).map(({ key }) => key);
    expect(keys).toContainEqual({ 'expiresAt:date': 1 });
    await client.close();
    await store.close();
  });

  test('a unique index can be added later, over existing nulls', async () => {
    const url = await newMongoUrl();
    const store = await createMongoStore({ url });
    const before = await store.collection<Sample>({ name: 'samples' });
    await before.insertMany([sample('s1'), sample('s2'), sample('s3', { note: 'n' })]);
    const after = await store.collection(unique);
    await after.insert(sample('s4'));
    expect(await rejection(after.insert(sample('s5', { note: 'n' })))).toBeInstanceOf(DuplicateKeyError);
    expect(await rejection(after.update({ id: 's1' }, { note: 'n' }))).toBeInstanceOf(DuplicateKeyError);
    await after.update({ id: 's3' }, { note: null });
    expect((await after.update({ id: 's1' }, { note: 'n' }))?.note).toBe('n');
    expect(await after.count({ note: null })).toBe(3);
    await store.close();
  });

  test('a filter does not match list members, and unpaired surrogates are preserved', async () => {
    const store = await createMongoStore({ url: await newMongoUrl() });
    const collection = await store.collection(unique);
    const document = sample('s1', { extra: ['x', 'y'], note: 'half \ud83d' });
    await collection.insert(document);
    expect(await collection.find({ where: { extra: 'x' } })).toEqual([]);
    expect(await collection.get('s1')).toEqual(document);
    await store.close();
  });

  test('operations after close are rejected', async () => {
    const store = await createMongoStore({ url: await newMongoUrl() });
    const collection = await store.collection(unique);
    await store.close();
    await store.close();
    expect(await rejection(store.ping())).toBeInstanceOf(StoreUnavailableError);
    expect(await rejection(collection.insert(sample('s1')))).toBeInstanceOf(StoreUnavailableError);
  });
});

// Only a server that the tests started may be stopped.
describe.if(server !== undefined && !process.env['MONGODB_TEST_URL'])('mongo server', () => {
  /**
   * Resolves with the rejection reason. The store's limit is five seconds; this limit leaves time for a busy
   * machine.
   */
  async function promptRejection(operation: Promise<unknown>): Promise<unknown> {
    return withTimeout(rejection(operation), { limitMs: 20_000, onTimeout: () => 'no answer in 20 s' });
  }

  test('that is killed is reported as unavailable, and used again after a restart', async () => {
    let running = await startMongo();
    const store = await createMongoStore({ url: `${running.url}/away` });
    const collection = await store.collection(unique);
    await collection.insert(sample('s1'));
    let isStopping = false;
    let inserted = 0;
    // Each client inserts documents until the server refuses one.
    const clients = Array.from({ length: 20 }, async (_, client) => {
      const insertAll = async () => {
        for (; ; inserted += 1) await collection.insert(sample(`${client}-${inserted}`));
      };
      const reason = await rejection(insertAll());
      expect(isStopping).toBe(true);
      return reason;
    });
    await until(() => inserted > 100);
    isStopping = true;
    await running.stop();
    for (const client of clients)
      expect(
        await withTimeout(client, { limitMs: 20_000, onTimeout: () => 'no answer in 20 s' }),
      ).toBeInstanceOf(StoreUnavailableError);
    expect(await promptRejection(store.ping())).toBeInstanceOf(StoreUnavailableError);
    expect(await promptRejection(collection.update({ id: 's1' }, { rank: 1 }))).toBeInstanceOf(
      StoreUnavailableError,
    );
    running = await startMongo({ port: running.port });
    // A server that has just started may close connections for a moment.
    const isBack = () =>
      store.ping().then(
        () => true,
        () => false,
      );
    while (!(await isBack())) await Bun.sleep(50);
    await collection.insert(sample('s2', { note: 'back' }));
    expect((await collection.find()).length).toBe(1);
    await running.stop();
    await store.close();
  }, 180_000);

  /** Returns the state of each thread of a process, such as `T` for stopped (proc_pid_stat(5)). */
  function threadStates(pid: number): string[] {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return stat[stat.lastIndexOf(')') + 2] ?? '';
    });
  }

  test('that hangs is reported as unavailable, and used again when it resumes', async () => {
    const running = await startMongo();
    const store = await createMongoStore({ url: `${running.url}/away` });
    const collection = await store.collection(unique);
    await collection.insert(sample('s1'));
    process.kill(running.pid, 'SIGSTOP');
    // On a busy machine, some threads of the server continue for a moment.
    await until(() => threadStates(running.pid).every((state) => state === 'T'));
    const reasons = await Promise.all(
      [store.ping(), collection.get('s1'), collection.increment({ id: 's1' }, { rank: 1 })].map(
        promptRejection,
      ),
    );
    for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailableError);
    process.kill(running.pid, 'SIGCONT');
    expect((await collection.get('s1'))?.id).toBe('s1');
    await running.stop();
    await store.close();
  });
});

describe('mongo URL', () => {
  const url = 'mongodb://ann:geheim@127.0.0.1';

  test('that is invalid is rejected without quoting it', async () => {
    for (const wrong of [
      'mongodb://',
      'mongodb://ann:ge@heim@host/x',
      `${url}:99999`,
      `${url}/x?tls=geheim`,
    ]) {
      const reason = await rejection(createMongoStore({ url: wrong }));
      expect(reason).toBeInstanceOf(TypeError);
      expect(Bun.inspect(reason)).not.toContain('heim');
    }
    expect(String(await rejection(createMongoStore({ url: `${url}/x?colour=red` })))).toContain(
      'option colour is not supported',
    );
  });

  test('of an unreachable server is named without its password', async () => {
    const reason = await rejection(createMongoStore({ url: `${url}:1/x` }));
    expect(reason).toBeInstanceOf(StoreUnavailableError);
    expect(String(reason)).toContain('127.0.0.1:1');
    expect(Bun.inspect(reason)).not.toContain('geheim');
  });

  test('with a wrong password is rejected with one sentence', async () => {
    const refusing = refusingMongo();
    const reason = await rejection(createMongoStore({ url: `${url}:${refusing.port}/x` }));
    refusing.stop();
    expect(reason).toBeInstanceOf(StoreUnavailableError);
    expect(String(reason)).toContain('rejects the user or the password');
    expect(Bun.inspect(reason)).not.toContain('geheim');
  });
});
