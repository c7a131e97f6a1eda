import { describe, expect, test } from 'bun:test';
import { decodeHtml, siblingsOf, withRelativeUrls } from './documents.ts';
import { parseInches } from './lengths.ts';
import { fillTemplate } from './markdown.ts';
import { requirePageRanges } from './page-ranges.ts';

const file = (name: string, content = '') => ({ field: 'files', name, content: Buffer.from(content) });

describe('the files of a form', () => {
  test('are resources, except the documents and the files of other fields', () => {
    const files = [
      file('index.html'),
      file('header.html'),
      file('a.css'),
      { ...file('b.xml'), field: 'embeds' },
    ];
    expect([...siblingsOf(files)].map(([name, { mediaType }]) => [name, mediaType])).toEqual([
      ['a.css', 'text/css;charset=utf-8'],
    ]);
  });

  test('are found by file: URLs with their names', async () => {
    const names = new Set(['a b.png', 'c.css']);
    const html =
      '<img src="file:///tmp/x/a%20b.png?v=1"><link href=FILE://c.css><a href="file:///etc/passwd">';
    expect(await withRelativeUrls(html, names)).toBe(
      '<img src="a%20b.png?v=1"><link href=c.css><a href="file:///etc/passwd">',
    );
  });

  test('are found wherever their URLs begin', async () => {
    const names = new Set(['a.png']);
    for (const before of [65_535, 65_534, 65_536, 69_000]) {
      const text = 'x'.repeat(before);
      const html = await withRelativeUrls(`${text}file:///tmp/a.png ${text}file://a.png`, names);
      expect(html === `${text}a.png ${text}a.png`).toBe(true);
    }
  });
});

test('HTML in another encoding is decoded whole, and has at most 30 MB', async () => {
  const text = '漢字'.repeat(50_000);
  const shiftJis = Buffer.from('\x8a\xbf\x8e\x9a'.repeat(50_000), 'latin1');
  const start = '<meta charset=shift_jis>x';
  const decoded = await decodeHtml(Buffer.concat([Buffer.from(start), shiftJis]));
  expect(decoded === start + text).toBe(true);
  const refused = await decodeHtml(Buffer.alloc(30_000_001)).catch((error: Error) => error.message);
  expect(refused).toBe('Invalid form data: an HTML file is larger than 30000000 bytes');
});

test.each([
  [Buffer.from('é'), 'é'],
  [Buffer.from('<meta charset="ISO-8859-2">\xb1', 'latin1'), '<meta charset="ISO-8859-2">ą'],
  [Buffer.from('\xe9', 'latin1'), 'é'],
  [Buffer.from('<meta charset="no-such-thing">\xe9', 'latin1'), '<meta charset="no-such-thing">é'],
  [Buffer.from('\ufeffé', 'utf16le'), 'é'],
])('HTML in %o is decoded', async (bytes, text) => {
  expect((await decodeHtml(bytes)).replace('\ufeff', '')).toBe(text);
});

test('lengths are inches unless they have a unit', () => {
  const lengths = ['8.5', '1in', '2.54cm', '25.4mm', '72pt', '96px', '6pc', '-1'].map(parseInches);
  expect(lengths.map((length) => Math.round(length * 1000) / 1000)).toEqual([8.5, 1, 1, 1, 1, 1, 1, -1]);
  expect(() => parseInches('foo')).toThrow('strconv.ParseFloat: parsing "foo": invalid syntax');
});

describe('nativePageRanges', () => {
  test.each(['', '1', '1-5, 8', '-3', '5-', ' 2 - 3 ,', '1,,2'])('%p is valid', (ranges) => {
    expect(() => requirePageRanges(ranges)).not.toThrow();
  });
  test.each(['foo', '0', '3-2', '-', '1-2-3', '1;2', '0-3'])('%p is not', (ranges) => {
    expect(() => requirePageRanges(ranges)).toThrow(
      `Chromium does not handle the page ranges '${ranges}' (nativePageRanges) syntax`,
    );
  });
});

describe('a template', () => {
  const faultOf = (filled: Promise<unknown>) =>
    filled.then(
      () => '',
      (error: Error) => error.message,
    );
  const toHtml = async (markdown: string) => `<p>${markdown}</p>`;

  test('shows files', async () => {
    const files = [file('a.md', 'A'), file('b"c.md', 'B')];
    const template = 'x{{ toHTML "a.md" }}y{{- toHTML `b"c.md` -}}{{/* note */}}{{toHTML "b\\"c.md"}}z';
    expect(await fillTemplate(template, files, toHtml)).toBe('x<p>A</p>y<p>B</p><p>B</p>z');
  });

  test.each(['{{ toHTML }}', '{{ .Name }}', '{{ toHTML "a.md"', '{{ range . }}{{ end }}'])(
    'with %s is refused',
    async (template) => {
      expect(await faultOf(fillTemplate(template, [file('a.md')], toHtml))).toContain('is not an action');
    },
  );

  test('with more than 10,000 actions is refused', async () => {
    const filled = fillTemplate('{{ toHTML "a.md" }}'.repeat(10_001), [file('a.md')], toHtml);
    expect(await faultOf(filled)).toBe('index.html has more than 10000 actions');
  });

  test('that becomes too long is refused', async () => {
    const long = async () => 'x'.repeat(1_000_000);
    const filled = fillTemplate('{{ toHTML "a.md" }}'.repeat(31), [file('a.md')], long);
    expect(await faultOf(filled)).toContain('more than 30000000 characters');
  });
});
