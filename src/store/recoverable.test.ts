import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from './sqlite.ts';
import type { CollectionSpec } from './store.ts';

interface Note {
  id: string;
  text: string;
}

const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['every write', {}, [1, 1, 1]],
  ['inserts only, if changes are recoverable', { hasRecoverableChanges: true }, [1, 0, 0]],
  ['no write, if documents are recoverable', { isRecoverable: true }, [0, 0, 0]],
])('the disk is awaited by %s', async (_, flags, expected) => {
  let syncs = 0;
  const log = { sync: async () => void (syncs += 1), close() {} };
  const store = createSqliteStore({ path: join(folder, 'platen.db'), log });
  const spec: CollectionSpec<Note> = { name: 'notes', ...flags };
  const notes = await store.collection(spec);
  const syncsOf = async (write: Promise<unknown>) => {
    const before = syncs;
    expect(await write).not.toBe(null);
    return syncs - before;
  };
  expect([
    await syncsOf(notes.insert({ id: 'a', text: 'old' })),
    await syncsOf(notes.update({ id: 'a' }, { text: 'new' })),
    await syncsOf(notes.delete({ id: 'a' })),
  ]).toEqual(expected);
  expect(await notes.count()).toBe(0);
  await store.close();
});
