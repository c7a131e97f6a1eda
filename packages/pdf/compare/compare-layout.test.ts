import { expect, test } from 'bun:test';
import { compareLayout } from './compare-layout.ts';

const page = (text: string) => ({
  widthPt: 100,
  heightPt: 100,
  lines: [{ text, box: { x: 0, y: 0, width: 90, height: 10 }, font: 'Inter' }],
});
const findingsOf = (before: string, after: string) => compareLayout(page(before), page(after)).findings;

test('a long line that has changed is quoted around its first difference', () => {
  const start = 'Your table is reserved for this evening, and we look forward to ';
  const end = ', with a view of the sea and of the old harbour in the east';
  expect(findingsOf(`${start}Ada${end}`, `${start}Grace${end}`)).toEqual([
    'the line "… we look forward to Ada, with a view of the sea and of the o…" is now "… we look forward to Grace, with a view of the sea and of the…"',
  ]);
  expect(findingsOf(`Ada${end} of the city`, `Grace${end} of the city`)).toEqual([
    'the line "Ada, with a view of the sea and of the old harbour in the ea…" is now "Grace, with a view of the sea and of the old harbour in the …"',
  ]);
  expect(findingsOf('Ada', 'Grace')).toEqual(['the line "Ada" is now "Grace"']);
});

test('a character of two code units is not divided', () => {
  const [finding] = findingsOf(`${'\u{1f600}'.repeat(50)}a`, `${'\u{1f600}'.repeat(50)}bc`);
  expect(finding).not.toMatch(/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
  const uneven = findingsOf(`x${'\u{1f600}'.repeat(50)}a`, `x${'\u{1f600}'.repeat(50)}bc`);
  expect(uneven.join('')).not.toMatch(
    /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/,
  );
});
