import { describe, expect, test } from 'bun:test';
import { compareFiles, describeChange, listChanges, unifiedDiff } from './compare.ts';
import { digestOf, filesOf, type TemplateState } from './state.ts';

const STATE: TemplateState = {
  name: 'Invoice',
  alias: null,
  category: 'other',
  partial: false,
  tags: [],
  requireChecks: false,
  options: { margin: '20mm', format: 'A4' },
  schema: {},
  content: { format: 'html', text: '<p>1</p>\n<p>2</p>\n' },
  sampleData: { b: 1, a: 2 },
  cases: new Map([
    ['b', { data: {}, options: null, accepted: null }],
    ['a', { data: {}, options: null, accepted: new Uint8Array([1, 2]) }],
  ]),
};
const files = (change: Partial<TemplateState> = {}) => filesOf({ ...STATE, ...change });
const html = (text: string) => files({ content: { format: 'html', text } });
const base = digestOf(files());

describe('filesOf', () => {
  test('gives the same files for the same template, and keeps the order of data', () => {
    expect([...files().keys()]).toEqual([
      'template.html',
      'template.json',
      'sample.json',
      'cases/a.json',
      'cases/a.pdf',
      'cases/b.json',
    ]);
    expect(files().get('template.json')).toBe(
      '{\n  "name": "Invoice",\n  "options": {\n    "format": "A4",\n    "margin": "20mm"\n  }\n}\n',
    );
    expect(files().get('sample.json')).toBe('{\n  "b": 1,\n  "a": 2\n}\n');
    const reordered = files({
      options: { format: 'A4', margin: '20mm' },
      cases: new Map([...STATE.cases].toReversed()),
    });
    expect(digestOf(reordered)).toBe(base);
    expect(digestOf(files({ sampleData: { a: 2, b: 1 } }))).not.toBe(base);
    expect(digestOf(files({ cases: new Map() }))).not.toBe(base);
  });
});

describe('compareFiles', () => {
  test.each([
    ['equal', html('x'), html('x'), base],
    ['equal', html('a\r\nb'), html('a\nb'), undefined],
    ['here', html('mine'), files(), base],
    ['there', files(), html('theirs'), base],
    ['both', html('mine'), html('theirs'), base],
    ['both', html('mine'), files(), undefined],
  ] as const)('tells that the change is %s', (relation, local, remote, known) => {
    expect(compareFiles(local, remote, known)).toBe(relation);
  });
});

test('listChanges counts the lines of each changed file', () => {
  const after = files({
    content: { format: 'html', text: '<p>1</p>\n<p>3</p>\n<p>4</p>\n' },
    cases: new Map([['a', { data: {}, options: null, accepted: new Uint8Array([1, 3]) }]]),
  });
  expect(listChanges(files(), after).map(describeChange)).toEqual([
    'template.html  +2 -1',
    'cases/a.pdf  changed',
    'cases/b.json  deleted',
  ]);
  expect(listChanges(files(), files())).toEqual([]);
});

test('unifiedDiff is a patch with the paths of both files', () => {
  const from = files();
  const diff = (to: typeof from, folder = 'invoice') =>
    unifiedDiff(
      listChanges(from, to).map(({ path }) => path),
      { folder, from, to },
    );
  expect(diff(from)).toBe('');
  const patch = [
    '@@ -1,2 +1,2 @@',
    ' <p>1</p>',
    '-<p>2</p>',
    '+<p>3</p>',
    '\\ No newline at end of file',
    '',
  ];
  expect(diff(html('<p>1</p>\n<p>3</p>'))).toBe(
    ['--- a/invoice/template.html', '+++ b/invoice/template.html', ...patch].join('\n'),
  );
  expect(diff(html('<p>1</p>\n<p>3</p>'), '.')).toStartWith('--- a/template.html\n+++ b/template.html\n');
  const gone = diff(new Map());
  expect(gone).toContain('--- a/invoice/template.html\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-<p>1</p>\n');
  expect(gone).toContain('Binary files a/invoice/cases/a.pdf and /dev/null differ\n');
});
