import { expect, test } from 'bun:test';
import { codeKey, readCMap } from './cmap.ts';
import { predefinedCMap, unicodeOfCollection } from './predefined-cmaps.ts';

function textOf(cmapName: string, ordering: string, bytes: readonly number[]): string {
  const cmap = predefinedCMap(cmapName);
  const unicode = unicodeOfCollection(ordering);
  if (!cmap || !unicode) throw new Error(`unknown CMap ${cmapName}`);
  return [...cmap.codes(Uint8Array.from(bytes))]
    .map((key) => unicode.get(codeKey(cmap.cid(key) ?? 0, 2)) ?? '?')
    .join('');
}

test.each([
  ['90ms-RKSJ-H', 'Japan1', [0x93, 0xfa, 0x96, 0x7b, 0x41, 0xb1], '日本Aｱ'],
  ['UniGB-UCS2-H', 'GB1', [0x4e, 0x2d, 0x65, 0x87], '中文'],
  ['GBK-EUC-H', 'GB1', [0xd6, 0xd0, 0x61], '中a'],
  ['ETen-B5-H', 'CNS1', [0xa4, 0xa4, 0x62], '中b'],
  ['KSCms-UHC-H', 'Korea1', [0xb0, 0xa1, 0x61], '가a'],
])('predefinedCMap maps codes of %s', (cmapName, ordering, bytes, text) => {
  expect(textOf(cmapName, ordering, bytes)).toBe(text);
});

test('a vertical CMap has other CIDs for punctuation, and the same for other characters', () => {
  const [vertical, horizontal] = [predefinedCMap('UniJIS-UTF16-V'), predefinedCMap('UniJIS-UTF16-H')];
  const comma = codeKey(0x3001, 2);
  expect([vertical?.vertical, horizontal?.vertical]).toEqual([true, false]);
  expect(vertical?.cid(comma)).not.toBe(horizontal?.cid(comma));
  expect(vertical?.cid(codeKey(0x65e5, 2))).toBe(horizontal?.cid(codeKey(0x65e5, 2)));
});

test('readCMap reads mappings to CIDs and to Unicode', () => {
  const text = `/WMode 1 def 2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
1 begincidrange <20> <7e> 1 endcidrange 1 begincidchar <8001> 500 endcidchar
1 beginbfchar <41> <0041030A> endbfchar 2 beginbfrange <42> <44> <0062> <45> <46> [<0078> <D83DDE00>] endbfrange`;
  const map = readCMap(Buffer.from(text), () => undefined);
  const codes = [...map.codes(Uint8Array.from([0x21, 0x80, 0x01, 0x22]))];
  expect(codes.map((key) => map.cid(key))).toEqual([2, 500, 3]);
  expect(map.vertical).toBe(true);
  expect([0x41, 0x43, 0x44, 0x46].map((code) => map.unicode.get(codeKey(code, 1)))).toEqual([
    'A\u030a',
    'c',
    'd',
    '😀',
  ]);
});
