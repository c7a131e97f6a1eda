import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskFiles } from '../../src/files/disk.ts';
import { openFileWrites } from '../../src/files/file-writes.ts';
import { FileOwners, openOrphanSweep } from '../../src/files/orphans.ts';
import type { FileStore } from '../../src/files/files.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { workContext } from '../../src/work-context.ts';
import { deployments } from '../support/jobs/job-deployment.ts';

const MINUTE_MS = 60_000;
const log = createLog({ level: 'silent' });

afterEach(() => {
  setSystemTime();
});

function openDisk(): FileStore & Disposable {
  const directory = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const files = createDiskFiles({ directory, sign: () => '' });
  return { ...files, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

/**
 * Opens the memory of one process. `named` are the files that records name; `null` means that their plugin is
 * off.
 */
async function openProcess(parts: { store: Store; files: FileStore }, named: ReadonlySet<string> | null) {
  const owners = new FileOwners();
  if (named) owners.register('render', async (ids) => ids.filter((id) => named.has(id)));
  owners.register('other', async () => []);
  await (await openOrphanSweep({ ...parts, owners, log, pauseMs: 0 })).sweep();
  return openFileWrites({ ...parts, owners, log });
}

async function listed(files: FileStore): Promise<string[]> {
  const pages = await Array.fromAsync(files.list());
  return pages.flat().map(({ id }) => id);
}

/** Stores a file for an account, as a request does. */
async function putFor(accountId: string, files: FileStore): Promise<string> {
  const id = newId('file_');
  const context = { log: {}, account: accountId, urgency: 'caller', signal: undefined } as const;
  await workContext.run(context, () => files.put(id, new Uint8Array(1)));
  return id;
}

describe.each(deployments)(
  'a file whose process was killed before it stored the record, on %s',
  (_, open) => {
    test('is deleted 15 minutes later by the next process, and files with records stay', async () => {
      await using deployment = await open();
      using disk = openDisk();
      const parts = { store: deployment.store, files: disk };
      const named = new Set<string>();
      const killed = await openProcess(parts, named);
      await putFor('acct_a', killed.files);
      const kept = await putFor('acct_a', killed.files);
      named.add(kept);
      const next = await openProcess(parts, named);
      setSystemTime(Date.now() + 14 * MINUTE_MS);
      await next.settle();
      expect(await listed(disk)).toHaveLength(2);
      setSystemTime(Date.now() + 2 * MINUTE_MS);
      await next.settle();
      expect(await listed(disk)).toEqual([kept]);
      expect(await next.accountData.count('acct_a')).toBe(0);
    });

    test('is erased with its account, at once', async () => {
      await using deployment = await open();
      using disk = openDisk();
      const named = new Set<string>();
      const writes = await openProcess({ store: deployment.store, files: disk }, named);
      await putFor('acct_a', writes.files);
      const other = await putFor('acct_b', writes.files);
      expect(await writes.accountData.count('acct_a')).toBe(1);
      const exported = (await Array.fromAsync(writes.accountData.read('acct_b'))).flat();
      expect(exported.map(({ record }) => record['id'])).toEqual([other]);
      await writes.accountData.delete('acct_a');
      expect(await listed(disk)).toEqual([other]);
      expect(await writes.accountData.count('acct_a')).toBe(0);
    });

    test('is kept while a plugin that stored files is off', async () => {
      await using deployment = await open();
      using disk = openDisk();
      const parts = { store: deployment.store, files: disk };
      const id = await putFor('acct_a', (await openProcess(parts, new Set())).files);
      setSystemTime(Date.now() + 20 * MINUTE_MS);
      await (await openProcess(parts, null)).settle();
      expect(await listed(disk)).toEqual([id]);
    });
  },
);

test('a file that the database could not remember does not exist', async () => {
  using disk = openDisk();
  const ready = Promise.reject(new Error('the database is away'));
  const failure = await disk.put(newId('file_'), new Uint8Array(1), ready).catch((error: unknown) => error);
  expect(failure).toEqual(new Error('the database is away'));
  expect(await listed(disk)).toEqual([]);
});
