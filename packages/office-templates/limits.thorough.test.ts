import { expect, test } from 'bun:test';
import { fault } from './tests/fill.ts';
import { docx, paragraph as p } from './tests/make-file.ts';

test('output is limited', () => {
  const body = p('{{#each a}}') + p('{{#each ../a}}') + p('x'.repeat(500)) + p('{{/each}}') + p('{{/each}}');
  expect(fault(docx(body), { a: Array(1_000).fill(1) })).toContain('the output is too large');
});
