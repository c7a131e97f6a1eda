import { expect, test } from 'bun:test';
import { writeCff } from './cff-writer.ts';
import { CffProgram } from './cff.ts';
import { symbolProgram } from './faces.ts';
import { openProgram } from './open-program.ts';
import { DamagedFont } from './program.ts';

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
