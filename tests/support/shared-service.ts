import { afterAll, beforeAll } from 'bun:test';
import { TestService, type TestSettings } from './service.ts';

const START_TIMEOUT_MS = 60_000;

let defaultService: Promise<TestService> | undefined;

async function startDefaultService(): Promise<TestService> {
  const service = await TestService.start();
  removeAtExit(service.dataDir);
  return service;
}

/** Removes a folder when this process has ended, however it ends. Bun's test runner calls no handlers at exit. */
function removeAtExit(folder: string): void {
  const command = 'cat > /dev/null; sleep 2; exec rm -rf -- "$1"';
  Bun.spawn(['sh', '-c', command, 'sh', folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref();
}

/**
 * Returns a function that returns a service for all tests of a file. Call the returned function only inside tests: the service exists from
 * `beforeAll` to `afterAll`. With default settings, all files of a process share one service, and each file gets an account and a key.
 */
export function sharedService(settings?: TestSettings): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    if (settings) service = await TestService.start(settings);
    else service = await (await (defaultService ??= startDefaultService())).forNewAccount();
  }, START_TIMEOUT_MS);
  // The service with default settings ends with the process.
  if (settings) afterAll(() => service?.[Symbol.asyncDispose](), START_TIMEOUT_MS);
  return () => {
    if (!service) throw new Error('the service is not started');
    return service;
  };
}
