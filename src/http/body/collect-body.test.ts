import { expect, test } from 'bun:test';
import { AppError } from '../../errors.ts';
import { collectBody } from './collect-body.ts';

const MB = 1_000_000;
const url = 'http://localhost/';

/** Creates a request that sends chunks. If it is `stuck`, its body never ends. */
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

test('memory is reserved for the bytes that arrive, not for the announced length', async () => {
  for (const announced of [0, MB + 8]) {
    const chunks = [chunk(3, 1), chunk(MB, 2), chunk(5, 3)];
    const sent = Buffer.concat(chunks);
    const reserved: number[] = [];
    const memory = { reserve: (bytes: number) => void reserved.push(bytes), requireRoom: () => {} };
    const request = requestOf(chunks, { announced });
    const body = await collectBody(request, { maxBytes: 2 * MB, memory });
    expect(Buffer.compare(body, sent)).toBe(0);
    // A large chunk is freed as soon as it is copied.
    expect(chunks[1]?.buffer.byteLength).toBe(0);
    expect(reserved).toEqual([3, MB + 3, MB + 8]);
  }
  expect((await collectBody(new Request(url, { method: 'POST' }), { maxBytes: 9 })).length).toBe(0);
});

test('a body that is too large is refused; if its length is announced, before it arrives', async () => {
  for (const request of [
    requestOf([chunk(60, 1), chunk(60, 1)]),
    requestOf([], { stuck: true, announced: 101 }),
  ])
    expect(await refusal(collectBody(request, { maxBytes: 100 }))).toContain('larger than the limit of 100');
});

test('a small body that never ends is refused', async () => {
  const request = requestOf([chunk(10, 1)], { stuck: true, announced: 20 });
  const reading = collectBody(request, { maxBytes: MB, pace: { ms: 5, bytes: 1 } });
  expect(await refusal(reading)).toContain('arrived too slowly');
});

test('a large body that arrives too slowly is refused', async () => {
  const pace = { ms: 20, bytes: 1_000 };
  for (const request of [
    requestOf([chunk(10, 1)], { stuck: true, announced: 2 * MB }),
    requestOf([chunk(2 * MB, 1)], { stuck: true }),
  ])
    expect(await refusal(collectBody(request, { maxBytes: 9 * MB, pace }))).toContain('arrived too slowly');
});

test('a body that exceeds the free memory is refused; if its length is announced, before it arrives', async () => {
  const refuse = () => {
    throw new AppError('RATE_LIMITED', 'no memory');
  };
  const arriving = requestOf([chunk(10, 1)], { stuck: true });
  const announced = requestOf([], { stuck: true, announced: 10 });
  const attempts = [
    collectBody(arriving, { maxBytes: 100, memory: { reserve: refuse, requireRoom: () => {} } }),
    collectBody(announced, { maxBytes: 100, memory: { reserve: () => {}, requireRoom: refuse } }),
  ];
  for (const attempt of attempts) expect(await refusal(attempt)).toBe('no memory');
});
