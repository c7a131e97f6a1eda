import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen, ServiceProcess } from '../support/service/process.ts';
import { s3Server } from '../support/service/s3-server.ts';
import { mongoServer } from '../support/service/servers.ts';
import { servesPdf } from '../support/pdf/served-pdf.ts';
import { serversEnv } from '../support/service/service.ts';

setDefaultTimeout(90_000);
const available = (await mongoServer()) !== undefined && (await s3Server()) !== undefined;

/** One of several services that share MongoDB and S3; each has its own data directory. */
interface Replica {
  process: ServiceProcess;
  url: string;
}

let env: Record<string, string> = {};
const directories: string[] = [];
const replicas: Replica[] = [];

async function ownEnv(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  directories.push(directory);
  return { ...env, DATA_DIR: directory, LOG_LEVEL: 'error' };
}

async function startReplica(): Promise<Replica> {
  const process = new ServiceProcess(await ownEnv());
  return { process, url: await process.ready() };
}

async function command(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await platen(args, await ownEnv());
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

const newKey = (email: string, plan = 'enterprise') =>
  command('keys', 'create', '--email', email, '--plan', plan);

async function call(replica: Replica | undefined, path: string, key: string, content?: object) {
  const response = await fetch(`${replica?.url}${path}`, {
    method: content ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
  const body: any = await response.json();
  return { status: response.status, headers: response.headers, body };
}

describe.if(available)('two replicas over one MongoDB and one S3', () => {
  beforeAll(async () => {
    env = await serversEnv();
    // Both start at once on an empty database, and must tolerate each other's index creation.
    replicas.push(...(await Promise.all([startReplica(), startReplica()])));
  }, 90_000);
  afterAll(async () => {
    for (const { process } of replicas) process.kill('SIGTERM');
    await Promise.all(replicas.map(({ process }) => process.exited));
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  }, 60_000);

  test('a key from the command line works on both, and a PDF made by one is served by the other', async () => {
    const [a, b] = replicas;
    const key = await newKey('ann@example.com');
    const made = await call(a, '/v1/generate', key, { html: '<p>Hello</p>' });
    expect(made.status).toBe(200);
    const read = await call(b, `/v1/generations/${made.body.id}`, key);
    expect(read.body).toMatchObject({ id: made.body.id, status: 'completed', pages: 1 });
    expect(await servesPdf(read.body.url)).toBe(true);
    const { body: list } = await call(b, '/v1/generations', key);
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
  });

  test("together they enforce the plan's rate limit", async () => {
    const key = await newKey('free@example.com', 'free');
    const deadline = Date.now() + 4_000;
    const startedAt = performance.now();
    const statuses: number[] = [];
    const ask = async (index: number) => {
      while (Date.now() < deadline) {
        const { status, headers } = await call(replicas[index % 2], '/v1/generations', key);
        statuses.push(status);
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        await Bun.sleep(5);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(ask));
    // A window begins with a request and lasts a second, so at most this many windows have begun.
    const windows = Math.floor((performance.now() - startedAt) / 1000) + 1;
    const admitted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses).toContain(429);
    expect(admitted).toBeLessThanOrEqual(1.1 * 10 * windows);
    expect(admitted).toBeGreaterThanOrEqual(10);
  });

  test('together they never exceed the quota', async () => {
    const key = await newKey('quota@example.com', 'pro');
    await command('accounts', 'set', '--email', 'quota@example.com', '--monthly-limit', '25');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        call(replicas[index % 2], '/v1/generate', key, { html: `${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(25);
    expect(statuses.filter((status) => status === 403).length).toBe(35);
  });

  test('a replica killed under load loses no completed generation', async () => {
    const key = await newKey('load@example.com');
    const victim = await startReplica();
    const [survivor] = replicas;
    const answered: string[] = [];
    let after = 0;
    const kill = { done: false };
    const work = async (replica: Replica | undefined) => {
      for (let round = 0; round < 200 && (after < 10 || !kill.done); round += 1) {
        const answer = await call(replica, '/v1/generate', key, { html: `<p>${round}</p>` }).catch(
          () => null,
        );
        if (!answer) return;
        expect(answer.status).toBe(200);
        answered.push(answer.body.id);
        if (kill.done && replica === survivor) after += 1;
      }
    };
    const load = Promise.all([victim, victim, survivor, survivor].map(work));
    while (answered.length < 20) await Bun.sleep(10);
    victim.process.kill('SIGKILL');
    kill.done = true;
    await load;
    expect(after).toBeGreaterThanOrEqual(10);
    const reads = await Promise.all(answered.map((id) => call(survivor, `/v1/generations/${id}`, key)));
    expect(reads.filter(({ body }) => body.status !== 'completed')).toEqual([]);
    const pdfs = await Promise.all(reads.map(({ body }) => servesPdf(body.url)));
    expect(pdfs.filter((good) => !good)).toEqual([]);
  });
});
