import { describe, expect, test } from 'bun:test';
import { untilAborted, withTimeout } from './wait.ts';

const never = new Promise<never>(() => {});

const rejection = (work: Promise<unknown>) => work.then(String, ({ message }: Error) => message);

describe('withTimeout', () => {
  test('settles as the work does', async () => {
    const limit = { limitMs: 60_000, onTimeout: () => 'late' };
    expect(await withTimeout(Promise.resolve('done'), limit)).toBe('done');
    expect(await rejection(withTimeout(Promise.reject(new Error('failed')), limit))).toBe('failed');
  });

  test('returns the substitute when the time is up, or throws its error', async () => {
    expect(await withTimeout(never, { limitMs: 1, onTimeout: () => 'late' })).toBe('late');
    const onTimeout = () => {
      throw new Error('no answer');
    };
    expect(await rejection(withTimeout(never, { limitMs: 1, onTimeout }))).toBe('no answer');
  });

  test('ignores work that fails after the time is up', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    expect(await withTimeout(promise, { limitMs: 1, onTimeout: () => 'late' })).toBe('late');
    reject(new Error('too late'));
    await Bun.sleep(1);
  });
});

describe('untilAborted', () => {
  test('returns the result of the work', async () => {
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
  });

  test('rejects with the reason of a signal that aborts, or that has aborted', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(new Error('disconnected'));
    expect(await rejection(waiting)).toBe('disconnected');
    expect(await rejection(untilAborted(never, controller.signal))).toBe('disconnected');
  });
});
