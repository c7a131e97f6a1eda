import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAs, isAlive, reasonOf, TASKS, TestSandbox, until } from '../support/sandboxes.ts';

// A hang guard, not an expectation.
setDefaultTimeout(60_000);

const HANDLEBARS = new URL('../../src/sandbox/handlebars.ts', import.meta.url);
const onLinux = process.platform === 'linux';

test('runs tasks in other processes and returns their values', async () => {
  await using own = await TestSandbox.start();
  const { sandbox, tasks } = own;
  const { pids } = await sandbox.status();
  expect(pids).not.toContain(process.pid);
  expect((await sandbox.status()).pids).toContain(await tasks.linger(0));
  const value = {
    text: 'ü😀',
    list: [1, null, 2.5],
    date: new Date(0),
    map: new Map([['a', new Uint8Array([1, 2])]]),
  };
  expect(await tasks.echo(value)).toEqual(value);
  expect(await tasks.divide({ a: 1, b: 0 })).toEqual({ ok: false, code: 'DIVISION', message: 'b is 0' });
  await sandbox.ping();
});

test('returns 25 MB unchanged', async () => {
  await using own = await TestSandbox.start();
  const { tasks } = own;
  const bytes = new Uint8Array(25_000_000);
  for (let offset = 0; offset < bytes.length; offset += 65_536)
    crypto.getRandomValues(bytes.subarray(offset, offset + 65_536));
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(await tasks.sha256(bytes)).toBe(hash);
  const { file } = await tasks.copy({ file: bytes });
  expect(new Bun.CryptoHasher('sha256').update(file).digest('hex')).toBe(hash);
  expect(bytes.length).toBe(25_000_000);
});

test('rejects what a task throws, and what cannot cross, and goes on in the same process', async () => {
  await using own = await TestSandbox.start({ slots: 1 });
  const { tasks } = own;
  const pid = await tasks.linger(0);
  const error = await tasks.fail('out of range').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'SandboxError',
    reason: 'error',
    cause: { message: 'out of range' },
  });
  expect(await reasonOf(tasks.uncloneable(undefined))).toBe('error');
  expect(await reasonOf(tasks.echo(() => {}))).toBe('error'); // not cloneable
  expect(await reasonOf(Reflect.get(tasks, 'missing')(1))).toBe('error');
  expect(await tasks.linger(0)).toBe(pid);
});

describe('a process that is killed', () => {
  const killers: [string, (tasks: TestSandbox['tasks']) => Promise<unknown>, object][] = [
    ['deadline', (tasks) => tasks.spin(undefined, { timeoutMs: 200 }), {}],
    ['memory', (tasks) => tasks.hoard(4_000_000_000), { maxMemoryBytes: 400_000_000 }],
    ['crash', (tasks) => tasks.die(undefined), {}],
  ];
  test.each(killers)('for its %s takes no other task with it', async (reason, kill, options) => {
    await using own = await TestSandbox.start(options);
    const { sandbox, tasks } = own;
    const neighbour = tasks.mark({ file: own.file, name: 'neighbour', ms: 1_500 });
    await own.started(1);
    const [outcome, pid] = await Promise.all([reasonOf(kill(tasks)), neighbour]);
    expect(outcome).toBe(reason);
    // The neighbour ran once, in a process that is still there.
    expect(own.marks).toEqual(['neighbour']);
    const { pids, kills } = await sandbox.status();
    expect(pids).toContain(pid);
    expect(kills).toEqual({ deadline: 0, memory: 0, aborted: 0, crash: 0, [reason]: 1 });
    expect(await tasks.echo('next')).toBe('next');
  });

  test('from outside runs its task once more in another process', async () => {
    await using own = await TestSandbox.start();
    const { sandbox, tasks } = own;
    const running = tasks.mark({ file: own.file, name: 'running', ms: 1_500 });
    await own.started(1);
    const { pids } = await sandbox.status();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(pids).not.toContain(await running);
    expect(own.marks).toEqual(['running', 'running']);
    expect((await sandbox.status()).kills.crash).toBeGreaterThanOrEqual(1);
    await sandbox.ping();
  });

  test('from outside twice fails its own task only, and is replaced when it is idle', async () => {
    await using own = await TestSandbox.start();
    const { sandbox, tasks } = own;
    const running = reasonOf(tasks.mark({ file: own.file, name: 'running', ms: 20_000 }));
    for (const starts of [1, 2]) {
      await own.started(starts);
      for (const pid of (await sandbox.status()).pids) process.kill(pid, 'SIGKILL');
    }
    expect(await running).toBe('crash');
    await until(async () => (await sandbox.status()).pids.length >= 2);
    expect(await tasks.echo('next')).toBe('next');
    await sandbox.ping();
  });

  test.each(['ffffffff', '00000000', '04000000deadbeef', '050000000100000000'])(
    'for breaking the protocol (%s) fails its own task only',
    async (bytes) => {
      await using own = await TestSandbox.start();
      const { tasks } = own;
      expect(await reasonOf(tasks.garble(Buffer.from(bytes, 'hex')))).toBe('crash');
      expect(await tasks.echo('next')).toBe('next');
    },
  );

  test('costs the next task nothing: another one is ready', async () => {
    await using own = await TestSandbox.start({ slots: 1 });
    const { sandbox, tasks } = own;
    await until(async () => (await sandbox.status()).pids.length === 2);
    const both = (await sandbox.status()).pids;
    const spinning = reasonOf(callAs('a', () => tasks.spin(undefined, { timeoutMs: 300 })));
    expect(both).toContain(await callAs('b', () => tasks.linger(0)));
    expect(await spinning).toBe('deadline');
  });
});

test('all processes together have a bound, and the largest task pays for it', async () => {
  await using own = await TestSandbox.start({ maxTotalMemoryBytes: 500_000_000 });
  const { tasks } = own;
  const small = tasks.linger(3_000);
  expect(await reasonOf(tasks.hoard(4_000_000_000))).toBe('memory');
  expect(await small).toBeNumber();
});

test('memory that a task leaves behind is not charged to the next one', async () => {
  await using own = await TestSandbox.start({
    slots: 1,
    maxMemoryBytes: 500_000_000,
    maxIdleMemoryBytes: 200_000_000,
  });
  const { sandbox, tasks } = own;
  for (const _ of [1, 2, 3]) {
    const pid = await tasks.leak(300_000_000);
    await until(async () => !(await sandbox.status()).pids.includes(pid));
  }
  expect((await sandbox.status()).kills.memory).toBe(0);
});

test('processes that are not needed end, and some stay ready', async () => {
  await using own = await TestSandbox.start({ slots: 3, idleMs: 300 });
  const { sandbox, tasks } = own;
  await Promise.all([1, 2, 3].map(() => tasks.linger(300)));
  expect((await sandbox.status()).pids.length).toBeGreaterThanOrEqual(3);
  await until(async () => (await sandbox.status()).pids.length === 2);
  expect((await sandbox.status()).kills).toEqual({ deadline: 0, memory: 0, aborted: 0, crash: 0 });
});

test('lets running tasks end when it closes, and rejects the rest', async () => {
  await using own = await TestSandbox.start({ slots: 1 });
  const { sandbox, tasks } = own;
  const running = tasks.linger(300);
  await until(async () => (await sandbox.status()).running === 1);
  const queued = reasonOf(tasks.echo('queued'));
  const closed = sandbox.close();
  expect(await reasonOf(tasks.echo('late'))).toBe('unavailable');
  expect(await queued).toBe('unavailable');
  const pid = await running;
  await closed;
  expect(isAlive(pid)).toBe(false);
});

test('closes over a task that does not end', async () => {
  await using own = await TestSandbox.start({ drainTimeoutMs: 200 });
  const { sandbox, tasks } = own;
  await until(async () => (await sandbox.status()).pids.length === 2);
  const { pids } = await sandbox.status();
  const outcome = reasonOf(tasks.spin(undefined));
  await until(async () => (await sandbox.status()).running === 1);
  await sandbox.close();
  expect(await outcome).toBe('unavailable');
  expect(pids.filter(isAlive)).toEqual([]);
});

test.skipIf(!onLinux)(
  'dies with the service, and leaves nothing behind, even when both are busy',
  async () => {
    const script = `
    const { startSandbox } = await import(${JSON.stringify(new URL('../../src/sandbox/sandbox.ts', import.meta.url).href)});
    const sandbox = await startSandbox({ slots: 1 });
    const tasks = sandbox.load(new URL(${JSON.stringify(TASKS.href)}));
    tasks.spin().catch(() => {});
    while ((await sandbox.status()).running === 0 || (await sandbox.status()).pids.length < 2) await Bun.sleep(10);
    // The task is on its way to the process.
    await Bun.sleep(300);
    console.log((await sandbox.status()).pids.join());
    for (;;);
  `;
    const temporary = mkdtempSync(join(tmpdir(), 'platen-test-'));
    const service = Bun.spawn([process.execPath, '-e', script], {
      env: { ...process.env, TMPDIR: temporary },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const { value } = await service.stdout.getReader().read();
    const pids = new TextDecoder().decode(value).split(',').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    service.kill('SIGKILL');
    await service.exited;
    await until(() => !pids.some(isAlive));
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  },
);

test.skipIf(!onLinux)('gives its processes nothing of the environment of the service', async () => {
  process.env.NOT_FOR_THE_SANDBOX = 'secret';
  await using own = await TestSandbox.start();
  const { tasks } = own;
  delete process.env.NOT_FOR_THE_SANDBOX;
  const names = (await tasks.environment(undefined)).map((entry) => entry.split('=', 1)[0] ?? '');
  expect(new Set(names)).toEqual(new Set(['LANG', 'PATH', 'TZ']));
});

test.skipIf(!onLinux)('long tasks make room for quick ones, and the service goes before both', async () => {
  await using started = await TestSandbox.start({ slots: 1 });
  const { tasks } = started;
  const own = getPriority();
  const [nice, nicer] = [own + 5, own + 10].map((niceness) => Math.min(niceness, 19));
  expect(await tasks.nicenessAfter(0)).toBe(nice ?? 0);
  expect(await tasks.nicenessAfter(2_500)).toBe(nicer ?? 0);
  // In the same process, or in another where its priority may not be restored.
  expect(await tasks.nicenessAfter(0)).toBe(nice ?? 0);
});

test('renders templates, and bounds what they do on the stack of a process', async () => {
  await using own = await TestSandbox.start();
  const { sandbox } = own;
  const handlebars = sandbox.load<typeof import('../../src/sandbox/handlebars.ts')>(HANDLEBARS);
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
  expect((await sandbox.status()).kills).toEqual({ deadline: 0, memory: 0, aborted: 0, crash: 0 });
});

test('ends the template that loops for ever by its deadline, and a helper over a huge list by its bound', async () => {
  await using own = await TestSandbox.start();
  const { sandbox } = own;
  const handlebars = sandbox.load<typeof import('../../src/sandbox/handlebars.ts')>(HANDLEBARS);
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
