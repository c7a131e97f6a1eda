import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { generations } from './collections.ts';
import type { Generation } from './contract.ts';
import { findPage } from './deep-page.ts';
import { blankGeneration } from './generation.ts';
import { generationQuery } from './generation-query.ts';

test('a page at a large offset equals the page that a single query finds, also among records of the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'platen.sqlite') });
  try {
    const stored = await store.collection(generations);
    const records = Array.from({ length: 90 }, (_, index): Generation => ({
      ...blankGeneration({
        id: `gen_${(index * 37) % 90}`,
        inputType: 'html',
        templateId: null,
        output: 'url',
      }),
      accountId: index % 9 === 8 ? 'acct_2' : 'acct_1',
      status: index % 3 === 0 ? 'failed' : 'completed',
      // One record per time, then five, then more than a stride.
      createdAt: index < 30 ? index : index < 60 ? 30 + Math.floor(index / 5) : 100,
    }));
    await stored.insertMany(records);
    for (const filter of [{}, { status: 'failed' } as const])
      for (let offset = 0; offset < 95; offset += 1) {
        const query = generationQuery('acct_1', { ...filter, limit: 6, offset });
        expect(await findPage(stored, query, 7)).toEqual(await stored.find(query));
      }
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
