import { describe, expect, test } from 'bun:test';
import { writeCff } from './cff-writer.ts';
import { CffProgram } from './cff.ts';
import { symbolProgram } from './faces.ts';
import { openProgram } from './open-program.ts';
import { GlyphOutline } from './glyph-outline.ts';
import { DamagedFont } from './program.ts';
import { isValidProgram } from './validate-program.ts';

const symbol = symbolProgram('symbol');
const glyphOf = (glyph: string) => symbol.glyphOfName(glyph) ?? 0;

test('CffProgram reads glyph names, widths and outlines', () => {
  expect(symbol.glyphNames.slice(0, 3)).toEqual(['.notdef', 'space', 'exclam']);
  expect([symbol.width(glyphOf('alpha')), symbol.width(glyphOf('space'))]).toEqual([631, 250]);
  expect(symbol.outline(glyphOf('alpha')).empty).toBe(false);
  expect(symbol.outline(glyphOf('space')).empty).toBe(true);
});

test.each([
  ['glyph names', (index: number) => (index === 0 ? '.notdef' : `glyph${index}`)],
  ['CIDs', (index: number) => 10 * index],
])('writeCff writes a program with %s that reads back with the requested widths', (_, id) => {
  const chosen = ['.notdef', 'alpha', 'beta', 'summation'].map(glyphOf);
  const glyphs = chosen.map((glyph, index) => ({
    id: id(index),
    width: 100 * index + 77,
    outline: symbol.outline(glyph),
  }));
  const { program } = openProgram(writeCff({ name: 'Written', unitsPerEm: 1000, glyphs }));
  if (!(program instanceof CffProgram)) throw new Error('the program is not CFF');
  expect(program.glyphCount).toBe(4);
  for (const [index, glyph] of chosen.entries()) {
    const key = id(index);
    expect(typeof key === 'number' ? program.glyphOfCid(key) : program.glyphOfName(key)).toBe(index);
    expect(program.width(index)).toBe(100 * index + 77);
    expect(program.outline(index).commands).toEqual(symbol.outline(glyph).commands);
  }
});

test('openProgram rejects a truncated program', () => {
  const glyphs = ['.notdef', 'alpha'].map((glyph) => ({
    id: glyph,
    width: 500,
    outline: symbol.outline(glyphOf(glyph)),
  }));
  const bytes = writeCff({ name: 'Written', unitsPerEm: 1000, glyphs });
  expect(openProgram(bytes).program.complete).toBe(true);
  for (const size of [0, 3, 10, 40, bytes.length - 40])
    expect(() => openProgram(bytes.subarray(0, size))).toThrow(DamagedFont);
});

describe('isValidProgram', () => {
  const written = () =>
    writeCff({
      name: 'Written',
      unitsPerEm: 1000,
      glyphs: ['.notdef', 'alpha', 'beta'].map((glyph) => ({
        id: glyph,
        width: 500,
        outline: symbol.outline(glyphOf(glyph)),
      })),
    });
  const isValidAfter = (change: (bytes: Buffer) => void): boolean => {
    const bytes = written();
    change(bytes);
    try {
      return isValidProgram(openProgram(bytes), [1]);
    } catch (error) {
      if (error instanceof DamagedFont) return false;
      throw error;
    }
  };

  test('accepts a valid program, and rejects empty data', () => {
    expect(isValidAfter(() => {})).toBe(true);
    expect(isValidProgram({ program: symbol, bytes: new Uint8Array() }, [])).toBe(false);
  });

  test.each([
    ['an index with descending offsets', (bytes: Buffer) => bytes.writeUInt32BE(9, 11)],
    ['an index whose first offset is not 1', (bytes: Buffer) => bytes.writeUInt32BE(2, 7)],
    ['a dictionary with a reserved byte', (bytes: Buffer) => bytes.fill(255, 33, 34)],
    [
      'a glyph without endchar',
      (bytes: Buffer) => bytes.fill(139, bytes.lastIndexOf(14), bytes.lastIndexOf(14) + 1),
    ],
  ])('rejects %s', (_, change) => {
    expect(isValidAfter(change)).toBe(false);
  });
});

test('writeCff keeps the width of an outline that begins with a line', () => {
  const outline = new GlyphOutline();
  outline.lineTo(10, 20);
  outline.lineTo(30, 0);
  const glyphs = [
    { id: '.notdef', width: 0, outline: new GlyphOutline() },
    { id: 'alpha', width: 321, outline },
  ];
  const opened = openProgram(writeCff({ name: 'Written', unitsPerEm: 1000, glyphs }));
  expect(opened.program.width(1)).toBe(321);
  expect(isValidProgram(opened, [1])).toBe(true);
});
