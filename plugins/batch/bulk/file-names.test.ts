import { describe, expect, test } from 'bun:test';
import { DistinctNames, toFileName } from './file-names.ts';

describe('toFileName', () => {
  test.each([
    ['Invoice 118', 'Invoice 118.pdf'],
    ['Invoice 2026/118', 'Invoice 2026-118.pdf'],
    ['../../etc/passwd', '-..-etc-passwd.pdf'],
    ['a\u202egpj.pdf', 'a-gpj.pdf'],
    ['a\nb:c', 'a-b-c.pdf'],
    ['Report.PDF', 'Report.pdf'],
    ['.hidden', 'hidden.pdf'],
    ['NUL', '_NUL.pdf'],
    ['Müller ✓', 'Müller ✓.pdf'],
    ['x'.repeat(400), `${'x'.repeat(180)}.pdf`],
  ])('%j becomes %j', (text, name) => expect(toFileName(text)).toBe(name));

  test.each([[''], [' '], ['...'], ['/']])('nothing is left of %j', (text) =>
    expect(toFileName(text)).toBeNull(),
  );
});

test('DistinctNames numbers names that are taken, also by earlier parts of a batch', () => {
  const names = new DistinctNames(['a.pdf', 'a (2).pdf']);
  expect(['A.pdf', 'b.pdf', 'b.pdf', 'b (2).pdf', 'a.pdf', 'b.pdf'].map((name) => names.take(name))).toEqual([
    'A (3).pdf',
    'b.pdf',
    'b (2).pdf',
    'b (2) (2).pdf',
    'a (4).pdf',
    'b (3).pdf',
  ]);
});
