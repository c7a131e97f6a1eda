import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { callAs, reasonOf, TestSandbox } from '../support/service/sandboxes.ts';
import { until } from '../support/until.ts';

// Only prevents a hang.
setDefaultTimeout(60_000);

describe('accounts', () => {
  test('an account that holds every slot does not delay another', async () => {
    await using setup = await TestSandbox.start({ slots: 2 });
    const { tasks } = setup;
    const caller = new AbortController();
    const hung = [1, 2, 3, 4].map((index) =>
      reasonOf(
        callAs('a', () => tasks.mark({ file: setup.file, name: `a${index}`, ms: 60_000 }), caller.signal),
      ),
    );
    await setup.started(2);
    for (const index of [1, 2, 3]) expect(await callAs('b', () => tasks.echo(index))).toBe(index);
    expect(setup.marks.toSorted()).toEqual(['a1', 'a2']);
    caller.abort();
    expect(await Promise.all(hung)).toEqual(hung.map(() => 'aborted'));
  });

  test('the account that used less time runs first', async () => {
    await using setup = await TestSandbox.start({ slots: 1 });
    const { tasks } = setup;
    const holders = { x: new AbortController(), y: new AbortController() };
    const begin = (name: string, ms: number, signal?: AbortSignal) =>
      callAs(name.charAt(0), () => tasks.mark({ file: setup.file, name, ms }), signal);
    // The holders occupy the slot and the extra one. The others wait until one holder leaves, then run one
    // after another.
    const held = [
      reasonOf(begin('x', 60_000, holders.x.signal)),
      reasonOf(begin('y', 60_000, holders.y.signal)),
    ];
    await setup.started(2);
    const waiting = ['a1', 'a2', 'a3'].map((name) => begin(name, 700));
    waiting.push(...['b1', 'b2', 'b3'].map((name) => begin(name, 0)));
    holders.x.abort();
    await Promise.all(waiting);
    expect(setup.marks.slice(2)).toEqual(['a1', 'b1', 'b2', 'b3', 'a2', 'a3']);
    holders.y.abort();
    await Promise.all(held);
  });

  test('an account that fills the queue is refused, and the next account is not', async () => {
    await using setup = await TestSandbox.start({ slots: 1, queueLimit: 2 });
    const { sandbox, tasks } = setup;
    const caller = new AbortController();
    const flood = [60_000, 0, 0, 0].map((ms) => reasonOf(callAs('a', () => tasks.linger(ms), caller.signal)));
    // One runs, two wait.
    expect(await flood[3]).toBe('busy');
    expect(await sandbox.status()).toMatchObject({ queued: 2, running: 1 });
    expect(await callAs('b', () => tasks.echo('b'))).toBe('b');
    caller.abort();
    expect(await Promise.all(flood)).toEqual(['aborted', 'aborted', 'aborted', 'busy']);
  });

  test('a caller is refused after maxWaitMs', async () => {
    await using setup = await TestSandbox.start({ slots: 1, maxWaitMs: 100 });
    const { tasks } = setup;
    const caller = new AbortController();
    const running = reasonOf(callAs('a', () => tasks.linger(60_000), caller.signal));
    expect(await reasonOf(callAs('a', () => tasks.echo('late')))).toBe('busy');
    caller.abort();
    expect(await running).toBe('aborted');
    const next = () => callAs('a', () => tasks.echo('next')).catch(() => 'refused');
    await until(async () => (await next()) === 'next');
  });
});

describe('a caller that disconnects', () => {
  test('removes its task from the queue', async () => {
    await using setup = await TestSandbox.start({ slots: 1 });
    const { sandbox, tasks } = setup;
    expect(await reasonOf(tasks.echo(1, { signal: AbortSignal.abort() }))).toBe('aborted');
    const caller = new AbortController();
    const holder = new AbortController();
    const running = reasonOf(
      callAs('a', () => tasks.mark({ file: setup.file, name: 'running', ms: 60_000 }), holder.signal),
    );
    await setup.started(1);
    const queued = reasonOf(
      callAs('a', () => tasks.mark({ file: setup.file, name: 'queued', ms: 0 }), caller.signal),
    );
    await until(async () => (await sandbox.status()).queued === 1);
    caller.abort();
    expect(await queued).toBe('aborted');
    expect((await sandbox.status()).queued).toBe(0);
    holder.abort();
    expect(await running).toBe('aborted');
    expect(await tasks.echo('next')).toBe('next');
    expect(setup.marks).toEqual(['running']);
  });

  test.each(['context', 'call'])(
    'kills the process of its running task, by the signal of the %s',
    async (which) => {
      await using setup = await TestSandbox.start({ slots: 1 });
      const { sandbox, tasks } = setup;
      const caller = new AbortController();
      const { signal } = caller;
      const task = { file: setup.file, name: 'running' };
      const running =
        which === 'context'
          ? callAs('a', () => tasks.markAndSpin(task), signal)
          : tasks.markAndSpin(task, { signal });
      const outcome = running.catch((error: unknown) => error);
      await setup.started(1);
      const reason = new Error('disconnected');
      caller.abort(reason);
      expect(await outcome).toMatchObject({ reason: 'aborted', cause: reason });
      await until(async () => (await sandbox.status()).running === 0);
      expect((await sandbox.status()).kills).toEqual({
        deadline: 0,
        starved: 0,
        memory: 0,
        aborted: 1,
        crash: 0,
      });
      expect(await tasks.echo('next')).toBe('next');
    },
  );

  test('does not cost a process if the task ends by itself', async () => {
    await using setup = await TestSandbox.start({ slots: 1 });
    const { sandbox, tasks } = setup;
    const caller = new AbortController();
    const outcome = reasonOf(
      // It ends after it is aborted, and before its process is killed.
      tasks.mark({ file: setup.file, name: 'quick', ms: 120 }, { signal: caller.signal }),
    );
    await setup.started(1);
    caller.abort();
    expect(await outcome).toBe('aborted');
    expect(await tasks.echo('next')).toBe('next');
    expect((await sandbox.status()).kills.aborted).toBe(0);
  });
});
