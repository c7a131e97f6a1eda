import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAs, isAlive, reasonOf, TASKS, TestSandbox } from '../support/service/sandboxes.ts';
import { until } from '../support/until.ts';

// Only prevents a hang.
setDefaultTimeout(60_000);

const HANDLEBARS = new URL('../../plugins/documents/tasks.ts', import.meta.url);
const onLinux = process.platform === 'linux';

test('runs tasks in other processes and returns their values', async () => {
  await using setup = await TestSandbox.start();
  const { sandbox, tasks } = setup;
  const { pids } = await sandbox.status();
  expect(pids).not.toContain(process.pid);
  const taskPid = await tasks.linger(0);
  expect((await sandbox.status()).pids).toContain(taskPid);
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
  await using setup = await TestSandbox.start();
  const { tasks } = setup;
  const bytes = new Uint8Array(25_000_000);
  for (let offset = 0; offset < bytes.length; offset += 65_536)
    crypto.getRandomValues(bytes.subarray(offset, offset + 65_536));
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(await tasks.sha256(bytes)).toBe(hash);
  const { file } = await tasks.copy({ file: bytes });
  expect(new Bun.CryptoHasher('sha256').update(file).digest('hex')).toBe(hash);
  expect(bytes.length).toBe(25_000_000);
});

test('rejects an error and a value that cannot be cloned, and keeps the process', async () => {
  await using setup = await TestSandbox.start({ slots: 1 });
  const { tasks } = setup;
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

describe('a sandbox process that is killed', () => {
  const killers: [string, (tasks: TestSandbox['tasks']) => Promise<unknown>, object][] = [
    ['deadline', (tasks) => tasks.spin(undefined, { timeoutMs: 200 }), {}],
    ['memory', (tasks) => tasks.hoard(4_000_000_000), { maxMemoryBytes: 400_000_000 }],
    ['crash', (tasks) => tasks.die(undefined), {}],
  ];
  test.each(killers)('for its %s does not affect other tasks', async (reason, kill, options) => {
    await using setup = await TestSandbox.start(options);
    const { sandbox, tasks } = setup;
    const neighbour = tasks.mark({ file: setup.file, name: 'neighbour', ms: 1_500 });
    await setup.started(1);
    const [outcome, pid] = await Promise.all([reasonOf(kill(tasks)), neighbour]);
    // On a busy machine, a task may get too little processor time before its deadline.
    expect(reason === 'deadline' ? [reason, 'starved'] : [reason]).toContain(outcome);
    // The neighbour ran once, in a process that is still alive.
    expect(setup.marks).toEqual(['neighbour']);
    const { pids, kills } = await sandbox.status();
    expect(pids).toContain(pid);
    expect(kills).toEqual({ deadline: 0, starved: 0, memory: 0, aborted: 0, crash: 0, [outcome]: 1 });
    expect(await tasks.echo('next')).toBe('next');
  });

  test.skipIf(!onLinux)('because it was stopped is not the fault of its task', async () => {
    await using setup = await TestSandbox.start();
    const { sandbox, tasks } = setup;
    const ending = reasonOf(tasks.markAndSpin({ file: setup.file, name: 'stopped' }, { timeoutMs: 3_000 }));
    await setup.started(1);
    for (const pid of (await sandbox.status()).pids) process.kill(pid, 'SIGSTOP');
    expect(await ending).toBe('starved');
    expect((await sandbox.status()).kills).toMatchObject({ starved: 1, deadline: 0 });
  });

  test('from outside runs its task again in another process', async () => {
    await using setup = await TestSandbox.start();
    const { sandbox, tasks } = setup;
    const running = tasks.mark({ file: setup.file, name: 'running', ms: 1_500 });
    await setup.started(1);
    const { pids } = await sandbox.status();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(pids).not.toContain(await running);
    expect(setup.marks).toEqual(['running', 'running']);
    expect((await sandbox.status()).kills.crash).toBeGreaterThanOrEqual(1);
    await sandbox.ping();
  });

  test('from outside twice fails only its own task', async () => {
    await using setup = await TestSandbox.start();
    const { sandbox, tasks } = setup;
    const running = reasonOf(tasks.mark({ file: setup.file, name: 'running', ms: 20_000 }));
    for (const starts of [1, 2]) {
      await setup.started(starts);
      for (const pid of (await sandbox.status()).pids) process.kill(pid, 'SIGKILL');
    }
    expect(await running).toBe('crash');
    await until(async () => (await sandbox.status()).pids.length >= 2);
    expect(await tasks.echo('next')).toBe('next');
    await sandbox.ping();
  });

  test.each(['ffffffff', '00000000', '04000000deadbeef', '050000000100000000'])(
    'for breaking the protocol (%s) fails only its own task',
    async (bytes) => {
      await using setup = await TestSandbox.start();
      const { tasks } = setup;
      expect(await reasonOf(tasks.garble(Buffer.from(bytes, 'hex')))).toBe('crash');
      expect(await tasks.echo('next')).toBe('next');
    },
  );

  test('does not delay the next task, because another process is ready', async () => {
    await using setup = await TestSandbox.start({ slots: 1 });
    const { sandbox, tasks } = setup;
    await tasks.echo('the first task, with which the spare process starts');
    await until(async () => (await sandbox.status()).pids.length === 2);
    const both = (await sandbox.status()).pids;
    const spinning = reasonOf(callAs('a', () => tasks.spin(undefined, { timeoutMs: 300 })));
    expect(both).toContain(await callAs('b', () => tasks.linger(0)));
    // On a busy machine, the process may have had too little processor time to be blamed.
    expect(['deadline', 'starved']).toContain(await spinning);
  });
});

test('the processes share a memory limit, and the largest task is killed when they exceed it', async () => {
  await using setup = await TestSandbox.start({ maxTotalMemoryBytes: 500_000_000 });
  const { tasks } = setup;
  const small = tasks.linger(3_000);
  expect(await reasonOf(tasks.hoard(4_000_000_000))).toBe('memory');
  expect(await small).toBeNumber();
});

test('a process that keeps too much memory is replaced, and the next task does not fail', async () => {
  await using setup = await TestSandbox.start({
    slots: 1,
    maxMemoryBytes: 500_000_000,
    maxIdleMemoryBytes: 200_000_000,
  });
  const { sandbox, tasks } = setup;
  for (const _ of [1, 2, 3]) {
    const pid = await tasks.leak(300_000_000);
    await until(async () => !(await sandbox.status()).pids.includes(pid));
  }
  expect((await sandbox.status()).kills.memory).toBe(0);
});

test('idle processes end, except for two', async () => {
  await using setup = await TestSandbox.start({ slots: 3, idleMs: 300 });
  const { sandbox, tasks } = setup;
  await Promise.all([1, 2, 3].map(() => tasks.linger(300)));
  expect((await sandbox.status()).pids.length).toBeGreaterThanOrEqual(3);
  await until(async () => (await sandbox.status()).pids.length === 2);
  expect((await sandbox.status()).kills).toEqual({
    deadline: 0,
    starved: 0,
    memory: 0,
    aborted: 0,
    crash: 0,
  });
});

test('the processes that tasks need again and again are kept', async () => {
  await using setup = await TestSandbox.start({ slots: 2, idleMs: 2_000 });
  const { sandbox, tasks } = setup;
  const started = new Set<number>();
  const endsAt = performance.now() + 5_000;
  while (performance.now() < endsAt) {
    await Promise.all([tasks.linger(20), tasks.linger(20)]);
    await tasks.linger(100);
    for (const pid of (await sandbox.status()).pids) started.add(pid);
  }
  // Two, and the spare one.
  expect(started.size).toBe(3);
});

test('processes that start on demand are only as many as the tasks need', async () => {
  await using setup = await TestSandbox.start({ slots: 2, isOnDemand: true });
  const { sandbox, tasks } = setup;
  const count = async () => (await sandbox.status()).pids.length;
  expect(await count()).toBe(0);
  expect(await tasks.linger(0)).toBe(await tasks.linger(0));
  expect(await count()).toBe(1);
  await Promise.all([tasks.linger(2_000), tasks.linger(2_000)]);
  expect(await count()).toBe(2);
});

test('close lets running tasks finish and rejects the others', async () => {
  await using setup = await TestSandbox.start({ slots: 1 });
  const { sandbox, tasks } = setup;
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

test('close kills a task that exceeds the drain limit', async () => {
  await using setup = await TestSandbox.start({ drainTimeoutMs: 200 });
  const { sandbox, tasks } = setup;
  await tasks.echo('the first task, with which the spare process starts');
  await until(async () => (await sandbox.status()).pids.length === 2);
  const { pids } = await sandbox.status();
  const outcome = reasonOf(tasks.spin(undefined));
  await until(async () => (await sandbox.status()).running === 1);
  await sandbox.close();
  expect(await outcome).toBe('unavailable');
  expect(pids.filter(isAlive)).toEqual([]);
});

test.skipIf(!onLinux)('a sandbox process dies with a busy service and leaves no files behind', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const marks = `${temporary}.marks`;
  const script = `
    const { startSandbox } = await import(${JSON.stringify(new URL('../../src/sandbox/sandbox.ts', import.meta.url).href)});
    const sandbox = await startSandbox({ slots: 1 });
    const tasks = sandbox.load(new URL(${JSON.stringify(TASKS.href)}));
    tasks.markAndSpin({ file: ${JSON.stringify(marks)}, name: 'begun' }).catch(() => {});
    while ((await sandbox.status()).pids.length < 2 || !(await Bun.file(${JSON.stringify(marks)}).exists())) await Bun.sleep(10);
    console.log((await sandbox.status()).pids.join());
    for (;;);
  `;
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
  for (const path of [temporary, marks]) rmSync(path, { recursive: true });
});

test.skipIf(!onLinux)("sandbox processes do not inherit the service's environment", async () => {
  process.env.NOT_FOR_THE_SANDBOX = 'secret';
  await using setup = await TestSandbox.start();
  const { tasks } = setup;
  delete process.env.NOT_FOR_THE_SANDBOX;
  const names = (await tasks.environment(undefined)).map((entry) => entry.split('=', 1)[0] ?? '');
  expect(new Set(names)).toEqual(new Set(['LANG', 'PATH', 'TZ']));
});

test.skipIf(!onLinux)(
  'a sandbox process has a lower priority than the service, and a long task a lower one still',
  async () => {
    await using setup = await TestSandbox.start({ slots: 1 });
    const { tasks } = setup;
    // 19 is the lowest priority.
    const above = (difference: number) => Math.min(getPriority() + difference, 19);
    const hasSessions = existsSync('/proc/self/autogroup');
    const usual = { own: above(5), session: hasSessions ? 0 : undefined };
    expect(await tasks.nicenessAfter(0)).toEqual(usual);
    expect(await tasks.nicenessAfter(2_500)).toEqual({
      own: above(14),
      session: hasSessions ? 5 : undefined,
    });
    // In the same process, or in another one if the priority cannot be raised again.
    expect(await tasks.nicenessAfter(0)).toEqual(usual);
  },
);

test('renders templates and limits their recursion', async () => {
  await using setup = await TestSandbox.start();
  const { sandbox } = setup;
  const handlebars = sandbox.load<typeof import('../../plugins/documents/tasks.ts')>(HANDLEBARS);
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
  expect((await sandbox.status()).kills).toEqual({
    deadline: 0,
    starved: 0,
    memory: 0,
    aborted: 0,
    crash: 0,
  });
});

test('ends a template with an endless loop at its deadline, and a helper with a huge list at its output limit', async () => {
  await using setup = await TestSandbox.start();
  const { sandbox } = setup;
  const handlebars = sandbox.load<typeof import('../../plugins/documents/tasks.ts')>(HANDLEBARS);
  const loop = (depth: number) => `${'{{#each (range 1 10000)}}'.repeat(depth)}${'{{/each}}'.repeat(depth)}`;
  // On a busy machine, the process may get too little processor time until the deadline.
  expect(['deadline', 'starved']).toContain(
    await reasonOf(handlebars.compileTemplate({ source: loop(3), data: {} }, { timeoutMs: 2_000 })),
  );
  const list = Array.from({ length: 10_000_000 }, () => 1);
  const source = '{{#if (join list ",")}}x{{/if}}';
  expect(
    await handlebars.compileTemplate({ source, data: { list }, maxOutputBytes: 1_000_000 }),
  ).toMatchObject({ ok: false, message: 'line 1, column 7: the output is too large' });
});
