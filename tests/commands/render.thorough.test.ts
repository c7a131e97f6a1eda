import { afterAll, beforeAll, expect, test } from 'bun:test';
import { lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { docx, paragraph } from '../../packages/office-templates/tests/make-file.ts';
import { describeWithOffice } from '../support/office/office.ts';
import { onePixelPng } from '../support/pdf/one-pixel-png.ts';
import { describeWithPdfTools, pageSizes, pdfText } from '../support/pdf/pdf.ts';
import { runOn } from '../support/pdf/pdf-operations.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { until } from '../support/until.ts';
import { CommandFolder } from './command.ts';

const service = sharedService();
let folder: CommandFolder;

beforeAll(async () => {
  folder = new CommandFolder();
  await folder.write({
    'page.html':
      '<link rel="stylesheet" href="css/main.css"><h1>Hello</h1><img src="logo.png"><img src="gone.png">',
    'css/main.css': '@page { size: A5 }',
    'logo.png': onePixelPng(200, 0, 0),
    'invoice/template.html': '<h1>{{> title}}</h1>\n<p>{{customer}}</p>',
    'invoice/partials/title.html': 'Invoice {{number}}',
    'invoice/sample.json': '{"number": "7", "customer": "Ada"}',
    'invoice/template.json': '{"name": "Invoice", "options": {"format": "A5", "footer": "<p>Foot</p>"}}',
    'bill/template.html': '<p>{{t "total"}} {{n}}</p>',
    'bill/sample.json': '{"n": 7, "locale": "de-AT"}',
    'bill/template.json':
      '{"name": "Bill", "translations": {"en": {"total": "Total"}, "de": {"total": "Summe"}}, "default_locale": "en"}',
    'bill/cases/one.json': '{"data": {"n": 1}}',
    'other.json': '{"number": "8"}',
    'broken/template.html': '<h1>{{> title}}</h1>',
    'broken/partials/title.html': 'Title\n{{#if x}}',
    'notes.md': '# Notes\n\n![Logo](logo.png)',
    'card.tsx': 'export default ({ name }: { name: string }) => <h1>Hello {name}</h1>;',
    'ada.json': '{"name": "Ada"}',
    'list.json': '[1]',
    'text.txt': 'text',
    'odd/template.html': '<p>1</p>',
    'odd/partials': 'a file',
    'fail.ts': "console.log = () => { throw new Error('no\\nluck'); };",
  });
});
afterAll(() => folder[Symbol.dispose]());

/** The line about a service that `PLATEN_URL` names. */
const notice = () => `using the service at ${service().url}, which PLATEN_URL names\n`;
const images = (pdf: Uint8Array) => runOn(pdf, ['pdfimages', '-list', '{}']).trim().split('\n').length - 2;

describeWithPdfTools('platen render', () => {
  test('prints an HTML file with the files beside it, and names those that are not there', async () => {
    const { status, stdout, stderr } = await folder.run(['render', 'page.html', '-o', 'page.pdf'], {
      service: service(),
    });
    expect(stderr).toBe(`${notice()}warning: page.html:1: gone.png does not exist\n`);
    expect(stdout).toMatch(/^page\.pdf: 1 page, [\d,]+ bytes, \d+ ms\n$/);
    expect(status).toBe(0);
    const pdf = await folder.read('page.pdf');
    expect(images(pdf)).toBe(1);
    expect((await pageSizes(pdf))[0]?.width).toBeCloseTo(420, 0);
  });

  test('needs no service and no account, and leaves nothing behind', async () => {
    const { status, stdout, stderr } = await folder.run(['render', 'invoice', '-o', 'own.pdf', '--json']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: 'own.pdf', pages: 1, warnings: [], unloaded: [] });
    const pdf = await folder.read('own.pdf');
    // The folder brings its sample, its partials and its options.
    expect((await pdfText(pdf)).replaceAll(/\s+/g, ' ')).toContain('Invoice 7 Ada Foot');
    expect((await pageSizes(pdf))[0]?.width).toBeCloseTo(420, 0);
    expect(readdirSync(folder.temporary)).toEqual([]);
  });

  test('ends at a signal, and leaves nothing behind', async () => {
    await folder.write({ 'slow.html': '<p>Slow</p>' });
    const child = folder.start([
      'render',
      'slow.html',
      '-o',
      'slow.pdf',
      '--option',
      'waitFor.expression=false',
    ]);
    await until(() => readdirSync(folder.temporary).length > 0);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(143);
    expect(readdirSync(folder.temporary)).toEqual([]);
    expect(readdirSync(folder.path)).not.toContain('slow.pdf');
  });

  test('takes data, options, standard input and standard output', async () => {
    const args = ['invoice', '--data', 'other.json', '--option', 'format=A6', '--option', 'footer='];
    const first = await folder.run(['render', ...args, '-o', 'other.pdf'], { service: service() });
    expect(first.stderr).toBe(`${notice()}warning: the data has no customer\n`);
    const pdf = await folder.read('other.pdf');
    expect((await pdfText(pdf)).trim()).toBe('Invoice 8');
    expect((await pageSizes(pdf))[0]?.width).toBeCloseTo(298, 0);

    const piped = await folder.run(['render', '-', '-o', '-'], { service: service(), input: '<p>Piped</p>' });
    expect(piped.stdout.slice(0, 5)).toBe('%PDF-');
    expect(piped.stderr).toStartWith(`${notice()}-: 1 page`);
  });

  test('prints Markdown and components', async () => {
    await folder.run(['render', 'notes.md', '-o', 'notes.pdf'], { service: service() });
    const notes = await folder.read('notes.pdf');
    expect([await pdfText(notes), images(notes)]).toEqual([expect.stringContaining('Notes'), 1]);
    await folder.run(['render', 'card.tsx', '-d', 'ada.json', '-o', 'card.pdf'], { service: service() });
    expect(await pdfText(await folder.read('card.pdf'))).toContain('Hello Ada');
  });

  test('prints the messages of a folder in the language of its data', async () => {
    await folder.run(['render', 'bill', '-o', 'bill.pdf'], { service: service() });
    expect((await pdfText(await folder.read('bill.pdf'))).trim()).toBe('Summe 7');
    await folder.run(['render', 'bill', '--data', 'other.json', '-o', 'bill.pdf'], { service: service() });
    expect((await pdfText(await folder.read('bill.pdf'))).trim()).toBe('Total');
    await folder.write({ 'items.ndjson': '{"n": 1, "locale": "de"}\n{"n": 2}\n' });
    const batch = ['batch', 'bill', 'items.ndjson', '-o', 'bills'];
    const sent = await folder.run(batch, { service: service() });
    expect([sent.status, sent.stderr]).toEqual([0, expect.any(String)]);
    const files = readdirSync(join(folder.path, 'bills')).toSorted();
    const texts = await Promise.all(files.map(async (name) => pdfText(await folder.read(`bills/${name}`))));
    expect(texts.map((text) => text.trim())).toEqual(['Summe 1', 'Total 2']);
  });

  test('takes the kinds of template files that its folder may have', async () => {
    await folder.write({
      'hbs/template.hbs': '<p>Dear {{name}}',
      'hbs/sample.json': '{"name": "Grace"}',
      'two/template.html': 'x',
      'two/template.md': 'x',
    });
    await folder.run(['render', 'hbs', '-o', 'hbs.pdf'], { service: service() });
    expect(await pdfText(await folder.read('hbs.pdf'))).toContain('Dear Grace');
    const two = await folder.run(['render', 'two', '-o', 'two.pdf']);
    expect([two.status, two.stderr]).toEqual([
      2,
      'platen: two has template.html and template.md; a template has one of them\n',
    ]);
  });

  test('keeps the old file if the document fails, and names the line', async () => {
    await folder.write({ 'kept.pdf': 'old' });
    const { status, stdout, stderr } = await folder.run(['render', 'broken', '-o', 'kept.pdf', '--json'], {
      service: service(),
    });
    expect(stderr).toBe('platen: partials/title.html:2:4: the block "if" is not closed\n');
    expect(JSON.parse(stdout).error).toMatchObject({ message: stderr.slice('platen: '.length).trim() });
    expect(status).toBe(4);
    expect(Buffer.from(await folder.read('kept.pdf')).toString()).toBe('old');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('keeps links, pipes and devices at the output', async () => {
    await folder.write({ 'real/old.pdf': 'old' });
    symlinkSync('real/old.pdf', join(folder.path, 'link.pdf'));
    symlinkSync('real/new.pdf', join(folder.path, 'new-link.pdf'));
    Bun.spawnSync(['mkfifo', 'pipe'], { cwd: folder.path });
    for (const name of ['link.pdf', 'new-link.pdf'])
      expect((await folder.run(['render', 'notes.md', '-o', name], { service: service() })).status).toBe(0);
    expect(readdirSync(join(folder.path, 'real')).toSorted()).toEqual(['new.pdf', 'old.pdf']);
    for (const name of ['real/old.pdf', 'real/new.pdf'])
      expect(await pdfText(await folder.read(name))).toContain('Notes');
    for (const name of ['link.pdf', 'new-link.pdf'])
      expect(lstatSync(join(folder.path, name)).isSymbolicLink()).toBe(true);
    const reader = Bun.spawn(['cat', 'pipe'], { cwd: folder.path, stdout: 'pipe' });
    await folder.run(['render', 'notes.md', '-o', 'pipe'], { service: service() });
    expect(await pdfText(await new Response(reader.stdout).bytes())).toContain('Notes');
    expect(lstatSync(join(folder.path, 'pipe')).isFIFO()).toBe(true);
  });

  const out = ['-o', 'x.pdf'];
  test.each<[string, string[], number, string]>([
    ['a missing file', ['gone.html', ...out], 2, 'gone.html does not exist'],
    [
      'a folder without a template',
      ['css', ...out],
      2,
      'css has no template.html; name a file, or the folder of a template',
    ],
    ['partials that are a file', ['odd', ...out], 2, 'odd/partials is a file, not a folder'],
    [
      'an unknown ending',
      ['text.txt', ...out],
      2,
      'text.txt has an unknown ending; use .html, .htm, .hbs, .svg, .md, .markdown, .tsx, .jsx or the folder of a template',
    ],
    [
      'data that is a list',
      ['page.html', '-d', 'list.json', ...out],
      2,
      'list.json must have a JSON object, such as {"number": 1}',
    ],
    [
      'data that is not JSON',
      ['page.html', '-d', 'text.txt', ...out],
      2,
      'text.txt is not JSON: line 1, column 1: Unexpected identifier …',
    ],
    [
      'a folder that does not exist',
      ['page.html', '-o', 'gone/x.pdf'],
      2,
      'the folder gone does not exist; create it first',
    ],
    [
      'an invalid option',
      ['page.html', '--option', 'format=B9', ...out],
      4,
      'options.format: must be one of A0, A1, A2, A3, A4, A5, A6, Letter, Legal, Tabloid, Ledger, or { width, height }',
    ],
  ])('explains %s in one sentence', async (_what, args, status, sentence) => {
    const result = await folder.run(['render', ...args], { service: service() });
    // The service is named as soon as it is used.
    const before = status === 2 ? '' : notice();
    expect(result).toEqual({ status, stdout: '', stderr: `${before}platen: ${sentence}\n` });
  });

  test('prints wrong usage as JSON too', async () => {
    const { status, stdout, stderr } = await folder.run(['render', 'page.html', ...out, '--jsn', '--json']);
    const message = "unknown option '--jsn' (Did you mean --json?)";
    expect([status, JSON.parse(stdout)]).toEqual([2, { error: { code: 'USAGE', message } }]);
    expect(stderr).toStartWith("error: unknown option '--jsn'\n");
  });

  test('explains a service that it cannot use', async () => {
    const { url, key } = service();
    const attempt = async (server: string | undefined, apiKey: string | undefined) => {
      const env = { PLATEN_URL: server ?? '', PLATEN_API_KEY: apiKey ?? '' };
      const { status, stderr } = await folder.run(['render', 'page.html', ...out], { env });
      return `${status} ${stderr.replace(/^using the service at .*\n/, '')}`;
    };
    expect(await attempt('localhost', key)).toBe(
      '2 platen: "localhost" is not the address of a service; write --server or PLATEN_URL like http://localhost:3000\n',
    );
    expect(await attempt(url, undefined)).toBe(
      '2 platen: the API key is missing; set PLATEN_API_KEY or --key\n',
    );
    expect(await attempt(url, 'plt_live_wrong')).toBe(
      `3 platen: ${url} refuses the API key; check --key or PLATEN_API_KEY\n`,
    );
    expect(await attempt('http://127.0.0.1:9', key)).toMatch(
      /^3 platen: http:\/\/127\.0\.0\.1:9 cannot be reached \(\w+\); start the service, or correct --server or PLATEN_URL\n$/,
    );
    using stranger = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('Hello') });
    expect(await attempt(stranger.url.origin, key)).toBe(
      `3 platen: ${stranger.url.origin} is not the address of a Platen service (status 200); correct --server or PLATEN_URL\n`,
    );
  });
});

describeWithOffice('an office template', () => {
  test('is filled and printed with the data of its folder', async () => {
    await folder.write({
      'letter/template.docx': docx(paragraph('Dear {{name}}')),
      'letter/sample.json': '{"name": "Ada"}',
    });
    const run = (...args: string[]) => folder.run(['render', ...args], { service: service() });
    expect(await run('letter', '-o', 'letter.pdf')).toMatchObject({ status: 0 });
    expect(await pdfText(await folder.read('letter.pdf'))).toContain('Dear Ada');
    expect(await run('letter', '-d', 'list.json', '-o', 'letter.pdf')).toMatchObject({ status: 2 });
    // The service keeps no copy.
    const { body } = await service().get('/v1/templates');
    expect(body.data).toEqual([]);
    const dev = await folder.run(['dev', 'letter']);
    expect([dev.status, dev.stderr]).toEqual([
      2,
      'platen: letter/template.docx is an office file, which platen render, test and batch print\n',
    ]);
  });
});

describeWithPdfTools('platen validate', () => {
  test('ends with 0 unless a claim is broken', async () => {
    const made = await service().post('/v1/generate', {
      html: '<html lang="en"><title>Claim</title><p>Text</p>',
      options: { pdfa: '2b' },
    });
    const pdf = await service().download(made.body.url);
    await folder.write({ 'valid.pdf': pdf, 'broken.pdf': brokenCopy(pdf) });
    expect(await folder.run(['validate', 'valid.pdf'], { service: service() })).toEqual({
      status: 0,
      stdout: 'pdfa-2b: valid\n',
      stderr: notice(),
    });
    const broken = await folder.run(['validate', 'broken.pdf', '--json'], { service: service() });
    expect(JSON.parse(broken.stdout)).toMatchObject({ claims: ['pdfa-1b'], results: [{ valid: false }] });
    expect(broken.status).toBe(1);

    const none = await folder.run(['validate', 'text.txt'], { service: service() });
    expect([none.status, none.stderr]).toEqual([2, 'platen: text.txt is not a PDF; name a PDF file\n']);
  });
});

/** Returns a copy that claims PDF/A-1, whose files have no object streams and no transparency. */
function brokenCopy(pdf: Uint8Array): Uint8Array {
  const copy = Buffer.from(pdf);
  const claim = '<pdfaid:part>';
  const at = copy.indexOf(`${claim}2`);
  if (at < 0) throw new Error('the PDF has no claim in plain text');
  copy.write('1', at + claim.length, 'latin1');
  return copy;
}

test('platen completion prints a script that works in bash', async () => {
  const complete = async (...words: string[]) => {
    const { stdout: script } = await folder.run(['completion', 'bash']);
    const line = words.map((word) => `'${word}'`).join(' ');
    const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _platen; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = Bun.spawnSync(['bash', '-c', program], { cwd: folder.path });
    expect(stderr.toString()).toBe('');
    return stdout.toString().trim().split('\n');
  };
  expect(await complete('platen', 'ren')).toEqual(['render']);
  expect(await complete('platen', 'keys', '')).toEqual(['create', 'list', 'revoke']);
  expect(await complete('platen', 'keys', 'create', '--plan', 'p')).toEqual(['pro']);
  expect(await complete('platen', 'render', 'page.html', '--op')).toEqual(['--option']);
  expect(await complete('platen', 'render', 'pa')).toContain('page.html');
});

test('an unexpected failure is one sentence, with its stack only on request', async () => {
  const options = { env: { BUN_OPTIONS: '--preload ./fail.ts' } };
  expect(await folder.run(['completion', 'bash'], options)).toEqual({
    status: 5,
    stdout: '',
    stderr: 'platen: unexpected failure: no luck\n',
  });
  const env = { ...options.env, PLATEN_DEBUG: '1' };
  const { status, stderr } = await folder.run(['completion', 'bash'], { env });
  expect([status, stderr]).toEqual([5, expect.stringMatching(/\n +at /)]);
  expect(stderr).toEndWith('platen: unexpected failure: no luck\n');
});
