import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPage } from './find-page.ts';
import { createSqliteStore } from './sqlite.ts';

interface Entry {
  id: string;
  owner: string;
  status: string;
  createdAt: number;
}

test('a page at any offset equals the page of a plain query, also among records of the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'platen.sqlite') });
  try {
    const entries = await store.collection<Entry>({ name: 'entries' });
    const records = Array.from({ length: 90 }, (_, index) => ({
      id: `entry_${(index * 37) % 90}`,
      owner: index % 9 === 8 ? 'b' : 'a',
      status: index % 3 === 0 ? 'failed' : 'completed',
      // One by one, then five at a time, then more than a stride at once.
      createdAt: index < 30 ? index : index < 60 ? 30 + Math.floor(index / 5) : 100,
    }));
    await entries.insertMany(records);
    const order = { createdAt: 'desc', id: 'desc' } as const;
    const range = { createdAt: { gte: 20, lt: 100 } };
    for (const filter of [{}, { status: 'failed' }, range, { createdAt: { lte: 100 } }])
      for (let offset = 0; offset < 95; offset += 1) {
        const query = { where: { owner: 'a', ...filter }, limit: 6, offset };
        expect(await findPage(entries, query, 7)).toEqual(await entries.find({ ...query, order }));
      }
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
