import { expect, test } from 'bun:test';
import { liftLongStrings } from './long-text.ts';

const long = 'QUJD'.repeat(20_000);

function parse(json: string): unknown {
  const { text, restore } = liftLongStrings(Buffer.from(json));
  return JSON.parse(text, (_, value: unknown) => restore(value));
}

test('long strings become their bytes, wherever they are, and all else is as JSON has it', () => {
  const bytes = new Uint8Array(Buffer.from(long));
  const value = { pdfs: [long, 'short', long], 'a "key"\\': '\\"', n: [1, null, { deep: long }] };
  expect(parse(JSON.stringify(value))).toEqual({
    pdfs: [expect.any(Uint8Array), 'short', expect.any(Uint8Array)],
    'a "key"\\': '\\"',
    n: [1, null, { deep: expect.any(Uint8Array) }],
  });
  const { pdfs } = parse(JSON.stringify(value)) as { pdfs: Uint8Array[] };
  expect(pdfs[0] && Buffer.compare(pdfs[0], bytes)).toBe(0);
  expect(pdfs[2] && Buffer.compare(pdfs[2], bytes)).toBe(0);
});

test('long strings with escapes are decoded', () => {
  const value = { text: `${long}\n"${long}`, tail: '\\' };
  expect(parse(JSON.stringify(value))).toEqual(value);
});

test('what is not JSON stays so', () => {
  for (const json of [`{"pdf":"${long}`, `{"pdf":"${long}"`, `"${long}" "${long}"`])
    expect(() => parse(json)).toThrow();
});
