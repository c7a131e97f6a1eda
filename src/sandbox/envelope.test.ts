import { expect, test } from 'bun:test';
import { pack, unpack } from './envelope.ts';

function cross(value: unknown): unknown {
  return unpack(new Uint8Array(Buffer.concat(pack(value))).buffer);
}

test('values arrive unchanged, with and without long byte arrays', () => {
  const long = crypto.getRandomValues(new Uint8Array(65_536));
  const values = [
    null,
    'text',
    [1, { a: undefined, when: new Date(0), map: new Map([[1, long]]) }],
    { ok: true, value: [long, 'between', long.slice(0, 10), long] },
    { file: long, inner: { deep: { deeper: { deepest: { bytes: long } } } } },
    long,
  ];
  for (const value of values) expect(cross(value)).toEqual(value);
});

test('a view arrives as the bytes that it shows', () => {
  const whole = new Uint8Array(200_000).fill(1).fill(2, 100_000);
  expect(cross({ view: whole.subarray(100_000) })).toEqual({ view: new Uint8Array(100_000).fill(2) });
});

test('the packed value is not changed', () => {
  const value = { file: new Uint8Array(70_000) };
  pack(value);
  expect(value.file.length).toBe(70_000);
});
