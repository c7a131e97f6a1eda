import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeWithPdfTools,
  pageSizes,
  pdfInfo,
  pdfText,
  qpdfCheck,
  qpdfJson,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { QpdfObjects } from '../../support/pdf/qpdf-objects.ts';
import { until } from '../../support/until.ts';
import { CommandFolder, EXECUTABLE } from './command.ts';
import { serveEcho, type EchoSite } from './echo-site.ts';

const folder = new CommandFolder();
let site: EchoSite;

const RED = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="red"/></svg>',
);

beforeAll(async () => {
  site = serveEcho();
  const chapters = [1, 2, 3].map(
    (number) =>
      `<h1>Chapter ${number}</h1><h2>Part ${number}.1</h2><p>Text</p><div style="page-break-after:always"></div>`,
  );
  await folder.write({
    'page.html':
      '<!doctype html><title>A page</title><body style="margin:0"><h1>Heading</h1><p>Text of the page</p>',
    'book.html': `<!doctype html><title>A book</title>${chapters.join('')}<h3>End</h3>`,
    'cover.html': '<!doctype html><title>Cover</title><h1>The cover</h1>',
    'red.svg': RED,
    'image.html': '<body style="margin:0"><img src="red.svg" style="display:block">',
    'header.html': `<!doctype html><body style="margin:0" onload="subst()"><script>
      function subst() {
        const values = new Map(location.search.slice(1).split('&').map((part) => part.split('=')));
        for (const [name, value] of values) for (const element of document.getElementsByClassName(name)) element.textContent = decodeURI(value);
      }
    </script><div style="height:40px">Band: <span class="section"></span>, <span class="page"></span> of <span class="topage"></span></div>`,
  });
});
afterAll(() => {
  site.stop();
  folder[Symbol.dispose]();
});

/** Tells whether any pixel of a page is a saturated red. */
async function showsRed(pdf: Buffer): Promise<boolean> {
  const [page] = await rasterise(pdf, { dpi: 20 });
  const { data } = page ?? { data: Buffer.alloc(0) };
  for (let at = 0; at < data.length; at += 4)
    if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 255) < 60 && (data[at + 2] ?? 255) < 60) return true;
  return false;
}

describeWithPdfTools('platen wkhtmltopdf', () => {
  test('prints standard input to standard output, on A4, with the title of the page', async () => {
    const pdf = await folder.print(['-q', '-'], '<!doctype html><title>Größe</title><h1>Grüße</h1>');
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain('Grüße');
    expect((await pdfInfo(pdf))['Title']).toBe('Größe');
    const [{ width, height } = { width: 0, height: 0 }, ...others] = await pageSizes(pdf);
    expect(others).toEqual([]);
    // Chromium rounds the paper up to whole CSS pixels or points.
    expect(width).toBeWithin(595, 596);
    expect(height).toBeWithin(841, 843);
  });

  test('answers --version in the form that wrappers parse', async () => {
    const { status, stdout } = await folder.run(['--version']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^wkhtmltopdf 0\.12\.6 \(with patched qt\)\n$/);
  });

  test('lays pages out as wkhtmltopdf does: 1.25 times as wide as the paper, unless told otherwise', async () => {
    const [shrunk, exact] = await Promise.all(
      [[], ['--disable-smart-shrinking']].map(async (flags) =>
        folder.print(['-q', ...flags, 'image.html'].toSpliced(-1, 0, '--enable-local-file-access')),
      ),
    );
    // The image has 200 CSS pixels, 150 pt at their nominal size.
    const widthOf = async (pdf: Buffer | undefined) => {
      const [page] = await rasterise(pdf ?? Buffer.alloc(0), { dpi: 72 });
      const { data, width } = page ?? { data: Buffer.alloc(0), width: 0 };
      const row = 60 * width * 4;
      return Array.from({ length: width }, (_, x) => data[row + x * 4 + 1] ?? 255).filter(
        (green) => green < 128,
      ).length;
    };
    expect(await widthOf(shrunk)).toBeWithin(118, 123);
    expect(await widthOf(exact)).toBeWithin(148, 153);
  });

  test('paper, margins, headers, footers and their placeholders', async () => {
    const flags = ['-q', '-s', 'Letter', '-O', 'Landscape', '-T', '30mm', '-B', '20mm', '--title', 'Report'];
    const bands = [
      '--header-left',
      '[section] / [subsection]',
      '--header-right',
      '[page]/[topage]',
      '--header-line',
    ];
    const footer = [
      '--footer-center',
      '[doctitle], [title], [isodate] [who]',
      '--replace',
      'who',
      'Ann',
      '--page-offset',
      '4',
    ];
    const pdf = await folder.print([...flags, ...bands, ...footer, 'book.html']);
    await qpdfCheck(pdf);
    const [size] = await pageSizes(pdf);
    expect(size?.width).toBeCloseTo(792, 0);
    const second = await pdfText(pdf, { page: 2 });
    expect(second).toContain('Chapter 2 / Part 2.1');
    expect(second).toContain('6/8');
    const now = new Date();
    const date = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
    expect(second).toContain(`Report, A book, ${date} Ann`);
    expect((await pdfInfo(pdf))['Title']).toBe('Report');
  });

  test('an HTML header gets its values in the query, and the margin room for it', async () => {
    const pdf = await folder.print([
      '-q',
      '--header-html',
      'header.html',
      '--header-spacing',
      '5',
      'book.html',
    ]);
    expect(await pdfText(pdf, { page: 3 })).toContain('Band: Chapter 3, 3 of 4');
    const [page] = await rasterise(pdf, { dpi: 72 });
    // 40 CSS pixels at 0.8 and 5 mm are 38 pt, more than the default margin of 28 pt.
    const { data, width } = page ?? { data: Buffer.alloc(0), width: 0 };
    const isDark = (y: number) =>
      Array.from({ length: width }, (_, x) => data[(y * width + x) * 4] ?? 255).some((red) => red < 128);
    expect(Array.from({ length: 12 }, (_, y) => isDark(24 + y)).some(Boolean)).toBe(false);
  });

  test('a cover has no header, a table of contents links to the headings, and the outline has its depth', async () => {
    const args = [
      '-q',
      '--outline-depth',
      '2',
      '--dump-outline',
      'outline.xml',
      '--footer-right',
      'p[page]',
      'cover',
      'cover.html',
    ];
    const pdf = await folder.print([...args, 'toc', '--toc-header-text', 'Inhalt', 'book.html']);
    await qpdfCheck(pdf);
    const cover = await pdfText(pdf, { page: 1 });
    expect(cover).toContain('The cover');
    expect(cover).not.toContain('p1');
    const contents = await pdfText(pdf, { page: 2 });
    expect(contents).toMatch(/Inhalt[^]*Chapter 1 +3\n[^]*Part 1\.1 +3\n[^]*Chapter 2 +4\n[^]*Chapter 3 +5/);
    expect(contents).toContain('p2');
    const objects = new QpdfObjects(await qpdfJson(pdf));
    expect(objects.linkTargets(objects.pages[1] ?? {})).toEqual([2, 3, 3, 4, 4, 5, 5]);
    const titles = (entries: ReturnType<typeof objects.outline>): string[] =>
      entries.flatMap(({ title, kids }) => [title, ...titles(kids)]);
    expect(titles(objects.outline())).toEqual([
      'Inhalt',
      'Chapter 1',
      'Part 1.1',
      'Chapter 2',
      'Part 2.1',
      'Chapter 3',
      'Part 3.1',
    ]);
    const text = pdf.toString('latin1');
    expect(text).not.toContain('contents.platen.invalid');
    expect((await folder.read('outline.xml')).toString()).toContain('<item title="Part 3.1" page="5"');
  });

  test('--grayscale keeps text and removes colours; --no-background and --no-images print less', async () => {
    const access = ['-q', '--enable-local-file-access'];
    const colour = await folder.print([...access, 'image.html']);
    expect(await showsRed(colour)).toBe(true);
    const grey = await folder.print([...access, '-g', '--footer-left', 'Footer', 'image.html']);
    expect(await showsRed(grey)).toBe(false);
    expect(await pdfText(grey)).toContain('Footer');
    expect(await showsRed(await folder.print([...access, '--no-images', 'image.html']))).toBe(false);
  });

  test('other local files are read only with permission, and symbolic links do not widen it', async () => {
    await folder.write({ 'secret.html': '<p>secret', 'allowed/red.svg': RED });
    symlinkSync(join(folder.path, 'secret.html'), join(folder.path, 'allowed', 'link.html'));
    const worker = `const request = new XMLHttpRequest();
      request.open('GET', 'file://${join(folder.path, 'secret.html')}', false);
      request.send();
      postMessage(request.responseText);`;
    await folder.write({
      'reader.html': `<body style="margin:0"><img src="allowed/red.svg" style="display:block">
        <iframe src="secret.html"></iframe><iframe src="allowed/link.html"></iframe>
        <p id=read></p><script>
        const read = (url) => new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.onloadend = () => resolve(request.responseText);
          request.open('GET', url);
          request.send();
        });
        const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}])));
        worker.onmessage = ({ data }) => document.body.append('worker: ' + data);
        read('secret.html').then((text) => { document.getElementById('read').textContent = 'read: ' + text });
        </script>`,
    });
    const refused = await folder.run(['reader.html', 'refused.pdf']);
    expect(refused.status).toBe(0);
    expect(refused.stderr).toContain(
      `Warning: Blocked access to file ${join(folder.path, 'allowed/red.svg')} (see --enable-local-file-access, --allow)`,
    );
    const pdf = await folder.read('refused.pdf');
    expect(await pdfText(pdf)).not.toContain('secret');
    expect(await showsRed(pdf)).toBe(false);

    const limited = await folder.print([
      '-q',
      '--allow',
      join(folder.path, 'allowed'),
      '--javascript-delay',
      '500',
      'reader.html',
    ]);
    expect(await showsRed(limited)).toBe(true);
    expect(await pdfText(limited)).not.toContain('secret');

    const free = await folder.print([
      '-q',
      '--enable-local-file-access',
      '--javascript-delay',
      '500',
      'reader.html',
    ]);
    expect((await pdfText(free)).match(/secret/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('a page of this machine gets cookies, headers, credentials and a form', async () => {
    const flags = [
      '-q',
      '--cookie',
      'session',
      'abc%20d',
      '--custom-header',
      'X-Token',
      't1',
      '--username',
      'ann',
      '--password',
      'pw',
    ];
    await folder.write({ 'jar.txt': 'jar=from-file; HttpOnly; domain=127.0.0.1; path=/;\n' });
    const pdf = await folder.print([
      ...flags,
      '--cookie-jar',
      'jar.txt',
      '--post',
      'field',
      'a value',
      `${site.url}/private`,
    ]);
    const text = await pdfText(pdf);
    expect(text).toContain('POST /private');
    expect(text).toContain('x-token: t1');
    expect(text).toMatch(/cookie: .*session=abc%20d/);
    expect(text).toMatch(/cookie: .*jar=from-file/);
    expect(text).toContain('field=a+value');
    const image = site.requests.find(({ path }) => path === '/image.svg');
    expect(image?.headers.get('x-token')).toBeNull();
  });

  test('--window-status, --run-script, --user-style-sheet, --print-media-type and --encoding', async () => {
    await folder.write({
      'late.html': `<style>@media print{body::after{content:'for paper'}}</style><p id=a>early</p><script>
        setTimeout(() => { document.getElementById('a').textContent = 'late'; window.status = 'ready' }, 700)</script>`,
      'user.css': "body::before{content:'styled'}",
      'latin.html': Buffer.from('<p>caf\xe9 \xa4', 'latin1'),
    });
    const flags = ['-q', '--window-status', 'ready', '--run-script', "document.body.append('added')"];
    const text = await pdfText(
      await folder.print([...flags, '--print-media-type', '--user-style-sheet', 'user.css', 'late.html']),
    );
    for (const part of ['late', 'added', 'for paper', 'styled']) expect(text).toContain(part);
    expect(text).not.toContain('early');
    expect(await pdfText(await folder.print(['-q', '--encoding', 'iso-8859-15', 'latin.html']))).toContain(
      'café €',
    );
  });

  test('pages that cannot be loaded end with the statuses of wkhtmltopdf', async () => {
    const outcome = async (...args: string[]) => {
      const { status, stderr } = await folder.run([...args, 'out.pdf']);
      return { status, lines: stderr.trim().split('\n') };
    };
    const missing = await outcome('./missing.html');
    expect(missing.status).toBe(1);
    expect(missing.lines.slice(-2)).toEqual([
      `Error: Failed to load file://${join(folder.path, 'missing.html')}, ContentNotFoundError`,
      'Exit with code 1 due to network error: ContentNotFoundError',
    ]);
    expect((await outcome(`${site.url}/status/404`)).status).toBe(2);
    expect((await outcome(`${site.url}/private`)).status).toBe(3);
    expect((await outcome(`${site.url}/status/500`)).lines.at(-1)).toBe(
      'Exit with code 1 due to http error: 500',
    );
    const skipped = await outcome('--load-error-handling', 'skip', `${site.url}/status/404`, 'page.html');
    expect(skipped.status).toBe(0);
    expect(await pdfText(await folder.read('out.pdf'))).toContain('Text of the page');
    const media = await outcome('--load-media-error-handling', 'abort', `${site.url}/broken-image`);
    expect(media.status).toBe(1);
    expect(media.lines.at(-2)).toContain('/status/404');
    const unwritable = await folder.run(['-q', 'page.html', join(tmpdir(), 'no-such-folder', 'x.pdf')]);
    expect(unwritable.status).toBe(1);
    expect(unwritable.stderr).toContain('Unable to write to destination');
  });

  test('errors in the command line name the flag', async () => {
    const cases = [
      [['--no-such-flag', 'page.html', 'x.pdf'], 'Unknown long argument --no-such-flag'],
      [['-Z', 'page.html', 'x.pdf'], 'Unknown switch -Z'],
      [['--page-size', 'Foo', 'page.html', 'x.pdf'], 'Invalid argument(s) parsed to --page-size'],
      [['page.html', '--margin-top', '3', 'x.pdf'], '--margin-top specified in incorrect location'],
      [['page.html'], 'You need to specify at least one input file, and exactly one output file'],
    ] as const;
    for (const [args, message] of cases) {
      const { status, stderr, stdout } = await folder.run(args);
      expect({ status, stdout: stdout.length }, message).toEqual({ status: 1, stdout: 0 });
      expect(stderr.split('\n')[0]).toBe(message);
    }
  });

  test('--read-args-from-stdin converts each line', async () => {
    const { status } = await folder.run(
      ['-q', '--read-args-from-stdin', '--page-size', 'A5'],
      'page.html one.pdf\n--title "Two words" page.html two.pdf\n',
    );
    expect(status).toBe(0);
    expect((await pageSizes(await folder.read('one.pdf')))[0]?.height).toBeWithin(595, 596);
    expect((await pdfInfo(await folder.read('two.pdf')))['Title']).toBe('Two words');
  });

  test('--xsl-style-sheet makes the table of contents from the XML of the outline', async () => {
    await folder.write({
      'toc.xsl': `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:outline="http://wkhtmltopdf.org/outline">
        <xsl:template match="outline:outline"><html><body><h1>Own</h1><xsl:apply-templates select="outline:item/outline:item"/></body></html></xsl:template>
        <xsl:template match="outline:item"><p><a href="{@link}"><xsl:value-of select="@title"/></a> at <xsl:value-of select="@page"/></p></xsl:template>
      </xsl:stylesheet>`,
    });
    const pdf = await folder.print(['-q', 'toc', '--xsl-style-sheet', 'toc.xsl', 'book.html']);
    expect(await pdfText(pdf, { page: 1 })).toMatch(/Own[^]*Own at 1[^]*Chapter 1 at 2[^]*Chapter 3 at 4/);
    const objects = new QpdfObjects(await qpdfJson(pdf));
    expect(objects.linkTargets(objects.pages[0] ?? {})).toEqual([1, 2, 3, 4]);
  });

  test('a signal ends the command with its browser, and removes its files', async () => {
    const child = Bun.spawn([EXECUTABLE, '-q', '--window-status', 'never', '-', 'never.pdf'], {
      cwd: folder.path,
      env: { ...process.env, TMPDIR: folder.path },
      stdin: new Blob(['<p>endless']),
      stdout: 'ignore',
      stderr: 'ignore',
    });
    const left = () => readdirSync(folder.path).filter((name) => name.startsWith('platen-'));
    await until(() => left().some((name) => name.startsWith('platen-wkhtmltopdf-')));
    child.kill('SIGTERM');
    expect(await child.exited).toBe(1);
    expect(left().filter((name) => name.startsWith('platen-wkhtmltopdf-'))).toEqual([]);
    const browsers = () =>
      Bun.spawnSync(['pgrep', '-f', `--user-data-dir=${folder.path}/`]).stdout.toString();
    await until(() => browsers() === '');
  });
});
