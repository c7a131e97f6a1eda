import { describe, expect, test } from 'bun:test';
import { basename, resolve } from 'node:path';
import { printable, safeName, uniqueName } from './names.ts';

describe('safeName', () => {
  test.each([
    ['Invoice 2026', 'Invoice-2026'],
    ['../../x', 'x'],
    ['a/b', 'a-b'],
    ['a\\b:c*?', 'a-b-c'],
    ['..', 'item'],
    ['', 'item'],
    ['.git', 'git'],
    ['CON', '_CON'],
    ['nul.pdf', '_nul.pdf'],
    ['lpt1', '_lpt1'],
    ['console', 'console'],
    ['ends.', 'ends'],
    ['line\nbreak\u0000', 'line-break'],
    ['Größe 請求書', 'Größe-請求書'],
    ['Cafe\u0301', 'Café'],
    ['-rf', 'rf'],
  ])('%j becomes %j', (text, name) => {
    expect(safeName(text, 'item')).toBe(name);
  });

  test('stays a short name inside of its folder, whatever the text', () => {
    for (const text of [
      'x'.repeat(300),
      '😀/'.repeat(300),
      '𝒳'.repeat(300),
      '/'.repeat(300),
      '\u202e../../a',
    ]) {
      const name = safeName(text, 'item');
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
      expect(basename(name)).toBe(name);
      expect(resolve('/folder', name)).toBe(`/folder/${name}`);
    }
  });
});

test('uniqueName keeps names apart on file systems that ignore case', () => {
  const taken = new Set<string>();
  expect(['a', 'A', 'a', 'b'].map((name) => uniqueName(name, taken))).toEqual(['a', 'A-2', 'a-3', 'b']);
});

test('printable removes what a terminal would obey', () => {
  expect(printable('a\u001b[31m\tb\n')).toBe('a�[31m\tb\n');
});
