import { expect, test } from 'bun:test';
import { generations as generationSpec } from '../../../plugins/render/generations/collections.ts';
import type { Generation } from '../../../plugins/render/contract.ts';
import { loadConfig } from '../../../src/config.ts';
import { fileRecords, type FileRecord } from '../../../plugins/files/collections.ts';
import { NO_PROPERTIES } from '../../../plugins/files/exports.ts';
import { openState } from '../../../src/state.ts';
import type { CollectionSpec } from '../../../src/store/store.ts';
import { serversEnv, TestService } from '../../support/service/service.ts';
import { onMongoAndS3 } from '../../support/suite.ts';

const SIZE = 5;
const CREATED_AT = 1_700_000_000_000;

function generation(id: string, accountId: string, fields: Partial<Generation>): Generation {
  const made = { fileId: null, pages: 1, sizeBytes: 1, generationTimeMs: 1, error: null, attempts: 1 };
  const source = { inputType: 'html', templateId: null, output: 'url', batchId: null, index: null } as const;
  return {
    ...NO_PROPERTIES,
    ...made,
    ...source,
    id,
    accountId,
    status: 'completed',
    createdAt: 0,
    ...fields,
  };
}

function file(id: string, accountId: string, fields: Partial<FileRecord>): FileRecord {
  return {
    ...NO_PROPERTIES,
    id,
    accountId,
    operation: 'merge',
    pages: 1,
    sizeBytes: 1,
    createdAt: 0,
    ...fields,
  };
}

async function start(): Promise<TestService> {
  return TestService.start(onMongoAndS3 ? { env: await serversEnv() } : {});
}

/** Stores records of an account as they are. No deletion is scheduled for them. */
async function insert<T extends { id: string }>(
  service: TestService,
  spec: CollectionSpec<T>,
  records: readonly T[],
): Promise<void> {
  const { store } = await openState(loadConfig({ env: service.env, cwd: service.dataDir }));
  await (await store.collection(spec)).insertMany(records);
  await store.close();
}

async function newAccount(service: TestService): Promise<{ key: string; accountId: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const key = await service.newKey('enterprise', email);
  const account = await service.accounts.findByEmail(email);
  return { key, accountId: account!.id };
}

/** Reads a list as a client does: page by page, while `has_more` is true. */
async function readAll(service: TestService, path: string, key: string): Promise<string[]> {
  const read: string[] = [];
  for (let hasMore = true; hasMore;) {
    const { status, body } = await service.get(`${path}limit=2&offset=${read.length}`, key);
    expect(status).toBe(200);
    // A page with a successor is full; otherwise a client that counts rows would stop.
    if (body.has_more) expect(body.data.length).toBe(2);
    read.push(...body.data.map(({ id }: { id: string }) => id));
    hasMore = body.has_more;
  }
  return read;
}

/** Every set of positions of up to two expired records among five. */
const POSITIONS = Array.from({ length: 2 ** SIZE }, (_, bits) =>
  Array.from({ length: SIZE }, (_item, at) => at).filter((at) => (bits >> at) % 2 === 1),
).filter((positions) => positions.length > 0 && positions.length < 3);

test('lists are complete and end beside expired records at every position', async () => {
  await using service = await start();
  for (const positions of POSITIONS) {
    const { key, accountId } = await newAccount(service);
    const name = `${accountId.slice(-8)}${positions.join('')}`;
    const fieldsOf = (at: number) => ({
      createdAt: CREATED_AT - at,
      expiresAt: positions.includes(at) ? CREATED_AT + 1 : at % 2 === 0 ? null : Date.now() + 3_600_000,
    });
    const indexes = Array.from({ length: SIZE }, (_, at) => at);
    const ids = (prefix: string) => indexes.map((at) => `${prefix}${name}${at}`);
    const visible = (prefix: string) => ids(prefix).filter((_, at) => !positions.includes(at));
    await insert(
      service,
      generationSpec,
      ids('gen_').map((id, at) => generation(id, accountId, fieldsOf(at))),
    );
    await insert(
      service,
      fileRecords,
      ids('file_').map((id, at) => file(id, accountId, fieldsOf(at))),
    );
    expect([positions, await readAll(service, '/v1/generations?', key)]).toEqual([
      positions,
      visible('gen_'),
    ]);
    expect([positions, await readAll(service, '/v1/files?', key)]).toEqual([positions, visible('file_')]);
  }
}, 120_000);

test('the items of a batch are complete beside deleted ones, and an item that waits does not expire', async () => {
  await using service = await start();
  const { key, accountId } = await newAccount(service);
  const { accountId: other } = await newAccount(service);
  const items: Partial<Generation>[] = [
    {},
    { accountId: '' },
    { status: 'queued', expiresAt: CREATED_AT },
    { status: 'completed', expiresAt: CREATED_AT },
    { status: 'processing', expiresAt: CREATED_AT },
    { accountId: '' },
    {},
  ];
  const records = items.map((fields, index) =>
    generation(`gen_item${index}`, accountId, {
      batchId: 'batch_1',
      index,
      createdAt: CREATED_AT - index,
      ...fields,
    }),
  );
  records.push(generation('gen_other', other, { batchId: 'batch_1', createdAt: CREATED_AT }));
  await insert(service, generationSpec, records);
  const visible = ['gen_item0', 'gen_item2', 'gen_item4', 'gen_item6'];
  expect(await readAll(service, '/v1/generations?batch_id=batch_1&', key)).toEqual(visible);
  expect(await readAll(service, '/v1/generations?', key)).toEqual(visible);
});
