import { expect, test } from 'bun:test';
import { decodeBase64, decodeDataUrl } from './base64.ts';

const decode = (text: string) => decodeBase64(Buffer.from(text));

test('decodes every length with and without padding and line breaks', () => {
  for (let length = 0; length < 100; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    const text = Buffer.from(bytes).toString('base64');
    for (const written of [text, text.replaceAll('=', ''), text.replaceAll(/.{1,7}/g, '$&\r\n')])
      expect(Buffer.from(decode(written) ?? []).equals(bytes)).toBe(true);
  }
});

test('decodes long texts, with and without JSON escapes', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(500_000));
  for (const length of [500_000, 499_999, 499_998, 49_152, 49_153]) {
    const text = Buffer.from(bytes.subarray(0, length)).toString('base64');
    const written = [
      text,
      text.replaceAll('=', ''),
      text.replaceAll('/', String.raw`\/`),
      text.replaceAll('+', String.raw`\u002B`).replaceAll('=', String.raw`\u003d`),
      text.replaceAll(/.{76}/g, String.raw`$&\r\n`),
      text.replace(/.{100001}/, '$&\n'),
    ];
    for (const one of written)
      expect(Buffer.compare(decode(one) ?? Buffer.of(), bytes.subarray(0, length))).toBe(0);
    for (const fault of ['-', '=', '\u00e9', String.raw`\"`, String.raw`\x`, String.raw`\u0041\u00e9`])
      for (const place of [5, 70_003, text.length - 9])
        expect(decode(text.slice(0, place) + fault + text.slice(place))).toBeUndefined();
  }
});

test('rejects malformed base64', () => {
  for (const text of [
    '*',
    'A',
    'AAAAA',
    'AA=A',
    'AAA==',
    'AA===',
    '====',
    'AAA-',
    'AA_A',
    'QUJD\u00e9',
    'AA=='.repeat(2),
  ])
    expect(decode(text)).toBeUndefined();
});

test('decodes a data URL, as a string or as bytes', () => {
  const plain = Buffer.from('Platen').toString('base64');
  for (const prefix of [
    '',
    'data:;base64,',
    'DATA:image/png;charset=utf-8;base64,',
    ' \n data:font/ttf;base64,',
  ])
    for (const text of [prefix + plain, Buffer.from(prefix + plain)])
      expect(Buffer.from(decodeDataUrl(text) ?? []).toString()).toBe('Platen');
  for (const text of ['data:text/plain,Platen', `data:${'x'.repeat(300)};base64,${plain}`, `${plain},`])
    expect(decodeDataUrl(text)).toBeUndefined();
});
