import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import { openDeletions } from '../../src/deletions.ts';
import { createDiskFiles } from '../../src/files/disk.ts';
import { createLog } from '../../src/log.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Collection, Store } from '../../src/store/store.ts';
import { until } from '../../tests/support/until.ts';
import { fileRecords, type FileRecord } from './collections.ts';
import { NO_PROPERTIES } from './result-properties.ts';
import { createFilesService } from './service.ts';
import { createTestMark } from './test-mark/test-mark.ts';

test('a deletion succeeds even if the search for due deletions runs at the same time', async () => {
  let searches = 0;
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'test.sqlite') });
  const records = await store.collection(fileRecords);
  const slow: Collection<FileRecord> = {
    ...records,
    delete: async (where) => {
      // The caller's deletion names the account; the search for due deletions does not.
      if ('accountId' in where) {
        const before = searches;
        await until(() => searches > before + 2);
      }
      return records.delete(where);
    },
  };
  const watched: Store = {
    ...store,
    collection: async (spec) => {
      const collection = await store.collection(spec);
      return { ...collection, find: (query) => ((searches += 1), collection.find(query)) };
    },
  };
  const deletions = await openDeletions({ store: watched, log: createLog({ level: 'silent' }), pollMs: 5 });
  const service = createFilesService({
    records: slow,
    files: createDiskFiles({ directory: join(folder, 'files'), sign: () => '' }),
    deletions,
    webhooks: { outbox: () => ({ report() {}, store: async () => {} }), delete: async () => {} },
    plans: DEFAULT_PLANS,
    testMark: createTestMark({ load: () => ({}) } as never),
  });
  deletions.start();
  const account = { id: 'acct_1' } as never;
  const file = { account, operation: 'upload', pdf: new Uint8Array(9), pages: 1, properties: NO_PROPERTIES };
  const { id } = await service.save(file);
  await service.remove('acct_1', id);
  expect(await records.count()).toBe(0);
  await deletions.stop();
  await store.close();
  await rm(folder, { recursive: true });
});
