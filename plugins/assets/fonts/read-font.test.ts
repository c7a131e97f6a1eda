import { describe, expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import {
  fontOf,
  inflateFont,
  openTypeFont,
  renameFont,
  tablesOf,
  trueTypeFont,
  woff2Of,
} from '../../../tests/support/fonts/fonts.ts';
import { FontFault } from './font-fault.ts';
import { readFont } from './read-font.ts';

function faultOf(font: Uint8Array): string {
  try {
    readFont(font);
    return '';
  } catch (error) {
    if (error instanceof FontFault) return error.message;
    throw error;
  }
}

function withTable(tag: string, change: (table: Buffer) => Buffer | undefined): Buffer {
  const tables = tablesOf(trueTypeFont);
  const changed = change(Buffer.from(tables.get(tag) ?? []));
  if (changed) tables.set(tag, changed);
  else tables.delete(tag);
  return fontOf(tables);
}

const write16 = (at: number, value: number) => (table: Buffer) => {
  table.writeUInt16BE(value, at);
  return table;
};

describe('readFont', () => {
  test('reads family, weight and style of TrueType, OpenType and WOFF2 fonts', () => {
    expect(readFont(openTypeFont)).toEqual({ family: 'Inconsolata', weight: '500', style: 'normal' });
    const renamed = renameFont(trueTypeFont, 'Acme Grüße');
    const expected = { family: 'Acme Grüße', weight: '400', style: 'normal' } as const;
    expect(readFont(renamed)).toEqual(expected);
    expect(readFont(woff2Of(renamed))).toEqual(expected);
    expect(readFont(inflateFont(renamed, 2_000_000))).toEqual(expected);
  });

  test.each([
    ['a weight class of 7', withTable('OS/2', write16(4, 7)), { weight: '700' }],
    ['a weight class of 0', withTable('OS/2', write16(4, 0)), { weight: '400' }],
    ['an italic font', withTable('OS/2', write16(62, 1)), { style: 'italic' }],
    ['an oblique font', withTable('OS/2', write16(62, 0x200)), { style: 'oblique' }],
  ])('reads %s', (_, font, expected) => {
    expect(readFont(font)).toMatchObject(expected);
  });

  test('reads the range of a variable font', () => {
    const tables = tablesOf(trueTypeFont);
    const fvar = Buffer.alloc(16 + 20);
    for (const [at, value] of [1, 0, 16, 2, 1, 20].entries()) fvar.writeUInt16BE(value, 2 * at);
    fvar.write('wght', 16, 'latin1');
    for (const [at, value] of [100, 400, 900].entries()) fvar.writeInt32BE(value * 65_536, 20 + 4 * at);
    tables.set('fvar', fvar);
    expect(readFont(fontOf(tables)).weight).toBe('100 900');
  });

  const hugeCount = Buffer.from(trueTypeFont);
  hugeCount.writeUInt16BE(0xffff, 4);
  const overflow = Buffer.from(trueTypeFont);
  overflow.writeUInt32BE(0xffffffff, 12 + 8);
  const twice = Buffer.from(trueTypeFont);
  twice.copy(twice, 12 + 16, 12, 12 + 16);
  const bomb = woff2Of(trueTypeFont, {
    declare: (tag, length) => (tag === 'glyf' ? 4_000_000_000 : length),
  });
  // Claims small tables, but its stream decompresses to 500 MB.
  const unpacking = woff2Of(trueTypeFont, {
    packed: brotliCompressSync(Buffer.alloc(500_000_000), { params: { 1: 1 } }),
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'outside of the file'],
    ['a text', Buffer.from('hello, world'), 'is not a TrueType'],
    ['a font with 65,535 tables', hugeCount, 'it has 65535 tables'],
    ['a table beyond the end', overflow, 'outside of the file'],
    ['a table that occurs twice', twice, 'twice'],
    ['a font without a cmap', withTable('cmap', () => undefined), 'the table cmap is missing'],
    ['a font without glyphs', withTable('glyf', () => undefined), 'it has no glyphs'],
    ['more metrics than glyphs', withTable('hhea', write16(34, 0xffff)), 'number of glyphs'],
    ['too few metrics', withTable('hmtx', (table) => table.subarray(0, 8)), 'hmtx is too short'],
    [
      'glyphs beyond their table',
      withTable('glyf', (table) => table.subarray(0, 100)),
      'outside of the table',
    ],
    ['an empty name table', withTable('name', () => Buffer.alloc(6)), 'has no family name'],
    ['a WOFF2 file that claims 4 GB', bomb, 'larger than'],
    ['a WOFF2 file that decompresses to 500 MB', unpacking, 'cannot be decompressed'],
  ])('rejects %s', (_, font, message) => {
    expect(faultOf(font)).toContain(message);
  });

  test('a truncated font is rejected, and a font with an inverted byte is read or rejected', () => {
    for (const font of [trueTypeFont, woff2Of(trueTypeFont)]) {
      // Up to three bytes at the end are padding.
      for (let length = 0; length < font.length - 3; length += 97)
        expect(faultOf(font.subarray(0, length))).not.toBe('');
      for (let at = 0; at < Math.min(font.length, 600); at += 1) {
        const changed = Buffer.from(font);
        changed[at] = 255 - (changed[at] ?? 0);
        faultOf(changed);
      }
    }
  });
});
