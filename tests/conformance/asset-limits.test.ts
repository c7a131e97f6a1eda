import { afterEach, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assets as assetSpec, uploads as uploadSpec } from '../../plugins/assets/collections.ts';
import type { Asset } from '../../plugins/assets/contract.ts';
import { AssetLimits } from '../../plugins/assets/asset-limits.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { newMongoUrl } from '../support/service/servers.ts';
import { onMongoAndS3 } from '../support/suite.ts';

setDefaultTimeout(60_000);
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  setSystemTime();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Opens one database twice, as two processes would. */
async function onSqlite(): Promise<Store[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const open = () => createSqliteStore({ path: join(folder, 'assets.sqlite') });
  return [open(), open()];
}

async function onMongo(): Promise<Store[]> {
  const url = await newMongoUrl();
  return [await createMongoStore({ url }), await createMongoStore({ url })];
}

/** A process that stores assets of 100 bytes in an account with a limit of 400 bytes. */
class Uploader {
  readonly #limits: AssetLimits;
  readonly #assets;

  private constructor(limits: AssetLimits, assets: Awaited<ReturnType<typeof Uploader.collection>>) {
    this.#limits = limits;
    this.#assets = assets;
  }

  static collection(store: Store) {
    return store.collection<Asset>(assetSpec);
  }

  static async open(store: Store): Promise<Uploader> {
    const assets = await Uploader.collection(store);
    const uploads = await store.collection(uploadSpec);
    return new Uploader(new AssetLimits({ assets, uploads, maxAccountBytes: 400 }), assets);
  }

  /** Stores an asset; returns false when the account is at a limit. */
  async save(name: string): Promise<boolean> {
    const fileId = `asset_png_${crypto.randomUUID()}`;
    if (!(await this.reserve(name, fileId))) return false;
    await this.#assets.insert({
      id: fileId,
      accountId: 'acct_1',
      name,
      type: 'png',
      fileId,
      sizeBytes: 100,
      font: null,
      createdAt: 0,
      updatedAt: 0,
    });
    await this.#limits.release('acct_1', fileId);
    return true;
  }

  async reserve(name: string, fileId: string): Promise<boolean> {
    return this.#limits.reserve('acct_1', { name, fileId, sizeBytes: 100 }).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain('the limit is 400');
        return false;
      },
    );
  }

  async total(): Promise<number> {
    return 100 * (await this.#assets.count({ accountId: 'acct_1' }));
  }
}

const stores: [string, () => Promise<Store[]>][] = [onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite]];

describe.each(stores)('the limit on the assets of an account on %s', (_, open) => {
  async function openUploaders(): Promise<[Uploader, Uploader]> {
    const opened = await open();
    for (const store of opened) cleanups.push(() => store.close());
    const [a, b] = await Promise.all(opened.map((store) => Uploader.open(store)));
    if (!a || !b) throw new Error('two stores are needed');
    return [a, b];
  }

  test('is not exceeded by concurrent uploads of several processes', async () => {
    const [a, b] = await openUploaders();
    const saved = await Promise.all(
      [1, 2, 3].flatMap((index) => [a.save(`a${index}.png`), b.save(`b${index}.png`)]),
    );
    expect([saved.filter(Boolean).length, await a.total()]).toEqual([4, 400]);
  });

  test('counts an upload that is not recorded yet for ten minutes, after which its process must have crashed', async () => {
    const [a, b] = await openUploaders();
    for (const name of ['1.png', '2.png', '3.png']) expect(await a.save(name)).toBe(true);
    expect(await a.reserve('4.png', 'asset_png_crashed')).toBe(true);
    expect(await b.save('5.png')).toBe(false);
    setSystemTime(Date.now() + 601_000);
    expect(await b.save('5.png')).toBe(true);
  });
});
