import { expect, test } from 'bun:test';
import { checkPdfua } from '@platen/pdf-standards';
import { fontFiles } from './ua/fonts.ts';
import { taggedFile } from './ua/tagged-file.ts';
import { uaCases } from './ua/cases.ts';

test.each(uaCases)('%s', (name, valid, file) => {
  const found = checkPdfua(taggedFile(file));
  expect(found.length === 0).toBe(valid);
  expect(found.every(({ clause }) => /^(?:5|6\.\d|7\.[\d.]+)$/.test(clause))).toBe(true);
  expect(name.split(':')[0]).toMatch(/^(?:[\d.]+|a plain file)$/);
});

test('a font is judged by its program', async () => {
  const files = await fontFiles();
  const clausesOf = (name: string) =>
    checkPdfua(files.get(name) ?? new Uint8Array()).map(({ clause }) => clause);
  expect(clausesOf('a composite TrueType font')).toEqual([]);
  expect(clausesOf('a nonsymbolic font with a map of platform 0')).toEqual(['7.21.4.2']);
  expect(clausesOf('a composite TrueType font without CIDToGIDMap')).toEqual(['7.21.3.2']);
});

test('every case has a name of its own, and each rule a file that breaks it', () => {
  expect(new Set(uaCases.map(([name]) => name)).size).toBe(uaCases.length);
  expect(uaCases.filter(([, valid]) => !valid).length).toBeGreaterThan(80);
  expect(uaCases.filter(([, valid]) => valid).length).toBeGreaterThan(40);
});
