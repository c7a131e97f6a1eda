import { expect, test } from 'bun:test';
import { AppError } from '../../errors.ts';
import { collectBody } from './collect-body.ts';

const MB = 1_000_000;
const url = 'http://localhost/';

/** A request that sends chunks, and then waits for ever when it is `stuck`. */
function requestOf(chunks: readonly Uint8Array[], { stuck = false, announced = 0 } = {}): Request {
  const waiting = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = waiting.shift();
      if (chunk) controller.enqueue(chunk);
      else if (!stuck) controller.close();
      else return new Promise(() => {});
    },
  });
  const headers = announced > 0 ? { 'content-length': String(announced) } : undefined;
  return new Request(url, { method: 'POST', body, ...(headers && { headers }) });
}

const chunk = (size: number, fill: number) => new Uint8Array(size).fill(fill);

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).message;
}

test('a body is what came, announced or not, and room is taken for that alone', async () => {
  const chunks = [chunk(3, 1), chunk(MB, 2), chunk(5, 3)];
  for (const announced of [0, MB + 8]) {
    const covered: number[] = [];
    const request = requestOf(chunks, { announced });
    const body = await collectBody(request, { maxBytes: 2 * MB, cover: (bytes) => covered.push(bytes) });
    expect(Buffer.compare(body, Buffer.concat(chunks))).toBe(0);
    expect(covered).toEqual([3, MB + 3, MB + 8]);
  }
  expect((await collectBody(new Request(url, { method: 'POST' }), { maxBytes: 9 })).length).toBe(0);
});

test('one that is too large is refused, at once when it says so', async () => {
  for (const request of [
    requestOf([chunk(60, 1), chunk(60, 1)]),
    requestOf([], { stuck: true, announced: 101 }),
  ])
    expect(await refusal(collectBody(request, { maxBytes: 100 }))).toContain('larger than the limit of 100');
});

test('a large one that comes too slowly is given up', async () => {
  const pace = { ms: 20, bytes: 1_000 };
  for (const request of [
    requestOf([chunk(10, 1)], { stuck: true, announced: 2 * MB }),
    requestOf([chunk(2 * MB, 1)], { stuck: true }),
  ])
    expect(await refusal(collectBody(request, { maxBytes: 9 * MB, pace }))).toContain('came too slowly');
});

test('what refuses the room refuses the body', async () => {
  const cover = () => {
    throw new AppError('RATE_LIMITED', 'no room');
  };
  expect(
    await refusal(collectBody(requestOf([chunk(10, 1)], { stuck: true }), { maxBytes: 100, cover })),
  ).toBe('no room');
});
