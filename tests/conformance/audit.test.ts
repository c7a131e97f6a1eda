import { afterAll, afterEach, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoredAuditLog, type AuditFilter } from '../../src/audit/audit-log.ts';
import type { Actor, AuditAction } from '../../src/audit/entry.ts';
import type { AuditSource } from '../../src/audit/pending-entries.ts';
import { createLog } from '../../src/log.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { StoreUnavailableError, type Store } from '../../src/store/store.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  setSystemTime();
});

const newPath = () => join(folder, `${crypto.randomUUID()}.sqlite`);
const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: newPath() })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

const silent = createLog({ level: 'silent' });
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEY: Actor = { type: 'key', id: 'key_1', name: 'Web shop' };
const COMMAND: Actor = { type: 'command', id: null, name: 'platen keys revoke' };

function sourceOf(action: AuditAction, fields: Partial<AuditSource> = {}): AuditSource {
  return { account: 'ann', actor: KEY, action, usesReserve: false, ...fields };
}

describe.each(stores)('the audit log on %s', (_, open) => {
  async function start(days = 365) {
    const store = await open();
    const audit = await StoredAuditLog.open(store, { days, log: silent });
    const record = (action: AuditAction, fields: Partial<AuditSource> = {}) =>
      audit.during(sourceOf(action, fields), async () => undefined);
    const list = async (account: string, filter: AuditFilter = {}) =>
      (await audit.list(account, { limit: 100, ...filter })).records;
    return { store, audit, record, list, [Symbol.asyncDispose]: () => store.close() };
  }

  test('shows an account only its own entries, newest first', async () => {
    await using log = await start();
    for (const [n, account] of ['ann', 'bob', 'ann'].entries()) {
      setSystemTime(1_000_000 + n);
      await log.record('key.created', { account, target: `key_${n}` });
    }
    expect((await log.list('ann')).map(({ target }) => target)).toEqual(['key_2', 'key_0']);
    expect((await log.list('bob')).map(({ target }) => target)).toEqual(['key_1']);
    expect(await log.list('eve')).toEqual([]);
    const [foreign] = await log.list('bob');
    const beside = log.audit.list('ann', { limit: 5, startingAfter: foreign?.id });
    expect(await beside.catch((error: Error) => error.name)).toBe('UnknownPositionError');
  });

  test('selects entries by actor, action and time', async () => {
    await using log = await start();
    setSystemTime(1_000);
    await log.record('key.created', { target: 'a' });
    setSystemTime(2_000);
    await log.record('key.revoked', { target: 'b', actor: COMMAND });
    setSystemTime(3_000);
    await log.record('keyring.opened', { target: 'c', actor: { type: 'member', id: 'ann', name: 'Ann' } });
    const targets = async (filter: AuditFilter) =>
      (await log.list('ann', filter)).map(({ target }) => target).join('');
    expect(await targets({ actor: 'key_1' })).toBe('a');
    expect(await targets({ actor: 'command' })).toBe('b');
    expect(await targets({ actor: 'ann' })).toBe('c');
    expect(await targets({ action: 'key.revoked' })).toBe('b');
    expect(await targets({ action: 'key.*' })).toBe('ba');
    expect(await targets({ action: '*' })).toBe('');
    expect(await targets({ since: 2_000 })).toBe('cb');
    expect(await targets({ until: 2_000 })).toBe('a');
    expect(await targets({ since: 1_500, until: 3_000, action: 'key.*', actor: 'command' })).toBe('b');
  });

  test('reads all entries in pages, while others are added', async () => {
    await using log = await start();
    for (let n = 0; n < 12; n += 1)
      await log.audit.during(sourceOf('key.renamed', { action: undefined }), (change) =>
        change.describe(
          ...Array.from({ length: 100 }, (__, m) => ({
            action: 'key.renamed' as const,
            target: `${n}.${m}`,
          })),
        ),
      );
    const seen = new Set<string | null>();
    for await (const page of log.audit.read('ann', {})) {
      for (const { target } of page) seen.add(target);
      await log.record('key.created', { target: 'later' });
    }
    expect(seen.size).toBe(1200);
  });

  test('a change whose process died is shown after ten minutes, with an unknown outcome', async () => {
    await using log = await start();
    setSystemTime(DAY_MS);
    // The process dies after this.
    await log.audit.prepare(sourceOf('key.revoked', { target: 'key_9' })).begin();
    const slow = log.audit.prepare(sourceOf('key.created', { target: 'key_8' }));
    await slow.begin();
    setSystemTime(DAY_MS + 9 * MINUTE_MS);
    await log.audit.settle();
    expect(await log.list('ann')).toEqual([]);
    setSystemTime(DAY_MS + 11 * MINUTE_MS);
    await log.audit.settle();
    expect(await log.list('ann', { action: 'key.revoked' })).toMatchObject([
      { at: new Date(DAY_MS).toISOString(), target: 'key_9', outcome: 'unknown' },
    ]);
    // A slower change than any is completed after all, and a shown entry is not deleted.
    await slow.fail({ changedNothing: true });
    expect((await log.list('ann')).length).toBe(2);
    await slow.complete();
    expect(await log.list('ann', { action: 'key.created' })).toMatchObject([{ outcome: 'completed' }]);
  });

  test('a change that fails in the middle is unknown, and one that was refused leaves no entry', async () => {
    await using log = await start();
    const fail = (isRefusal: boolean) =>
      log.audit
        .during(sourceOf('key.created'), () => Promise.reject(new Error('no')), {
          isRefusal: () => isRefusal,
        })
        .catch((error: Error) => error.message);
    expect(await fail(true)).toBe('no');
    expect(await log.list('ann')).toEqual([]);
    expect(await fail(false)).toBe('no');
    expect(await log.list('ann')).toMatchObject([{ outcome: 'unknown' }]);
  });

  test('a change without an account or an action is not begun', async () => {
    await using log = await start();
    let made = false;
    const begun = log.audit.during(sourceOf('key.created', { account: undefined }), async (change) => {
      await change.describe({ target: 'key_1' });
      made = true;
    });
    expect(await begun.catch((error: Error) => error.message)).toBe(
      'an audit entry needs an account, an actor and an action',
    );
    expect(made).toBe(false);
  });

  test('entries end after the configured days', async () => {
    await using log = await start(2);
    setSystemTime(DAY_MS);
    await log.record('key.created');
    setSystemTime(3 * DAY_MS - 1);
    expect((await log.list('ann')).length).toBe(1);
    setSystemTime(3 * DAY_MS + 1);
    expect(await log.list('ann')).toEqual([]);
  });

  test('an erased account leaves no entry, also none that is completed later', async () => {
    await using log = await start();
    await log.record('key.created');
    await log.record('key.created', { account: 'bob' });
    const erasing = log.audit.prepare(sourceOf('account.erased'));
    await erasing.begin();
    const data = log.audit.accountData;
    expect(await data.count('ann')).toBe(2);
    const exported = [];
    for await (const page of data.read('ann')) exported.push(...page.map(({ record }) => record));
    expect(exported).toMatchObject([{ action: 'key.created' }, { action: 'account.erased' }]);
    await data.delete('ann');
    await erasing.complete();
    expect([await data.count('ann'), await data.count('bob')]).toEqual([0, 1]);
  });
});

test('on an almost full disk, deletions are recorded, and other changes are refused before they begin', async () => {
  const guard = { admits: () => false, release: () => false };
  const store = createSqliteStore({ path: newPath(), guard });
  const audit = await StoredAuditLog.open(store, { days: 1, log: silent });
  let changes = 0;
  const change = async () => {
    changes += 1;
  };
  const refused = await audit.during(sourceOf('key.created'), change).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnavailableError);
  expect(changes).toBe(0);
  await audit.during(sourceOf('key.revoked', { usesReserve: true }), change);
  expect(changes).toBe(1);
  const { records } = await audit.list('ann', { limit: 10 });
  expect(records).toMatchObject([{ action: 'key.revoked', outcome: 'completed' }]);
  await store.close();
});

test('the entries of a change that cannot be completed stay pending, and the change succeeds', async () => {
  const store = createSqliteStore({ path: newPath() });
  const audit = await StoredAuditLog.open(store, { days: 1, log: silent });
  expect(await audit.during(sourceOf('key.created'), () => store.close().then(() => 'made'))).toBe('made');
});
