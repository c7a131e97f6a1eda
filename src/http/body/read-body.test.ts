import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { AppError } from '../../errors.ts';
import type { BodyKind, StreamedBodyKind } from './body-kind.ts';
import { BodyMemory } from './body-memory.ts';
import { createBodyReader } from './read-body.ts';

const MB = 1_000_000;

const bytesKind: BodyKind = {
  name: 'bytes',
  label: 'bytes',
  mediaType: 'application/octet-stream',
  createReader: () => async (body) => (await body.bytes()).length,
};

const receive = createBodyReader({
  bodies: [{ kind: 'bytes', schema: Type.Integer() }],
  kinds: new Map([['bytes', bytesKind]]),
  maxBytes: 14 * MB,
});

const read = async (...parts: Parameters<typeof receive>) => (await receive(...parts)).parse();

function request(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Request {
  const headers = { 'content-type': 'Application/Octet-Stream; a=b' };
  return new Request('http://localhost/', { method: 'POST', body, headers });
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

test('a registered kind reads under the size limit and the memory limit of the sender', async () => {
  const memory = new BodyMemory({ totalBytes: 30 * MB });
  const sender = { id: 'acct_a', concurrency: null };
  const first = memory.open(sender);
  expect(await read(request(new Uint8Array(14 * MB)), first)).toBe(14 * MB);
  const second = memory.open(sender);
  expect((await refusal(read(request(new Uint8Array(14 * MB)), second))).code).toBe('RATE_LIMITED');
  first.release();
  expect(await read(request(new Uint8Array(14 * MB)), second)).toBe(14 * MB);
  second.release();
  const large = await refusal(read(request(new Uint8Array(14 * MB + 1)), memory.open(sender)));
  expect(large.message).toContain('larger than the limit of 14000000 bytes');
});

test('a connection that breaks makes the body incomplete', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('reset')),
  });
  const memory = new BodyMemory({ totalBytes: MB }).open({ id: 'acct_a', concurrency: 1 });
  expect(await refusal(read(request(broken), memory))).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'the body is incomplete',
  });
});

test('a body of tiny chunks reaches its reader in large pieces, and reserves memory as it grows', async () => {
  const sizes: number[] = [];
  const streamed: StreamedBodyKind = {
    name: 'streamed',
    label: 'bytes',
    mediaType: 'application/octet-stream',
    createStreamReader: () => async (body) => {
      for await (const piece of body.pieces) sizes.push(piece.length);
      return { parse: () => 0, discard: async () => {} };
    },
  };
  const files = { put: async () => 0, delete: async () => {} };
  const receiveStream = createBodyReader({
    bodies: [{ kind: 'streamed', schema: Type.Integer() }],
    kinds: new Map([['streamed', streamed]]),
    maxBytes: 100 * MB,
    files,
  });
  let waiting = 4_000;
  const tiny = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (waiting === 0) return controller.close();
      controller.enqueue(new Uint8Array(10));
      waiting -= 1;
    },
  });
  const reserved: number[] = [];
  const memory = {
    reserve: (bytes: number) => void reserved.push(bytes),
    reserveMore: () => {},
    requireRoom: () => {},
    release: () => {},
  };
  await receiveStream(request(tiny), memory);
  expect(sizes).toEqual([16_384, 16_384, 7_232]);
  expect([reserved[0], reserved.at(-1)]).toEqual([8 * MB, 8 * MB + 160_000]);
  reserved.length = 0;
  await receiveStream(request(new Uint8Array(9 * MB)), memory);
  expect(reserved.at(-1)).toBe(40 * MB);
});
