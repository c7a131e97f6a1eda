import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PLANS } from '../accounts/plans.ts';
import { openDeletions } from '../deletions.ts';
import { createDiskFiles } from '../files/disk.ts';
import { createLog } from '../log.ts';
import { createResultPropertiesReader, NO_PROPERTIES } from '../result-record.ts';
import { createSqliteStore } from '../store/sqlite.ts';
import type { Collection } from '../store/store.ts';
import { createPdfFiles } from './pdf-files.ts';
import { fileRecords, type FileRecord } from './records.ts';

test('a deletion succeeds even if the search for due deletions runs at the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'test.sqlite') });
  const records = await store.collection(fileRecords);
  const slow: Collection<FileRecord> = {
    ...records,
    delete: async (where) => {
      // The caller's deletion names the account; the search for due deletions does not.
      if ('accountId' in where) await Bun.sleep(100);
      return records.delete(where);
    },
  };
  const deletions = await openDeletions({ store, log: createLog({ level: 'silent' }), pollMs: 5 });
  const pdfFiles = createPdfFiles({
    records: slow,
    files: createDiskFiles({ directory: join(folder, 'files'), sign: () => '' }),
    deletions,
    resultProperties: createResultPropertiesReader(DEFAULT_PLANS),
    resolvers: new Map(),
  });
  deletions.start();
  const account = { id: 'acct_1' } as never;
  const file = { account, operation: 'upload', pdf: new Uint8Array(9), pages: 1, properties: NO_PROPERTIES };
  const { id } = await pdfFiles.save(file);
  await pdfFiles.remove('acct_1', id);
  expect(await records.count()).toBe(0);
  await deletions.stop();
  await store.close();
  await rm(folder, { recursive: true });
});
