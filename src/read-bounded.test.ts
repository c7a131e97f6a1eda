import { expect, test } from 'bun:test';
import { readBounded } from './read-bounded.ts';

const { signal } = new AbortController();

/**
 * Creates a response that sends the chunks and does not end, unless `ends` says so, and records whether the
 * reader canceled it.
 */
function respond(chunks: readonly string[], { ends = false } = {}) {
  const state = { isCanceled: false };
  const queue = chunks.map((chunk) => Buffer.from(chunk));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = queue.shift();
      if (chunk) controller.enqueue(chunk);
      else if (ends) controller.close();
      return ends || chunk ? undefined : new Promise<void>(() => undefined);
    },
    cancel() {
      state.isCanceled = true;
    },
  });
  return { response: new Response(body), state };
}

test('a body of exactly the limit is read whole', async () => {
  const { response } = respond(['abc', 'de'], { ends: true });
  expect((await readBounded(response, { maxBytes: 5, signal }))?.toString()).toBe('abcde');
});

test('a response without a body is empty', async () => {
  const bytes = await readBounded(new Response(null, { status: 204 }), { maxBytes: 5, signal });
  expect(bytes?.length).toBe(0);
});

test('a longer body is canceled as soon as it exceeds the limit', async () => {
  const { response, state } = respond(['abc', 'def']);
  expect(await readBounded(response, { maxBytes: 5, signal })).toBeUndefined();
  expect(state.isCanceled).toBe(true);
});

test('an aborted signal ends a body that stalls, with its reason', async () => {
  const { response, state } = respond(['abc']);
  const caller = new AbortController();
  const reading = readBounded(response, { maxBytes: 5, signal: caller.signal });
  caller.abort(new Error('disconnected'));
  expect(reading).rejects.toThrow('disconnected');
  await reading.catch(() => undefined);
  expect(state.isCanceled).toBe(true);
});
