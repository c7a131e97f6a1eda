import { expect } from 'bun:test';
import type { ApiResponse, TestService } from '../service/service.ts';

/** The longest time for which a result for a test key is kept. */
export const TEST_LIFETIME_MS = 24 * 60 * 60_000;

/** Sends requests with test keys. Call its methods only inside tests. */
export class TestKeyClient {
  readonly #service: () => TestService;
  #key: Promise<string> | undefined;

  constructor(service: () => TestService) {
    this.#service = service;
  }

  /** Returns a test key of the account of the service. */
  key(): Promise<string> {
    return (this.#key ??= this.#service().newKeyOfAccount({ test: true }));
  }

  /** Sends a request with a test key of the service's account, and expects it to succeed. */
  async send(path: string, body: object): Promise<ApiResponse['body']> {
    const { status, body: answer } = await this.#service().post(path, body, await this.key());
    expect([status, answer.error]).toEqual([200, undefined]);
    return answer;
  }

  /** Returns keys of a new account with the plan `starter`, which allows the requests of tests that wait. */
  async newKeys(): Promise<{ live: string; testKey: string }> {
    const email = `${crypto.randomUUID()}@example.com`;
    const live = await this.#service().newKey('starter', email);
    const { accounts } = this.#service();
    const account = await accounts.findByEmail(email);
    if (!account) throw new Error('the account does not exist');
    const { key } = await accounts.createKey(account, 'tests', { limits: { test: true } });
    return { live, testKey: key };
  }
}
