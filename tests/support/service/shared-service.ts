import { afterAll, beforeAll } from 'bun:test';
import { startTsa } from '../signatures/tsa-server.ts';
import { ALLOWED_HOSTS } from '../sites/allowed-ports.ts';
import { TestService, type TestSettings } from './service.ts';

const START_TIMEOUT_MS = 60_000;

let defaultService: Promise<TestService> | undefined;

let extended: Promise<TestService> | undefined;

/** Starts a service that ends with the process. */
async function startLasting(settings?: TestSettings): Promise<TestService> {
  const service = await TestService.start(settings);
  removeAtExit(service.dataDir);
  return service;
}

async function startExtended(): Promise<TestService> {
  const { url: tsaUrl } = await startTsa();
  return startLasting({
    env: { TRUST_PROXY: '1', EGRESS_ALLOW: ALLOWED_HOSTS },
    config: { plugins: { 'pdf-tools': { protect: true, tsaUrl } } },
  });
}

/**
 * Removes a folder when this process has ended, however it ends. Bun's test runner calls no handlers at exit.
 */
function removeAtExit(folder: string): void {
  const command = 'cat > /dev/null; sleep 2; exec rm -rf -- "$1"';
  Bun.spawn(['sh', '-c', command, 'sh', folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref();
}

/**
 * Returns a function that returns a service for all tests of a file. Call the returned function only inside
 * tests: the service exists from `beforeAll` to `afterAll`. With default settings, all files of a process
 * share one service, and each file gets an account and a key.
 */
export function sharedService(settings?: TestSettings): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    if (settings) service = await TestService.start(settings);
    else service = await (await (defaultService ??= startLasting())).forNewAccount();
  }, START_TIMEOUT_MS);
  // The service with default settings ends with the process.
  if (settings) afterAll(() => service?.[Symbol.asyncDispose](), START_TIMEOUT_MS);
  return () => {
    if (!service) throw new Error('the service is not started');
    return service;
  };
}

/**
 * Returns a function that returns a service that all files of a process share, with a new account for each
 * file. It is behind a reverse proxy, protects PDFs, has a time stamping authority, and reaches servers at an
 * `allowedPort()`, such as every `Receiver`.
 */
export function extendedService(): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await (await (extended ??= startExtended())).forNewAccount();
  }, START_TIMEOUT_MS);
  return () => {
    if (!service) throw new Error('the service is not started');
    return service;
  };
}

/**
 * Returns a function that returns a service for the tests of a file which need its settings. The service
 * starts with the first of them, so that a suite without these tests does not start it.
 */
export function serviceOnDemand(settings: TestSettings): () => Promise<TestService> {
  let service: Promise<TestService> | undefined;
  afterAll(async () => (await service)?.[Symbol.asyncDispose](), START_TIMEOUT_MS);
  return () => (service ??= TestService.start(settings));
}
