import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startTools,
  ToolTaskError,
  type KillReason,
  type Tools,
  type ToolsOptions,
} from '../../src/tools/pool.ts';

// A hang guard, not an expectation.
setDefaultTimeout(60_000);

const TASKS = new URL('../fixtures/tasks.ts', import.meta.url);
const HANDLEBARS = new URL('../../src/tools/handlebars.ts', import.meta.url);

let tools: Tools;
const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));

afterEach(() => tools.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(options: ToolsOptions = {}) {
  tools = await startTools({ threads: 2, ...options });
  return tools.load<typeof import('../fixtures/tasks.ts')>(TASKS);
}

/** Waits for a rejection and gives its reason. */
async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `no rejection but ${JSON.stringify(await promise)}`;
  } catch (error) {
    return error instanceof ToolTaskError ? error.reason : String(error);
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(10);
}

// A process that is dead but not yet reaped still takes signals; in a container its new parent may never reap it.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function marks(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

test('runs tasks in another process and returns their values', async () => {
  const client = await start();
  const { pid } = await tools.status();
  expect(pid).not.toBe(process.pid);
  expect(await client.linger(0)).toBe(pid ?? 0);
  const value = {
    text: 'ü😀',
    list: [1, null, 2.5],
    date: new Date(0),
    map: new Map([['a', new Uint8Array([1, 2])]]),
  };
  expect(await client.echo(value)).toEqual(value);
  expect(await client.divide({ a: 1, b: 0 })).toEqual({ ok: false, code: 'DIVISION', message: 'b is 0' });
  await tools.ping();
});

test('returns 25 MB unchanged', async () => {
  const client = await start();
  const bytes = new Uint8Array(25_000_000);
  for (let offset = 0; offset < bytes.length; offset += 65_536)
    crypto.getRandomValues(bytes.subarray(offset, offset + 65_536));
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(await client.sha256(bytes)).toBe(hash);
  const { file } = await client.copy({ file: bytes });
  expect(new Bun.CryptoHasher('sha256').update(file).digest('hex')).toBe(hash);
  expect(bytes.length).toBe(25_000_000);
});

test('rejects what a task throws, and what cannot cross, and goes on in the same process', async () => {
  const client = await start();
  const { pid } = await tools.status();
  const error = await client.fail('out of range').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'ToolTaskError',
    reason: 'error',
    cause: { message: 'out of range' },
  });
  expect(await reasonOf(client.uncloneable(undefined))).toBe('error');
  expect(await reasonOf(client.echo(() => {}))).toBe('error'); // not cloneable
  expect(await reasonOf(Reflect.get(client, 'missing')(1))).toBe('error');
  expect(await client.linger(0)).toBe(pid ?? 0);
});

test('runs a task again when the process is killed from outside', async () => {
  const client = await start();
  const file = join(folder, 'outside');
  const marked = client.mark({ file, ms: 20_000 });
  await until(() => marks(file).length === 1);
  const [first = 0] = marks(file);
  process.kill(first, 'SIGKILL');
  const second = await marked;
  expect(second).not.toBe(first);
  expect(marks(file)).toEqual([first, second]);
  expect((await tools.status()).kills).toEqual({ deadline: 0, memory: 0, crash: 1 });
});

test('kills the process of a task that is over its deadline, and spares the neighbour', async () => {
  const killed: KillReason[] = [];
  const client = await start({ onKill: (reason) => killed.push(reason) });
  const file = join(folder, 'deadline');
  const neighbour = client.mark({ file, ms: 20_000 });
  await until(() => marks(file).length === 1);
  expect(await reasonOf(client.spin(undefined, { timeoutMs: 200 }))).toBe('deadline');
  const [first, second] = [marks(file)[0], await neighbour];
  expect(second).not.toBe(first ?? 0);
  expect(await client.linger(0)).toBe(second);
  expect(killed).toEqual(['deadline']);
});

test('finds the task that fills the memory, and spares the neighbour', async () => {
  const client = await start({ maxMemoryBytes: 400_000_000 });
  const neighbour = client.mark({ file: join(folder, 'memory'), ms: 20_000 });
  const hoard = reasonOf(client.hoard(undefined));
  expect(await neighbour).toBeNumber();
  expect(await hoard).toBe('memory');
  expect(await client.echo('next')).toBe('next');
  expect((await tools.status()).kills.memory).toBe(2);
});

test('finds the task that kills its process, and spares the neighbours', async () => {
  const client = await start();
  const file = join(folder, 'crash');
  const neighbour = client.mark({ file, ms: 20_000 });
  await until(() => marks(file).length === 1);
  const outcome = reasonOf(client.die(undefined));
  const queued = [client.echo(1), client.echo(2), client.echo(3)];
  expect(await outcome).toBe('crash');
  expect(await neighbour).toBeNumber();
  expect(await Promise.all(queued)).toEqual([1, 2, 3]);
  expect((await tools.status()).kills.crash).toBe(2);
});

test('replaces a process that dies while nothing runs', async () => {
  const client = await start();
  const { pid = 0 } = await tools.status();
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
  await tools.ping();
  expect(await client.linger(0)).not.toBe(pid);
});

test('refuses a task when the queue is full', async () => {
  const client = await start({ threads: 1, queueLimit: 2 });
  const taken = [client.linger(300), client.echo('a'), client.echo('b')];
  expect(await reasonOf(client.echo('c'))).toBe('busy');
  expect(await tools.status()).toMatchObject({ queued: 2, running: 1 });
  expect((await Promise.all(taken)).slice(1)).toEqual(['a', 'b']);
  expect(await client.echo('d')).toBe('d');
});

test('ends the wait of a caller that gives up, before, in the queue and while the task runs', async () => {
  const client = await start({ threads: 1 });
  expect(await reasonOf(client.echo(1, { signal: AbortSignal.abort() }))).toBe('aborted');

  const running = new AbortController();
  const waiting = new AbortController();
  const file = join(folder, 'abort');
  const first = reasonOf(client.mark({ file, ms: 500 }, { signal: running.signal }));
  const second = reasonOf(client.mark({ file, ms: 0 }, { signal: waiting.signal }));
  await until(() => marks(file).length === 1);
  waiting.abort();
  expect(await second).toBe('aborted');
  running.abort();
  expect(await first).toBe('aborted');
  // The task itself still runs, and the next one waits for it.
  expect((await tools.status()).running).toBe(1);
  expect(await client.echo('next')).toBe('next');
  expect(marks(file)).toHaveLength(1);
});

test('lets running tasks end when it closes, and rejects the rest', async () => {
  const client = await start({ threads: 1 });
  const { pid = 0 } = await tools.status();
  const running = client.linger(300);
  const queued = reasonOf(client.echo('queued'));
  const closed = tools.close();
  expect(await reasonOf(client.echo('late'))).toBe('aborted');
  expect(await queued).toBe('aborted');
  expect(await running).toBe(pid);
  await closed;
  expect(isAlive(pid)).toBe(false);
});

test('closes over a task that does not end', async () => {
  const client = await start({ drainTimeoutMs: 200 });
  const { pid = 0 } = await tools.status();
  const outcome = reasonOf(client.spin(undefined));
  await tools.close();
  expect(await outcome).toBe('aborted');
  expect(isAlive(pid)).toBe(false);
});

test('dies with the service, even when both are busy and the service is killed', async () => {
  const script = `
    const { startTools } = await import(${JSON.stringify(new URL('../../src/tools/pool.ts', import.meta.url).href)});
    const tools = await startTools({ threads: 1 });
    tools.load(new URL(${JSON.stringify(TASKS.href)})).spin().catch(() => {});
    console.log((await tools.status()).pid);
    setInterval(() => {}, 1000);
  `;
  await start();
  const service = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const { value } = await service.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(value));
  expect(isAlive(pid)).toBe(true);
  service.kill('SIGKILL');
  await service.exited;
  await until(() => !isAlive(pid));
});

test.skipIf(process.platform !== 'linux')(
  'gives the process nothing of the environment of the service',
  async () => {
    process.env.NOT_FOR_THE_TOOL_PROCESS = 'secret';
    const client = await start();
    delete process.env.NOT_FOR_THE_TOOL_PROCESS;
    const names = (await client.environment(undefined)).map((entry) => entry.split('=', 1)[0] ?? '');
    // Bun's own, for the channel between the processes.
    const given = names.filter((name) => !name.startsWith('NODE_CHANNEL_'));
    expect(new Set(given)).toEqual(new Set(['LANG', 'PATH', 'TZ']));
  },
);

test('renders templates, and bounds what they do on the stack of a thread', async () => {
  await start();
  const handlebars = tools.load<typeof import('../../src/tools/handlebars.ts')>(HANDLEBARS);
  const source = '<p>{{name}}</p>';
  expect(await handlebars.compileTemplate({ source, data: { name: '<b>' } })).toEqual({
    ok: true,
    value: { html: '<p>&lt;b&gt;</p>' },
  });
  const recursion =
    '{{#*inline "p"}}\n{{#if true}}{{#with this}}\n  {{> p}}\n{{/with}}{{/if}}{{/inline}}{{> p}}';
  expect(await handlebars.compileTemplate({ source: recursion, data: { a: 1 } })).toMatchObject({
    ok: false,
    code: 'TEMPLATE_ERROR',
  });
  const nested = '{{#if a}}'.repeat(299) + 'x' + '{{/if}}'.repeat(299);
  expect(await handlebars.compileTemplate({ source: nested, data: { a: 1 } })).toEqual({
    ok: true,
    value: { html: 'x' },
  });
  expect((await tools.status()).kills).toEqual({ deadline: 0, memory: 0, crash: 0 });
});

test('ends the template that loops for ever by its deadline, and a helper over a huge list by its bound', async () => {
  await start();
  const handlebars = tools.load<typeof import('../../src/tools/handlebars.ts')>(HANDLEBARS);
  const loop = (depth: number) => `${'{{#each (range 1 10000)}}'.repeat(depth)}${'{{/each}}'.repeat(depth)}`;
  expect(
    await reasonOf(handlebars.compileTemplate({ source: loop(3), data: {} }, { timeoutMs: 2_000 })),
  ).toBe('deadline');
  const list = Array.from({ length: 10_000_000 }, () => 1);
  const source = '{{#if (join list ",")}}x{{/if}}';
  expect(
    await handlebars.compileTemplate({ source, data: { list }, maxOutputBytes: 1_000_000 }),
  ).toMatchObject({ ok: false, message: 'line 1, column 7: the output is too large' });
});
