import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { decodeStream, UnpackBudget } from './filters.ts';
import { Dict, name, PdfStream, type PdfObject } from './objects.ts';

function decode(
  data: Uint8Array | string,
  filter: string | string[],
  parameters?: Dict,
  limit = 1_000_000,
): string | undefined {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const filters: PdfObject = Array.isArray(filter) ? filter.map((each) => name(each)) : name(filter);
  const dict = Dict.of({ Filter: filters, DecodeParms: parameters });
  const decoded = decodeStream(new PdfStream(dict, bytes), new UnpackBudget(limit));
  return decoded && Buffer.from(decoded).toString('latin1');
}

test('each filter decodes its data, alone and in sequence', () => {
  expect(decode('48 65 6C6C 6F>', 'ASCIIHexDecode')).toBe('Hello');
  expect(decode('87cURD]j7BEbo80~>', 'ASCII85Decode')).toBe('Hello world!');
  expect(decode('\u0004Hello\u00fdx\u0080', 'RunLengthDecode')).toBe('Helloxxxx');
  // The example of ISO 32000-1 7.4.4.2.
  expect(decode(Buffer.from('800b6050220c0c8501', 'hex'), 'LZWDecode')).toBe('-----A---B');
  const deflated = deflateSync(Buffer.from('Hello')).toString('hex');
  expect(decode(deflated, ['ASCIIHexDecode', 'FlateDecode'])).toBe('Hello');
});

test('the readable part of damaged Flate data is decoded', () => {
  const text = Array.from({ length: 500 }, (_, index) => `Line ${index}. `).join('');
  const deflated = deflateSync(Buffer.from(text));
  const readable = decode(deflated.subarray(0, -100), 'FlateDecode') ?? '';
  expect(readable.length).toBeGreaterThan(1_000);
  expect(text).toStartWith(readable);
  deflated.writeUInt32BE(0, deflated.length - 4);
  expect(decode(deflated, 'FlateDecode')).toBe(text);
});

test('PNG and TIFF predictors are reversed', () => {
  const up = deflateSync(Uint8Array.from([2, 1, 2, 3, 2, 1, 1, 1]));
  expect(decode(up, 'FlateDecode', Dict.of({ Predictor: 12, Columns: 3 }))).toBe(
    '\u0001\u0002\u0003\u0002\u0003\u0004',
  );
  const tiff = deflateSync(Uint8Array.from([1, 1, 1]));
  expect(decode(tiff, 'FlateDecode', Dict.of({ Predictor: 2, Columns: 3 }))).toBe('\u0001\u0002\u0003');
});

test('data that decodes to more than the budget is rejected', () => {
  const bomb = deflateSync(Buffer.alloc(2_000_000));
  expect(() => decode(bomb, 'FlateDecode')).toThrow('more data');
  expect(() => decode('\u0081x'.repeat(10_000), 'RunLengthDecode')).toThrow('more data');
});

test('the data of image filters is not decoded', () => {
  expect(decode('xyz', 'DCTDecode')).toBeUndefined();
});
