import { expect, test } from 'bun:test';
import { TEMPLATES_DOC, withHelpers } from '../scripts/templates-doc.ts';

test('docs/templates.md is up to date with the table of helpers', async () => {
  const document = await Bun.file(TEMPLATES_DOC).text();
  expect(unaligned(document)).toBe(unaligned(withHelpers(document)));
});

/** Removes the padding that the formatter adds to tables. */
function unaligned(document: string): string {
  return document
    .replace(/ +\|/g, ' |')
    .replace(/\| +/g, '| ')
    .replace(/\| -+ (?=\|)/g, '| --- ');
}
