import { expect, test } from 'bun:test';
import { PdfString } from './objects.ts';
import { decodeDate, decodeText, encodeText } from './text.ts';

const decode = (...bytes: number[]) => decodeText(new PdfString(Uint8Array.from(bytes)));

test('text strings in PDFDocEncoding, UTF-16 and UTF-8 are decoded', () => {
  expect(decode(0x4a, 0xf6, 0x72, 0x67)).toBe('Jörg');
  expect(decode(0x80, 0x8d, 0x9e, 0xa0)).toBe('•“ž€');
  expect(decode(0xfe, 0xff, 0x4f, 0x60)).toBe('你');
  expect(decode(0xff, 0xfe, 0x60, 0x4f)).toBe('你');
  expect(decode(0xef, 0xbb, 0xbf, 0xc3, 0xb6)).toBe('ö');
  expect(decode(0xfe, 0xff, 0x00, 0x41, 0x00)).toBe('A');
});

test('encoded text decodes to the same text', () => {
  for (const text of ['', 'plain', 'Jörg – “ž”', '你好', 'tab\there', '😀'])
    expect(decodeText(encodeText(text))).toBe(text);
});

test.each([
  ["D:20260301093000+01'00'", '2026-03-01T08:30:00.000Z'],
  ['D:20260301093000-0130', '2026-03-01T11:00:00.000Z'],
  ['20260301', '2026-03-01T00:00:00.000Z'],
  ['D:2026', '2026-01-01T00:00:00.000Z'],
  ['D:20260301093000Z', '2026-03-01T09:30:00.000Z'],
  ['D:20261301093000', null],
  ['D:20260230', null],
  ['D:20260301250000', null],
  ['yesterday', null],
  ['', null],
])('the date %p is decoded as %p', (text, iso) => {
  expect(decodeDate(text)).toBe(iso);
});
