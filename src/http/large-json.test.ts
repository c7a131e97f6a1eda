import { describe, expect, test } from 'bun:test';
import { parseLargeJson } from './large-json.ts';

const long = 'Zeile „mit“ "Anführung" \\ und 𝒰mbruch\n'.repeat(4_000);
const parse = (text: string) => parseLargeJson(Buffer.from(text));

describe('large JSON is parsed as JSON.parse does it', () => {
  const values: unknown[] = [
    {
      items: Array.from({ length: 30 }, (_, index) => ({ html: long, data: { index, deep: [[{ index }]] } })),
    },
    { items: [{ html: 'small' }, { html: long }, 'text', 7, null, [long], { html: 'small' }], webhook: 'x' },
    { data: { rows: [long], 'a"b': { long }, 10: { long }, 2: { long } }, html: long },
    [[{ long }], { long }, long],
    long,
    17,
    { '}': ['{', `]${long}`, { '"': [long] }], empty: {}, none: [] },
  ];
  test.each(values.map((value, index) => [index, value] as const))('value %i', async (_, value) => {
    const text = JSON.stringify(value);
    expect(await parse(text)).toEqual(value);
    expect(await parse(JSON.stringify(value, null, 2))).toEqual(value);
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('with a byte order mark, and with bytes that are no text', async () => {
    const text = JSON.stringify({ items: [{ long }] });
    expect(await parse(`\uFEFF${text}`)).toEqual({ items: [{ long }] });
    const broken = Buffer.from(text);
    broken[20] = 0xff;
    expect(await parseLargeJson(broken)).toEqual(JSON.parse(new TextDecoder().decode(broken)));
  });

  test.each([
    ['an encoded half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['the beginning of a character', [0xe2, 0x82]],
    ['the beginning of a long character', [0xf0, 0x9f, 0x98]],
    ['a byte order mark', [0xef, 0xbb, 0xbf]],
  ])('%s at either end of a string in a piece', async (_, broken) => {
    const text = Buffer.from(`{"items":[{"a":"?${'x'.repeat(100_000)}?"}]}`);
    const bytes = Buffer.concat([
      text.subarray(0, 16),
      Buffer.from(broken),
      text.subarray(17, -5),
      Buffer.from(broken),
      text.subarray(-4),
    ]);
    const whole: unknown = JSON.parse(new TextDecoder().decode(bytes));
    expect(await parseLargeJson(bytes)).toEqual(whole);
  });

  test('numbers like those that stand for pieces are numbers', async () => {
    const numbers = [2 ** 52 - 1, 2 ** 52, 2 ** 52 + 1, 2 ** 53 - 1, 2 ** 53, -(2 ** 52)];
    const value = { items: [{ long }, ...numbers, { long }], rows: [...numbers, { numbers, long }] };
    expect(await parse(JSON.stringify(value))).toEqual(value);
  });

  test('of two members of one name the last counts', async () => {
    const [one, two] = [JSON.stringify({ long, a: 1 }), JSON.stringify({ long, a: 2 })];
    expect(await parse(`{"items":[1],"items":{"x":${one},"x":${two}}}`)).toEqual({
      items: { x: { long, a: 2 } },
    });
  });

  test('a name like that of a prototype is a name', async () => {
    const text = `{"items":[{"__proto__":{"a":1},"long":${JSON.stringify(long)}}],"data":{"__proto__":{"long":${JSON.stringify(long)}}}}`;
    const parsed = await parse(text);
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
    expect(({} as { long?: string }).long).toBeUndefined();
  });
});

const piece = JSON.stringify({ long });
const refused: [string, string][] = [
  ['pieces without a comma', `{"items":[${piece}${piece}]}`],
  ['a piece where a name belongs', `{"items":{${piece}:1}}`],
  ['a piece that is not JSON', `{"items":[{"long":${JSON.stringify(long)},}]}`],
  ['brackets of the wrong kind', `{"items":[{"long":[${JSON.stringify(long)}}]]}`],
  ['an end that is missing', `{"items":[${piece}`],
  ['a string that does not end', `{"items":[${piece.slice(0, -2)}`],
  ['a byte order mark behind a piece', `{"items":[${piece}\uFEFF]}`],
  ['a closing bracket too many before a piece', `{"items":[]]],[{${piece}}]}`],
  ['a backslash before the quote of a string', `{"items":[{\\"long":${JSON.stringify(long)}}]}`],
  ['a sign before a piece', `{"items":[-${piece}]}`],
  ['a digit before a piece', `{"items":[1${piece}]}`],
  ['nothing', ''],
];
test.each(refused)('refuses %s', async (_, text) => {
  expect(await parse(text).catch((error: unknown) => error)).toBeInstanceOf(SyntaxError);
});

test('refuses what is too deep, or has too many values', async () => {
  const messageOf = (text: string) => parse(text).catch((error: Error) => error.message);
  expect(await messageOf(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)).toContain('deeper than 100');
  expect(await messageOf(`{"a":[${'1,'.repeat(1_000_001)}1]}`)).toContain('more than 1000000 values');
});
