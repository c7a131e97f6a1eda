import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/config.ts';
import { platen, ServiceProcess } from '../../support/service/process.ts';
import { Receiver, verify, type Received } from '../../support/sites/receiver.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const service = sharedService({ env: { EGRESS_ALLOW: receiver.host } });

const secretOf = async (email: string, ...options: string[]) => {
  const args = ['webhooks', 'secret', '--email', email, ...options];
  const { code, stdout, stderr } = await platen(args, service().env);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
};

async function arrived(path: string): Promise<Received> {
  await until(() => receiver.at(path).length > 0);
  return receiver.at(path)[0] as Received;
}

describe('platen webhooks secret', () => {
  test('is stable and differs between accounts', async () => {
    await service().newKey('pro', 'one@example.com');
    await service().newKey('pro', 'two@example.com');
    const secret = await secretOf('one@example.com');
    expect(await secretOf('one@example.com')).toBe(secret);
    expect(await secretOf('two@example.com')).not.toBe(secret);
  });

  test('--rotate creates a new secret, and both secrets sign', async () => {
    const key = await service().newKey('pro', 'rotating@example.com');
    const old = await secretOf('rotating@example.com');
    const fresh = await secretOf('rotating@example.com', '--rotate');
    expect(fresh).not.toBe(old);
    expect(await secretOf('rotating@example.com')).toBe(fresh);
    await service().post('/v1/generate', { html: 'x', webhook: receiver.url('/rotated') }, key);
    const request = await arrived('/rotated');
    expect(request.headers['webhook-signature']?.split(' ').length).toBe(2);
    for (const secret of [old, fresh]) expect(verify(secret, request)).toBeObject();
    const stranger = await secretOf('admin@localhost');
    expect(() => verify(stranger, request)).toThrow('No matching signature');
  });

  test('fails for an unknown account', async () => {
    const args = ['webhooks', 'secret', '--email', 'nobody@example.com'];
    expect(await platen(args, service().env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^platen: the account nobody@example\.com does not exist; the accounts are admin@localhost\b.*\n$/,
      ),
    });
  });

  test('needs no address if the service has one account', async () => {
    const env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'platen-test-')) };
    const secret = () => platen(['webhooks', 'secret'], env);
    expect((await secret()).stderr).toBe('platen: --email is missing; no account exists\n');
    await platen(['accounts', 'create', '--email', 'ann@example.com'], env);
    const { code, stdout } = await secret();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]);
    await platen(['accounts', 'create', '--email', 'bob@example.com'], env);
    expect((await secret()).stderr).toBe(
      'platen: --email is missing; the accounts are ann@example.com, bob@example.com\n',
    );
  });

  test('is neither stored in plain text nor logged, and neither is the query of a URL', async () => {
    await using verbose = new ServiceRun(await mkdtemp(join(tmpdir(), 'platen-test-')));
    const url = await verbose.process.ready();
    const key = await verbose.process.firstKey();
    const answer = await fetch(`${url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ html: 'x', webhook: receiver.url('/logged?token=hidden') }),
    });
    expect(answer.status).toBe(200);
    await arrived('/logged?token=hidden');
    const args = ['webhooks', 'secret', '--email', 'admin@localhost'];
    const secret = (await platen(args, { DATA_DIR: verbose.directory })).stdout.trim();
    expect(secret).toStartWith('whsec_');
    await until(() => verbose.process.stderr.includes('"msg":"webhook delivered"'));
    expect(verbose.process.stderr).not.toContain('hidden');
    expect(verbose.process.stderr).not.toContain(secret.slice(6));
    for (const name of await readdir(verbose.directory)) {
      if (!name.startsWith('platen.sqlite')) continue;
      expect((await readFile(join(verbose.directory, name))).includes(secret.slice(6))).toBe(false);
    }
  });
});

/** A service in its own process, with its data directory. */
class ServiceRun implements AsyncDisposable {
  readonly directory: string;
  readonly process: ServiceProcess;

  constructor(directory: string) {
    this.directory = directory;
    this.process = new ServiceProcess({
      DATA_DIR: directory,
      LOG_LEVEL: 'trace',
      EGRESS_ALLOW: receiver.host,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill('SIGTERM');
    await this.process.exited;
    await rm(this.directory, { recursive: true, force: true });
  }
}

describe('an invalid webhook setting', () => {
  test.each([
    [{ retryDelaysMs: [1, -1] }, 'webhooks.retryDelaysMs[1]'],
    [{ retryDelaysMs: 5 }, 'webhooks.retryDelaysMs'],
    [{ timeoutMs: 5 }, 'webhooks.timeoutMs'],
    [{ retries: 5 }, 'webhooks'],
  ])('%j stops the service at startup', async (webhooks, field) => {
    const started = await TestService.start({ config: { webhooks } }).catch((error: unknown) => error);
    expect(started).toBeInstanceOf(ConfigError);
    expect((started as Error).message).toContain(field);
  });
});
