import { expect, test } from 'bun:test';
import { decodeBase64 } from './base64.ts';

const decode = (text: string) => decodeBase64(Buffer.from(text));

test('every length, with padding, without, and in lines', () => {
  for (let length = 0; length < 100; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    const text = Buffer.from(bytes).toString('base64');
    for (const written of [text, text.replaceAll('=', ''), text.replaceAll(/.{1,7}/g, '$&\r\n')])
      expect(Buffer.from(decode(written) ?? []).equals(bytes)).toBe(true);
  }
});

test('what is not base64', () => {
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
