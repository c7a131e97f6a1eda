import { describe, expect, test } from 'bun:test';
import { bandUrl, fillText } from './bands.ts';
import { parseCookieJar } from './cookie-jar.ts';
import { readLength } from './lengths.ts';
import { ArgumentError, parseArguments } from './parse-arguments.ts';
import { splitLine } from './split-line.ts';

describe('argument lists of wrappers', () => {
  test('knplabs/knp-snappy (PHP): flags, input, output', () => {
    const parsed = parseArguments(
      splitLine(`--lowquality --margin-bottom 10mm --orientation landscape --page-size A5 --cookie foo
        bar --cookie session abc%3D --allow /srv/a --allow /srv/b --enable-local-file-access
        --no-outline --zoom 1.25 --footer-html /tmp/knp_snappy1.html --header-html
        /tmp/knp_snappy2.html cover /tmp/knp_snappy3.html toc --xsl-style-sheet /tmp/toc.xsl
        /tmp/knp_snappy4.html /tmp/knp_snappy5.pdf`),
    );
    expect(parsed.output).toBe('/tmp/knp_snappy5.pdf');
    expect(parsed.document).toMatchObject({
      landscape: true,
      paper: { width: 148, height: 210 },
      outline: false,
    });
    expect(parsed.objects.map(({ kind, source }) => [kind, source])).toEqual([
      ['cover', '/tmp/knp_snappy3.html'],
      ['toc', ''],
      ['page', '/tmp/knp_snappy4.html'],
    ]);
    expect(parsed.objects[1]?.contents.styleSheet).toBe('/tmp/toc.xsl');
    expect(parsed.objects[0]?.page.header.html).toBeUndefined();
    expect(parsed.objects[2]?.page).toMatchObject({
      zoom: 1.25,
      readsLocalFiles: true,
      allowedPaths: ['/srv/a', '/srv/b'],
      cookies: [
        ['foo', 'bar'],
        ['session', 'abc%3D'],
      ],
      header: { html: '/tmp/knp_snappy2.html' },
    });
  });

  test('PDFKit (Ruby): sizes in inches, several cookies, standard input and output', () => {
    const parsed = parseArguments(
      splitLine(`--page-size Letter --margin-top 0.75in --margin-right 0.75in --margin-bottom 0.75in
        --margin-left 0.75in --encoding UTF-8 --cookie cookie_name1 cookie_val1 --quiet
        --disable-smart-shrinking --replace who Ann - -`),
    );
    expect(parsed.document).toMatchObject({
      quiet: true,
      margins: { top: expect.closeTo(19.05), left: expect.closeTo(19.05) },
    });
    expect(parsed.objects).toHaveLength(1);
    expect(parsed).toMatchObject({
      output: '-',
      objects: [{ source: '-', page: { shrinks: false, encoding: 'utf-8' } }],
    });
  });

  test('wicked_pdf (Ruby): flags of objects after them, a file URL', () => {
    const parsed = parseArguments(
      splitLine(`-q cover file:///tmp/cover.html toc --toc-header-text Inhalt --disable-dotted-lines
        --javascript-delay 500 --header-spacing -5 file:///tmp/wicked_pdf.html --footer-right
        [page] --exclude-from-outline /tmp/out.pdf`),
    );
    expect(parsed.objects[1]).toMatchObject({
      contents: { heading: 'Inhalt', hasDottedLines: false },
      page: { scriptDelayMs: 500, header: { spacing: -5 }, footer: { right: '' } },
    });
    expect(parsed.objects[2]?.page).toMatchObject({ isInOutline: false, footer: { right: '[page]' } });
  });

  test('Odoo: a list of pages, and a cookie jar', () => {
    const parsed = parseArguments(
      splitLine(`--disable-local-file-access --cookie-jar /tmp/jar --quiet --page-size A4 --margin-top
        40.0 --dpi 90 --zoom 1.06 --header-spacing 35 --orientation Portrait
        --javascript-delay 1000 --header-html /tmp/head.html /tmp/1.html /tmp/2.html
        /tmp/out.pdf`),
    );
    expect(parsed.objects).toHaveLength(2);
    expect(parsed.document.cookieJar).toBe('/tmp/jar');
    expect(parsed.ineffective).toEqual([]);
    expect(parseCookieJar('session_id=a=b; HttpOnly; domain=localhost; path=/web;\nno cookie\n')).toEqual([
      { name: 'session_id', value: 'a=b', domain: 'localhost', path: '/web', isHttpOnly: true },
    ]);
  });
});

test('letters may be combined, and the flag with a value is last', () => {
  expect(parseArguments(['-qgs', 'A3', 'a.html', 'b.pdf']).document).toMatchObject({
    quiet: true,
    grayscale: true,
    paper: { width: 297 },
  });
});

test.each([
  [['--zoom', '0', 'a', 'b'], 'Invalid argument(s) parsed to --zoom'],
  [
    ['--page-size', 'A44', 'a', 'b'],
    'Invalid argument(s) parsed to --page-size\nIt takes one of A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, C5E, Comm10E, DLE, Executive, Folio, Ledger, Legal, Letter, Tabloid',
  ],
  [['--copies', '2', 'a', 'b'], 'Invalid argument(s) parsed to --copies'],
  [['--footer-font-name', '', 'a', 'b'], 'Invalid argument(s) parsed to --footer-font-name'],
  [['a', 'b', '--title'], '--title specified in incorrect location'],
  [['--title'], 'Not enough arguments parsed to --title'],
  [
    ['cover', 'b.pdf'],
    'You need to specify at least one input file, and exactly one output file\nUse - for stdin or stdout',
  ],
  [['--constructor', 'a', 'b'], 'Unknown long argument --constructor'],
])('%j is refused', (args, message) => {
  expect(() => parseArguments(args)).toThrow(new ArgumentError(message));
});

test('lengths have units, and millimetres without one', () => {
  expect(
    ['10', '1in', '72pt', '1.5cm', '96px', '.5in'].map(readLength).map((length) => length?.toFixed(2)),
  ).toEqual(['10.00', '25.40', '25.40', '15.00', '25.40', '12.70']);
  expect(['', 'x', '-1mm', '1 parsec', '1constructor'].map(readLength)).toEqual(Array(5).fill(undefined));
});

test('placeholders are replaced in any case, and others stay', () => {
  expect(fillText('[page]/[toPage] [x] [[title]]', { page: '1', topage: '9', title: '[page]' })).toBe(
    '1/9 [x] [[page]]',
  );
  expect(bandUrl('file:///a.html?b=1#c', { 'a b': 'ü&=' })).toBe('file:///a.html?b=1&a%20b=%C3%BC%26%3D#c');
});

test('a line of arguments may be quoted', () => {
  expect(splitLine(String.raw`a "b c" 'd "e' f\ g "" --x`)).toEqual(['a', 'b c', 'd "e', 'f g', '', '--x']);
});
