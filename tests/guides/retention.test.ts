import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '../../src/assembly.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openFiles, openState } from '../../src/state.ts';
import { guidesFolder } from './guide.ts';

setDefaultTimeout(60_000);

/** Lists the collections that a service with all plugins opens, and the kinds of data of accounts. */
async function readRegistry(): Promise<{ collections: string[]; kinds: string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
  try {
    const config = loadConfig({ env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, cwd: dataDir });
    const collections: string[] = [];
    const state: typeof openState = async (settings) => {
      const { store, makeLimiter } = await openState(settings);
      const collection: typeof store.collection = (spec) => {
        collections.push(spec.name);
        return store.collection(spec);
      };
      return { store: { ...store, collection }, makeLimiter };
    };
    await using assembly = await assemble(config, createLog({ level: 'silent' }), () => 'http://localhost', {
      state,
      files: openFiles,
    });
    return { collections, kinds: assembly.accountData.map(({ name }) => name) };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

test('docs/guides/retention.md has a line for each collection and names each file of an export', async () => {
  const text = await Bun.file(join(guidesFolder, 'retention.md')).text();
  const section = /## What is stored\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  // The first two columns are the data and the place.
  const places = [...section.matchAll(/^\|[^|]*\|([^|]*)\|/gm)].map(([, place = '']) => place);
  const named = places.flatMap((place) => [...place.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
  const { collections, kinds } = await readRegistry();
  // Counters on MongoDB do not belong to the store.
  expect(named.toSorted()).toEqual([...new Set(collections), 'rate_limits'].toSorted());

  const [, exports = ''] = /## Export\n([\s\S]*?)\n## /.exec(text) ?? [];
  const exported = [...exports.matchAll(/`([a-z-]+)\.json`/g)];
  expect(exported.map(([, name = '']) => name).toSorted()).toEqual(['account', ...kinds].toSorted());
});
