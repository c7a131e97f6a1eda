import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import {
  KeyLeases,
  IDEMPOTENCY_LIFETIME_MS,
  type Attempt,
  type KeyOutcome,
} from '../../src/idempotency/key-leases.ts';
import { keyRecords } from '../../src/idempotency/key-record.ts';
import type { KeptResponse } from '../../src/idempotency/kept-response.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { rejection } from '../support/rejection.ts';

const log = createLog({ level: 'silent' });
const deriveKey = (purpose: string) => Bun.SHA256.hash(purpose, 'hex');
const kept: KeptResponse = {
  status: 201,
  headers: { 'platen-pages': '1' },
  body: { kind: 'json', text: '{"id":"gen_1"}', files: [] },
};

afterEach(() => {
  setSystemTime();
});

/** Claims a key as one process on a database does. */
async function openProcess(store: Store) {
  const leases = await KeyLeases.open(store, deriveKey, log);
  const claim = (changes: { accountId?: string; key?: string; body?: string; target?: string } = {}) => {
    const { accountId = 'acct_1', key = 'k', body = '{}', target = '/v1/generate' } = changes;
    const request = { method: 'POST', target, contentType: 'application/json', body: Buffer.from(body) };
    return leases.claim({ accountId, key, request });
  };
  return { leases, claim };
}

function attemptOf(outcome: KeyOutcome): Attempt {
  if (!('attempt' in outcome)) throw new Error('the request was not allowed to run');
  return outcome.attempt;
}

describe.each(deployments)('idempotency keys on %s', (_, open) => {
  test('one of many concurrent requests in two processes runs; the others wait, and then get its response', async () => {
    await using deployment = await open();
    const processes = [await openProcess(deployment.store), await openProcess(deployment.store)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_item, index) => processes[index % 2]!.claim()),
    );
    const running = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [attemptOf(each.value)] : []));
    expect(running.length).toBe(1);
    for (const each of outcomes.filter(({ status }) => status === 'rejected'))
      expect(each).toMatchObject({ reason: { code: 'CONFLICT', retryAfterSeconds: 1 } });
    await running[0]!.keep(kept);
    for (const { claim } of processes) expect(await claim()).toEqual({ earlier: kept });
  });

  test('a key is bound to the request and the account', async () => {
    await using deployment = await open();
    const { claim } = await openProcess(deployment.store);
    await attemptOf(await claim()).keep(kept);
    for (const change of [{ body: '{ }' }, { target: '/v1/generate?a=1' }, { target: '/v1/images' }]) {
      expect(await rejection(claim(change))).toMatchObject({
        code: 'IDEMPOTENCY_MISMATCH',
        message: expect.stringContaining('POST /v1/generate at 20'),
      });
    }
    expect(attemptOf(await claim({ accountId: 'acct_2', body: 'other' })).isRetry).toBe(false);
  });

  test('a released key is free', async () => {
    await using deployment = await open();
    const { claim } = await openProcess(deployment.store);
    await attemptOf(await claim()).release();
    const second = attemptOf(await claim({ body: 'other' }));
    await second.keep(kept);
    await second.release();
    expect(await claim({ body: 'other' })).toEqual({ earlier: kept });
  });

  test('after a crash, one request continues under the same work id once the lease has ended', async () => {
    await using deployment = await open();
    const { store } = deployment;
    const { claim } = await openProcess(store);
    const first = attemptOf(await claim());
    const records = await store.collection(keyRecords);
    // The attempt renews its lease, so its death is a lease in the past.
    await records.update({ leaseUntil: { gt: 0 } }, { leaseUntil: Date.now() - 1 });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => claim()));
    const [second, ...others] = outcomes.flatMap((each) =>
      each.status === 'fulfilled' ? [attemptOf(each.value)] : [],
    );
    expect(others).toEqual([]);
    expect(second).toMatchObject({ isRetry: true, workId: first.workId });
    // The first attempt was only suspended: its response no longer counts.
    await first.keep({ ...kept, status: 200 });
    expect(await rejection(claim())).toMatchObject({ code: 'CONFLICT' });
    await second!.keep(kept);
    expect(await claim()).toEqual({ earlier: kept });
  });

  test('keys expire after 24 hours', async () => {
    await using deployment = await open();
    const { claim } = await openProcess(deployment.store);
    const startedAt = Date.now();
    await attemptOf(await claim()).keep(kept);
    setSystemTime(startedAt + IDEMPOTENCY_LIFETIME_MS - 60_000);
    expect(await claim()).toEqual({ earlier: kept });
    setSystemTime(startedAt + IDEMPOTENCY_LIFETIME_MS + 60_000);
    expect(attemptOf(await claim({ body: 'other' })).isRetry).toBe(false);
  });

  test('the database has neither keys nor requests nor responses in plain text', async () => {
    await using deployment = await open();
    const { store } = deployment;
    const { claim } = await openProcess(store);
    const body = { kind: 'json', text: 'a secret response', files: [] } as const;
    await attemptOf(await claim({ key: 'a secret key', body: 'a secret body' })).keep({ ...kept, body });
    const stored = JSON.stringify(await (await store.collection(keyRecords)).find());
    expect(stored).toContain('POST /v1/generate');
    expect(stored).not.toContain('secret');
  });

  test('a response that is too large is not stored, and a repeated request learns that it succeeded', async () => {
    await using deployment = await open();
    const { claim } = await openProcess(deployment.store);
    const text = 'x'.repeat(5_000_000);
    const noise = Array.from({ length: 100 }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(40_000))).toString('base64'),
    ).join('');
    await attemptOf(await claim()).keep({ ...kept, body: { kind: 'json', text, files: [] } });
    expect(await claim()).toMatchObject({ earlier: { body: { text } } });
    await attemptOf(await claim({ key: 'large' })).keep({
      ...kept,
      body: { kind: 'json', text: noise, files: [] },
    });
    expect(await rejection(claim({ key: 'large' }))).toMatchObject({
      code: 'GONE',
      message: expect.stringContaining('201'),
    });
  });

  test('the keys of an account are exported without secrets and erased', async () => {
    await using deployment = await open();
    const { leases, claim } = await openProcess(deployment.store);
    await attemptOf(await claim()).keep(kept);
    await attemptOf(await claim({ accountId: 'acct_2' })).keep(kept);
    const [keys, use] = leases.accountData;
    for await (const page of keys!.read('acct_1'))
      expect(page).toEqual([
        {
          record: {
            request: 'POST /v1/generate',
            status: 201,
            created_at: expect.any(String),
            expires_at: expect.any(String),
          },
        },
      ]);
    for (const data of [keys!, use!]) {
      expect(await data.count('acct_1')).toBe(1);
      await data.delete('acct_1');
      expect([await data.count('acct_1'), await data.count('acct_2')]).toEqual([0, 1]);
    }
    expect(attemptOf(await claim()).isRetry).toBe(false);
  });
});
