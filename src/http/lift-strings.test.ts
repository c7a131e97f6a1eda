import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { liftLongStrings } from './lift-strings.ts';

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
  for (const length of [32_766, 32_767, 32_768, 1_032_765, 1_032_766, 1_032_767, 1_032_768, 4_000_000]) {
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

test('a string as long as the longest that stays is decoded, and its escapes are undone', async () => {
  for (const length of [32_764, 32_765, 32_766]) {
    const text = `${'Q'.repeat(length)}"`;
    const { pdf } = (await parse(JSON.stringify({ pdf: text }))) as { pdf: string | Uint8Array };
    if (typeof pdf === 'string') expect(pdf).toBe(text);
    else expect(Buffer.from(pdf).toString()).toBe(String.raw`${'Q'.repeat(length)}\"`);
  }
});

test('white space is taken together, and still parts what it parts', async () => {
  const blanks = ' \r\n\t'.repeat(500_000);
  const { text } = await liftLongStrings(
    Buffer.from(`${blanks}{${blanks}"a  b"${blanks}:${blanks}[1,${blanks}2]}`),
  );
  expect(text).toBe(' { "a  b" : [1, 2]}');
  expect(await parse(`[1${blanks}2]`).catch((cause: unknown) => cause)).toBeInstanceOf(SyntaxError);
});

test('other work has its turn, whatever the text is made of', async () => {
  const megabytes = 10_000_000;
  for (const json of [
    `{"pdf":"${'\\"'.repeat(megabytes / 2)}"}`,
    `{"pdf":"${'\\\\'.repeat(megabytes / 2)}"}`,
    `{"pdf":"${'Q'.repeat(megabytes)}"}`,
    `{"pdf":"Q"${'\t'.repeat(megabytes)}}`,
    `{"pdf":[${Array(300)
      .fill(`"${'Q'.repeat(32_000)}"`)
      .join()}]}`,
  ]) {
    const others = { turns: 0, done: false };
    const parsed = parse(json).finally(() => (others.done = true));
    for (; !others.done; others.turns += 1) await setImmediate();
    await parsed;
    expect(others.turns).toBeGreaterThan(4);
  }
});

test('what would keep the parser busy is refused', async () => {
  const refusals: [json: string, says: RegExp][] = [
    [`[${'1,'.repeat(100_001)}1]`, /more than 100000 values/],
    [`[${'"",'.repeat(100_001)}1]`, /more than 100000 values/],
    ['['.repeat(101), /deeper than 100 levels/],
    [`{"pdf":${'1'.repeat(17_000_001)}}`, /more than 17000000 bytes beside its files/],
    [`{"pdf":${' '.repeat(17_000_001)}"Q"}`, /more than 17000000 bytes beside its files/],
    [
      `[${Array(600)
        .fill(`"${'Q'.repeat(32_000)}"`)
        .join()}]`,
      /more than 17000000 bytes beside its files/,
    ],
  ];
  for (const [json, says] of refusals) {
    const error = await parse(json).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).message).toMatch(says);
  }
});
