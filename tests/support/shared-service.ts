import { afterAll, beforeAll } from 'bun:test';
import { TestService, type TestSettings } from './service.ts';

/** Starts one service for all tests of a file. Read it inside tests only: it exists from `beforeAll` to `afterAll`. */
export function sharedService(settings: TestSettings = {}): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await TestService.start(settings);
  }, 30_000);
  afterAll(() => service?.[Symbol.asyncDispose](), 30_000);
  return () => {
    if (!service) throw new Error('the service is not started');
    return service;
  };
}
