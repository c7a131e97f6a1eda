import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskFiles } from '../../src/files/disk.ts';
import type { FileStore } from '../../src/files/files.ts';
import { FileOwners, openOrphanSweep } from '../../src/files/orphans.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { deployments } from '../support/jobs/job-deployment.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const log = createLog({ level: 'silent' });

afterEach(() => {
  setSystemTime();
});

function openFiles(): FileStore & Disposable {
  const directory = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const files = createDiskFiles({ directory, sign: () => '' });
  return { ...files, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

async function listed(files: FileStore): Promise<string[]> {
  return (await Array.fromAsync(files.list()))
    .flat()
    .map(({ id }) => id)
    .toSorted();
}

/**
 * Opens the sweep of one process. `owned` are the files that its records name; `null` means that the plugin
 * is off.
 */
function openSweep(parts: { store: Store; files: FileStore }, owned: readonly string[] | null) {
  const owners = new FileOwners();
  if (owned) owners.register('render', async (ids) => ids.filter((id) => owned.includes(id)));
  owners.register('other', async () => []);
  return openOrphanSweep({ ...parts, owners, log, pauseMs: 0 });
}

async function putFiles(files: FileStore, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('file_'));
  for (const id of ids) await files.put(id, new Uint8Array(1));
  return ids;
}

describe.each(deployments)('files without a record on %s', (_, open) => {
  test('are deleted when their links have expired, and others are kept', async () => {
    await using deployment = await open();
    using files = openFiles();
    const ids = await putFiles(files, 5);
    await files.put('backup_of_something', new Uint8Array(1));
    const owned = ids.slice(0, 2);
    const sweep = await openSweep({ store: deployment.store, files }, owned);
    expect(await sweep.sweep()).toBe(0);
    setSystemTime(Date.now() + 29 * DAY_MS);
    expect(await sweep.sweep()).toBe(0);
    expect(await listed(files)).toHaveLength(6);
    setSystemTime(Date.now() + 2 * DAY_MS);
    expect(await sweep.sweep()).toBe(3);
    expect(await listed(files)).toEqual([...owned, 'backup_of_something'].toSorted());
  });

  test('are swept once a day by one of the processes', async () => {
    await using deployment = await open();
    using files = openFiles();
    const parts = { store: deployment.store, files };
    const sweeps = [await openSweep(parts, []), await openSweep(parts, [])];
    for (const sweep of sweeps) await sweep.sweep();
    await putFiles(files, 4);
    setSystemTime(Date.now() + 31 * DAY_MS);
    const deleted = await Promise.all(sweeps.map((sweep) => sweep.sweep()));
    expect(new Set(deleted)).toEqual(new Set([0, 4]));
    const sweptAt = Date.now();
    // The disk dates the file with the real time, so it is old enough to be swept.
    await putFiles(files, 1);
    setSystemTime(sweptAt + 23 * HOUR_MS);
    for (const sweep of sweeps) expect(await sweep.sweep()).toBe(0);
    setSystemTime(sweptAt + 25 * HOUR_MS);
    expect(await sweeps[0]?.sweep()).toBe(1);
    expect(await sweeps[1]?.sweep()).toBe(0);
  });

  test('are kept for 30 days on a new database, which knows no file', async () => {
    await using deployment = await open();
    using files = openFiles();
    await putFiles(files, 3);
    setSystemTime(Date.now() + 100 * DAY_MS);
    const sweep = await openSweep({ store: deployment.store, files }, []);
    expect(await sweep.sweep()).toBe(0);
    setSystemTime(Date.now() + 31 * DAY_MS);
    expect(await sweep.sweep()).toBe(3);
  });

  test('are kept while a plugin whose records named files is off', async () => {
    await using deployment = await open();
    using files = openFiles();
    const parts = { store: deployment.store, files };
    const owned = await putFiles(files, 2);
    await (await openSweep(parts, owned)).sweep();
    setSystemTime(Date.now() + 31 * DAY_MS);
    expect(await (await openSweep(parts, null)).sweep()).toBe(0);
    expect(await listed(files)).toEqual(owned.toSorted());
  });
});
