import { expect, test } from 'bun:test';
import { isBlankField } from './blank-field.ts';
import { RawJson } from './json/raw-json.ts';

const raw = (text: string) => new RawJson(Buffer.from(text));

test('absent fields, empty lists and empty objects are blank', () => {
  for (const blank of [undefined, [], {}, raw('{}'), raw(' { \n } ')]) expect(isBlankField(blank)).toBe(true);
  for (const value of [null, '', 0, false, [undefined], { a: undefined }, raw('{"a":1}'), new Uint8Array()])
    expect(isBlankField(value)).toBe(false);
});
