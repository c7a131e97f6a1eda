import { describe, expect, test } from 'bun:test';
import { writeCff } from './cff-writer.ts';
import { CffProgram } from './cff.ts';
import { symbolProgram } from './faces.ts';
import { openProgram } from './open-program.ts';
import { GlyphOutline } from './glyph-outline.ts';
import { DamagedFont } from './program.ts';
import { isSound } from './soundness.ts';

const symbol = symbolProgram('symbol');
const glyphOf = (glyph: string) => symbol.glyphOfName(glyph) ?? 0;

test('a program is read: names, widths, outlines', () => {
  expect(symbol.glyphNames.slice(0, 3)).toEqual(['.notdef', 'space', 'exclam']);
  expect([symbol.width(glyphOf('alpha')), symbol.width(glyphOf('space'))]).toEqual([631, 250]);
  expect(symbol.outline(glyphOf('alpha')).empty).toBe(false);
  expect(symbol.outline(glyphOf('space')).empty).toBe(true);
});

test.each([
  ['names', (index: number) => (index === 0 ? '.notdef' : `own${index}`)],
  ['CIDs', (index: number) => 10 * index],
])('a program with %s that is written reads back, with the widths that were asked for', (_, id) => {
  const chosen = ['.notdef', 'alpha', 'beta', 'summation'].map(glyphOf);
  const glyphs = chosen.map((glyph, index) => ({
    id: id(index),
    width: 100 * index + 77,
    outline: symbol.outline(glyph),
  }));
  const { program } = openProgram(writeCff({ name: 'Written', unitsPerEm: 1000, glyphs }));
  if (!(program instanceof CffProgram)) throw new Error('another format');
  expect(program.glyphCount).toBe(4);
  for (const [index, glyph] of chosen.entries()) {
    const key = id(index);
    expect(typeof key === 'number' ? program.glyphOfCid(key) : program.glyphOfName(key)).toBe(index);
    expect(program.width(index)).toBe(100 * index + 77);
    expect(program.outline(index).commands).toEqual(symbol.outline(glyph).commands);
  }
});

test('a program that was cut off is damaged', () => {
  const glyphs = ['.notdef', 'alpha'].map((glyph) => ({
    id: glyph,
    width: 500,
    outline: symbol.outline(glyphOf(glyph)),
  }));
  const bytes = writeCff({ name: 'Written', unitsPerEm: 1000, glyphs });
  expect(openProgram(bytes).program.whole).toBe(true);
  for (const size of [0, 3, 10, 40, bytes.length - 40])
    expect(() => openProgram(bytes.subarray(0, size))).toThrow(DamagedFont);
});

describe('isSound', () => {
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
  const soundAfter = (change: (bytes: Buffer) => void): boolean => {
    const bytes = written();
    change(bytes);
    try {
      return isSound(openProgram(bytes), [1]);
    } catch (error) {
      if (error instanceof DamagedFont) return false;
      throw error;
    }
  };

  test('takes what is as it should be', () => {
    expect(soundAfter(() => {})).toBe(true);
    expect(isSound({ program: symbol, bytes: new Uint8Array() }, [])).toBe(false);
  });

  test.each([
    ['an index whose items do not ascend', (bytes: Buffer) => bytes.writeUInt32BE(9, 11)],
    ['an index that does not begin at its beginning', (bytes: Buffer) => bytes.writeUInt32BE(2, 7)],
    ['a dictionary with a byte without meaning', (bytes: Buffer) => bytes.fill(255, 33, 34)],
    [
      'a glyph that does not end',
      (bytes: Buffer) => bytes.fill(139, bytes.lastIndexOf(14), bytes.lastIndexOf(14) + 1),
    ],
  ])('finds %s', (_, change) => {
    expect(soundAfter(change)).toBe(false);
  });
});

test('an outline that begins with a line is written so that its width can be told', () => {
  const outline = new GlyphOutline();
  outline.lineTo(10, 20);
  outline.lineTo(30, 0);
  const glyphs = [
    { id: '.notdef', width: 0, outline: new GlyphOutline() },
    { id: 'alpha', width: 321, outline },
  ];
  const opened = openProgram(writeCff({ name: 'Written', unitsPerEm: 1000, glyphs }));
  expect(opened.program.width(1)).toBe(321);
  expect(isSound(opened, [1])).toBe(true);
});
