import { expect, test } from 'bun:test';
import { cellsOf, fault, filled } from './tests/fill.ts';
import { docx, paragraph as p, rows, xlsx } from './tests/make-file.ts';

test('output is limited', () => {
  const body = p('{{#each a}}') + p('{{#each ../a}}') + p('x'.repeat(500)) + p('{{/each}}') + p('{{/each}}');
  expect(fault(docx(body), { a: Array(1_000).fill(1) })).toContain('the output is too large');
});

test('5,000 repeated rows with formulas', () => {
  const sheet = rows({
    A1: '{{#each items}}{{this}}',
    B1: '=A1*2',
    C1: '{{/each}}',
    A2: '=SUM(B1)',
  });
  const { parts } = filled(xlsx({ One: sheet }), {
    items: Array.from({ length: 5_000 }, (_, index) => index),
  });
  const cells = cellsOf(parts['xl/worksheets/sheet1.xml']);
  expect([cells['A5000'], cells['B5000'], cells['A5001']]).toEqual(['n:4999', '=A5000*2', '=SUM(B1:B5000)']);
});
