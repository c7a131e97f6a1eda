import { expect, test } from 'bun:test';
import { TEMPLATES_DOC, withHelpers } from '../scripts/templates-doc.ts';

test('docs/templates.md lists the helpers as their table describes them', async () => {
  const document = await Bun.file(TEMPLATES_DOC).text();
  expect(unaligned(document)).toBe(unaligned(withHelpers(document)));
});

/** Removes the padding with which the formatter aligns tables. */
function unaligned(document: string): string {
  return document
    .replace(/ +\|/g, ' |')
    .replace(/\| +/g, '| ')
    .replace(/\| -+ (?=\|)/g, '| --- ');
}
