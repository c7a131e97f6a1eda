import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { BodyMemory } from './body/body-memory.ts';
import { RawJson } from '../json/raw-json.ts';
import { sendJson, sendLong } from './send-long.ts';

const bytes = (size: number) => crypto.getRandomValues(new Uint8Array(65_536)).slice(0, size);
const large = (size: number) =>
  Buffer.concat(
    Array.from({ length: 20 }, () => bytes(65_536)),
    size,
  );

test('bytes are sent in base64 wherever they are in the value, and everything else as JSON', async () => {
  for (const sizes of [[], [0], [1], [2, 3], [196_607, 196_608, 196_609], [1_000_000, 5, 1_000_001]]) {
    const files = sizes.map((size) => new Uint8Array(large(size)));
    const parts = files.map((data) => ({ data, file_size: data.length }));
    const value = { parts, text: 'Ünïcode "quoted"', absent: undefined, none: null, list: [1, 'x'] };
    const response = sendLong(value, 202);
    expect(response.status).toBe(202);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      parts: files.map((data) => ({ data: Buffer.from(data).toString('base64'), file_size: data.length })),
      text: 'Ünïcode "quoted"',
      none: null,
      list: [1, 'x'],
    });
  }
});

test('other work runs while megabytes are encoded', async () => {
  const others = { turns: 0, done: false };
  const read = sendLong({ data: new Uint8Array(10_000_000) }, 200)
    .bytes()
    .finally(() => (others.done = true));
  for (; !others.done; others.turns += 1) await setImmediate();
  expect((await read).length).toBeGreaterThan(13_333_333);
  expect(others.turns).toBeGreaterThan(30);
});

test.each([
  ['bytes', (memory: BodyMemory) => sendLong({ data: new Uint8Array(10_000_000) }, 200, open(memory))],
  ['text', (memory: BodyMemory) => sendJson(RawJson.of(['x'.repeat(10_000_000)]), 200, open(memory))],
])('a response of %s holds memory until it is read or its caller disconnects', async (_, send) => {
  const memory = new BodyMemory({ totalBytes: 25_000_000 });
  const unread = send(memory);
  expect(() => send(memory)).toThrow('unread responses');
  await unread.body?.cancel();
  expect((await send(memory).bytes()).length).toBeGreaterThan(10_000_000);
  expect((await send(memory).bytes()).length).toBeGreaterThan(10_000_000);
});

function open(memory: BodyMemory) {
  return memory.open({ id: 'a', concurrency: null });
}
