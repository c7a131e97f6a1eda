import { expect, test } from 'bun:test';
import { liftLongStrings } from './long-text.ts';

const long = 'QUJD'.repeat(20_000);

async function parse(json: string): Promise<unknown> {
  const { text, restore } = await liftLongStrings(Buffer.from(json));
  return JSON.parse(text, (_, value: unknown) => restore(value));
}

test('long strings become their bytes, wherever they are, and all else is as JSON has it', async () => {
  const bytes = new Uint8Array(Buffer.from(long));
  const value = { pdfs: [long, 'short', long], 'a "key"\\': '\\"', n: [1, null, { deep: long }] };
  expect(await parse(JSON.stringify(value))).toEqual({
    pdfs: [expect.any(Uint8Array), 'short', expect.any(Uint8Array)],
    'a "key"\\': '\\"',
    n: [1, null, { deep: expect.any(Uint8Array) }],
  });
  const { pdfs } = (await parse(JSON.stringify(value))) as { pdfs: Uint8Array[] };
  expect(pdfs[0] && Buffer.compare(pdfs[0], bytes)).toBe(0);
  expect(pdfs[2] && Buffer.compare(pdfs[2], bytes)).toBe(0);
});

test('strings of many pieces end where they end, and keep their escapes', async () => {
  const quotes = String.raw`\"`;
  // The quote and its backslash stand on both sides of the end of a piece.
  for (const length of [3_999_998, 3_999_999, 4_000_000, 8_000_000, 8_000_001]) {
    const text = 'Q'.repeat(length) + quotes + long;
    const { pdf, tail } = (await parse(`{"pdf":"${text}","tail":"\\\\"}`)) as Record<string, unknown>;
    expect(Buffer.compare(pdf as Uint8Array, Buffer.from(text))).toBe(0);
    expect(tail).toBe('\\');
  }
});

test('a byte order mark does not count', async () => {
  const { pdf } = (await parse(`\uFEFF{"pdf":"${long}"}`)) as { pdf: Uint8Array };
  expect(Buffer.compare(pdf, Buffer.from(long))).toBe(0);
  expect(await parse('\uFEFF{"pdf":"short"}')).toEqual({ pdf: 'short' });
});

test('what is not JSON stays so', async () => {
  for (const json of [`{"pdf":"${long}`, `{"pdf":"${long}"`, `"${long}" "${long}"`]) {
    const error = await parse(json).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SyntaxError);
  }
});
