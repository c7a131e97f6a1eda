import { describe, expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { LiftPlan } from './lift-plan.ts';
import { RawJson } from './raw-json.ts';
import { parsePlanned } from '../http/body/read-json.ts';

const long = 'Zeile „mit“ "Anführung" \\ und 𝒰mbruch\n'.repeat(4_000);
const parse = (text: string | Buffer, plan?: LiftPlan) => parsePlanned(Buffer.from(text), plan);
const refusal = (text: string | Buffer, plan?: LiftPlan) =>
  parse(text, plan).catch((error: unknown) => error);

const pdfs: LiftPlan = {
  kind: 'members',
  members: new Map<string, LiftPlan>([
    ['pdf', { kind: 'bytes' }],
    ['pdfs', { kind: 'items', items: { kind: 'bytes' } }],
  ]),
};
const withData: LiftPlan = { kind: 'members', members: new Map([['data', { kind: 'raw' }]]) };
const items: LiftPlan = {
  kind: 'members',
  members: new Map([['items', { kind: 'items', items: withData }]]),
};

const values: unknown[] = [
  { items: Array.from({ length: 30 }, (_, index) => ({ html: long, data: { deep: [[{ index }]] } })) },
  { items: [{ html: 'small' }, { html: long }, 'text', 7, null, [long], { html: 'small' }], webhook: 'x' },
  { data: { rows: [long], 'a"b': { long }, 10: { long }, 2: { long } }, html: long },
  [[{ long }], { long }, long, [], {}, [[]], [{}]],
  long,
  '',
  17,
  [0, 1e21, 1.5e-7, -12.25, 1e308, 5e-324, 123456789012345680],
  [true, false, null],
  { '}': ['{', `]${long}`, { '"': [long] }], empty: {}, none: [], '': 1 },
  '\u0000\u001f\u007f\u2028\u2029\uFEFF"\\/\b\f\n\r\t',
];

describe('reads JSON as JSON.parse does', () => {
  test.each(values.map((value, index) => [index, value] as const))('value %i', async (_, value) => {
    for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 2)}\r\n\t`]) {
      expect(await parse(text)).toEqual(value);
      expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  test.each([
    String.raw`"\u0041\ud83d\ude00\uD800\"\\\/\b\f\n\r\t"`,
    String.raw`{"\u0061":1,"a":2}`,
    '{"a":1,"b":2,"a":3}',
    '[1E5,1e+5,1e-5,0.0,-0,-0.0e0,1e400]',
  ])('%s', async (text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  test('randomly changed texts are rejected, or read as JSON.parse does', async () => {
    const base = JSON.stringify({
      data: { a: [1, -2.5e3, true, null, 'x\n\u00e9\ud83d'], b: {} },
      items: [{ data: { x: [] } }, 'y'],
    });
    const bytes = Buffer.from('{}[],:"\\0123456789.eE+-truefalsnu \n\x00\x1f\xe9\xff', 'latin1');
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed >>> 8) % below;
    };
    let valid = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const text = Buffer.from(base);
      for (let change = random(3); change >= 0; change -= 1)
        text[random(text.length)] = bytes[random(bytes.length)] ?? 0;
      const cut = text.subarray(0, random(4) === 0 ? random(text.length) : text.length);
      let expected: unknown;
      let isValid = true;
      try {
        expected = JSON.parse(new TextDecoder().decode(cut));
      } catch {
        isValid = false;
      }
      for (const plan of [undefined, withData, items]) {
        const read = await refusal(cut, plan);
        if (!isValid) expect([cut.toString(), read]).toEqual([cut.toString(), expect.any(AppError)]);
        else expect(parsed(read)).toEqual(expected);
      }
      valid += Number(isValid);
    }
    expect(valid).toBeGreaterThan(200);
  });

  test.each([
    ['an encoded half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['the beginning of a character', [0xe2, 0x82]],
    ['the beginning of a long character', [0xf0, 0x9f, 0x98]],
    ['a byte order mark', [0xef, 0xbb, 0xbf]],
    ['an invalid byte', [0xff]],
  ])('%s at either end of a string', async (_, broken) => {
    for (const length of [10, 32_768, 131_072, 131_073, 400_000]) {
      const bytes = Buffer.concat([
        Buffer.from('{"items":[{"a":"'),
        Buffer.from(broken),
        Buffer.alloc(length, 'x'),
        Buffer.from(broken),
        Buffer.from('"}]}'),
      ]);
      expect(await parse(bytes)).toEqual(JSON.parse(new TextDecoder().decode(bytes)));
    }
  });

  test('characters and escapes across the border of two pieces', async () => {
    for (const unit of ['é', '中', '😀', '\n', '\u0001', '\\', '"']) {
      for (const shift of [0, 1, 2, 3, 4, 5]) {
        const value = 'x'.repeat(shift) + unit.repeat(200_000);
        expect((await parse(JSON.stringify([value]))) as string[]).toEqual([value]);
      }
    }
  });

  test('names such as __proto__ are ordinary names', async () => {
    const text = `{"__proto__":{"a":1},"data":{"__proto__":{"long":${JSON.stringify(long)}}}}`;
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    expect(({} as { a?: number; long?: string }).a).toBeUndefined();
  });

  test('with a byte order mark', async () => {
    expect(await parse('\uFEFF{"a":"short"}')).toEqual({ a: 'short' });
  });
});

const piece = JSON.stringify({ long });
describe('malformed JSON is rejected:', () => {
  test.each([
    ['values without a comma', `{"items":[${piece}${piece}]}`],
    ['an object where a name belongs', `{"items":{${piece}:1}}`],
    ['a comma before the end', `{"items":[{"long":${JSON.stringify(long)},}]}`],
    ['brackets of the wrong kind', `{"items":[{"long":[${JSON.stringify(long)}}]]}`],
    ['a missing end', `{"items":[${piece}`],
    ['an unterminated string', `{"items":[${piece.slice(0, -2)}`],
    ['a byte order mark after a value', `{"items":[${piece}\uFEFF]}`],
    ['an extra closing bracket', `{"items":[]]],[{${piece}}]}`],
    ['a backslash before the quote of a string', `{"items":[{\\"long":${JSON.stringify(long)}}]}`],
    ['a sign before an object', `{"items":[-${piece}]}`],
    ['a digit before an object', `{"items":[1${piece}]}`],
    ['a line break in a string', `{"items":"a\nb"}`],
    ['a line break in a long string', `{"items":"${'x'.repeat(50_000)}\n"}`],
    ['an unknown escape', `{"items":"${'x'.repeat(50_000)}\\x"}`],
    ['a truncated escape', `{"items":"${'x'.repeat(50_000)}\\u12"}`],
    ['an escape at the end', `"${'x'.repeat(50_000)}\\`],
    ['blanks', '  \n'],
    ['two values', '{} {}'],
    ['a long string and another', `"${'x'.repeat(50_000)}" "${'x'.repeat(50_000)}"`],
  ])('%s', async (_, text) => {
    for (const where of [text, `{"data":${text}}`, `{"data":{"x":${text}}}`])
      for (const plan of [undefined, withData, pdfs])
        expect(await refusal(where, plan)).toMatchObject({
          code: 'VALIDATION_ERROR',
          message: 'the body is not valid JSON',
        });
  });
});

describe('an object that stays text', () => {
  test('is the text as sent, only where the plan says so', async () => {
    const data = '{ "a" : [1, "é\\n", {"data":{}}], "long":"' + 'x'.repeat(100_000) + '" }';
    const json = `{"items":[{"data":${data},"x":{"data":{}}},{"data":[]}],"data":{}}`;
    const read = (await parse(json, items)) as { items: { data: RawJson }[] };
    expect(read.items.map((item) => item.data.text)).toEqual([data, undefined] as never);
    expect(read).toEqual({
      items: [{ data: expect.any(RawJson), x: { data: {} } }, { data: [] }],
      data: {},
    } as never);
  });

  test('comes from the last of several equal names, even if a name has an escape', async () => {
    const read = (await parse(`{"data":{"a":1},"d\\u0061ta":{"a":2}}`, withData)) as { data: RawJson };
    expect(read.data.text).toBe('{"a":2}');
  });
});

describe('a long string that stays bytes', () => {
  const base64 = 'QUJD'.repeat(20_000);

  test('is the bytes of the body, only where the plan says so', async () => {
    const value = { pdf: base64, pdfs: [base64, 'short'], other: base64 };
    expect(await parse(JSON.stringify(value), pdfs)).toEqual({
      pdf: new Uint8Array(Buffer.from(base64)),
      pdfs: [new Uint8Array(Buffer.from(base64)), 'short'],
      other: base64,
    });
  });

  test('ends at the closing quote and keeps its escapes', async () => {
    const quotes = String.raw`\"`;
    for (const length of [32_766, 32_767, 32_768, 131_069, 131_070, 131_071, 131_072, 4_000_000]) {
      const text = 'Q'.repeat(length) + quotes + base64;
      const read = (await parse(`{"pdf":"${text}","tail":"\\\\"}`, pdfs)) as Record<string, unknown>;
      expect(Buffer.compare(read['pdf'] as Uint8Array, Buffer.from(text))).toBe(0);
      expect(read['tail']).toBe('\\');
    }
  });

  test('is decoded when it is short', async () => {
    for (const length of [32_764, 32_765, 32_766]) {
      const text = `${'Q'.repeat(length)}"`;
      const { pdf } = (await parse(JSON.stringify({ pdf: text }), pdfs)) as { pdf: string | Uint8Array };
      if (typeof pdf === 'string') expect(pdf).toBe(text);
      else expect(Buffer.from(pdf).toString()).toBe(String.raw`${'Q'.repeat(length)}\"`);
    }
  });
});

test('other work runs while any kind of body is read', async () => {
  const size = 10_000_000;
  for (const json of [
    `{"pdf":"${'\\"'.repeat(size / 2)}"}`,
    `{"text":"${'\\n'.repeat(size / 2)}"}`,
    `{"data":{"${'k'.repeat(size)}":1}}`,
    `{"pdf":"Q"${'\t'.repeat(size)}}`,
    `{"data":{"x":[${'{},'.repeat(400_000)}1]}}`,
    `{"data":{"x":"${'\\n'.repeat(size / 2)}"}}`,
    `{"pdfs":[${'"x",'.repeat(90_000)}"x"]}`,
  ])
    for (const plan of [pdfs, withData]) {
      const others = { turns: 0, done: false };
      const read = refusal(json, plan).finally(() => (others.done = true));
      for (; !others.done; others.turns += 1) await setImmediate();
      await read;
      expect(others.turns).toBeGreaterThan(0);
    }
});

test.each<[json: string, plan: LiftPlan, says: string]>([
  ['['.repeat(101), withData, 'the body is nested deeper than 100 levels'],
  [`{"data":{"a":${'['.repeat(101)}`, withData, 'the body is nested deeper than 100 levels'],
  [`[${'1,'.repeat(100_001)}1]`, pdfs, 'the body holds more than 100000 values'],
  [`[${'1,'.repeat(100_001)}1]`, withData, 'the body holds more than 100000 values outside its data'],
  [`{"data":{"a":[${'1,'.repeat(1_000_001)}1]}}`, withData, 'the body holds more than 1000000 values'],
  [`{"pdf":${' '.repeat(17_000_001)}"Q"}`, pdfs, 'the body holds more than 17000000 bytes outside its files'],
  [
    `[${`"${'Q'.repeat(32_000)}",`.repeat(600)}1]`,
    pdfs,
    'the body holds more than 17000000 bytes outside its files',
  ],
  [`{"pdf":${'1'.repeat(1_001)}}`, pdfs, 'a number has more than 1000 characters'],
  [`{"${'k'.repeat(40_000)}":1}`, pdfs, 'the name of a field has more than 32768 bytes'],
  ['', pdfs, 'the body is missing: send a JSON object'],
])('a body that exceeds a limit is rejected (%#)', async (json, plan, says) => {
  expect(await refusal(json, plan)).toMatchObject({ code: 'VALIDATION_ERROR', message: says });
});

/** Parses the objects that stayed text. */
function parsed(value: unknown): unknown {
  if (value instanceof RawJson) return JSON.parse(value.text);
  if (Array.isArray(value)) return value.map(parsed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, parsed(member)]));
}
