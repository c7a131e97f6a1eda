import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { platen } from '../support/service/process.ts';
import { sharedService } from '../support/service/shared-service.ts';

setDefaultTimeout(60_000);
const service = sharedService();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const HTML = '<style>p { font: 14px sans-serif }</style>{{> letterhead}}\n<p>Invoice {{number}}</p>\n';
const FILES = {
  'templates/invoice/template.html': HTML,
  'templates/invoice/template.json': '{"options": {"format": "A5"}}',
  'templates/invoice/partials/letterhead.html': '<p>Fellside</p><img src="logo.png" alt="">',
  'templates/invoice/cases/one.json': '{"data": {"number": 1}}',
  'templates/invoice/cases/large.json': '{"data": {"number": 2}, "options": {"format": "A4"}}',
  'templates/letter/template.html': '<p>Dear {{name}} {{> closing}}</p>',
  'templates/letter/cases/ann.json': '{"data": {"name": "Ann"}}',
  'templates/closing/template.html': '<i>Regards</i>',
  'templates/closing/template.json': '{"name": "closing", "partial": true}',
};

function workplace(files: Record<string, string> = FILES) {
  const root = mkdtempSync(join(tmpdir(), 'platen-cases-'));
  folders.push(root);
  const path = (name: string) => join(root, name);
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const key = service().key;
  return {
    path,
    write,
    read: (name: string) => readFileSync(path(name)),
    exists: (name: string) => existsSync(path(name)),
    /** Runs `platen test` on the shared service, or on a service of its own. */
    run: (args: string[], { isOwn = false } = {}) =>
      platen(['test', path('templates'), '--output', path('results'), ...args], {
        ...(!isOwn && { PLATEN_URL: service().url, PLATEN_API_KEY: key }),
      }),
  };
}

const imageOf = (bytes: Buffer) => PNG.sync.read(bytes);

describe('platen test', () => {
  test('needs no service: a new case fails until --update, then its pages are compared', async () => {
    const at = workplace();
    const first = await at.run(['--junit', at.path('report/junit.xml')], { isOwn: true });
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('logo.png is missing')]);
    expect(first.stdout).toContain('invoice/one: new, with 1 page;');
    expect(first.stdout).toEndWith('3 cases: 3 new\n');
    expect(at.exists('templates/invoice/cases/one.pdf')).toBe(false);
    expect(imageOf(at.read('results/invoice/one/page-1.png')).width).toBeGreaterThan(100);
    expect(at.read('report/junit.xml').toString()).toContain(
      '<testsuite name="invoice" tests="2" failures="2" errors="0">\n    <testcase classname="invoice" name="large">\n      <failure type="new"',
    );

    // Accepted pages do not depend on the service that made them.
    const update = await at.run(['--update']);
    expect([update.code, update.stdout]).toEqual([
      0,
      'invoice/large: accepted\ninvoice/one: accepted\nletter/ann: accepted\n3 cases: 3 accepted\n',
    ]);
    expect(at.read('templates/invoice/cases/one.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(at.exists('results/invoice/one/page-1.png')).toBe(false);
  });

  test('compares data, options and partials with the accepted pages, on a service', async () => {
    const at = workplace();
    expect((await at.run(['--update'])).code).toBe(0);
    const accepted = at.read('templates/invoice/cases/one.pdf');
    const equal = await at.run(['--junit', at.path('junit.xml'), '--json']);
    expect(equal.code).toBe(0);
    expect(JSON.parse(equal.stdout)).toMatchObject({
      passed: true,
      cases: [
        { template: 'invoice', name: 'large', status: 'equal', pages: [{ page: 1, equal: true }] },
        { template: 'invoice', name: 'one', status: 'equal' },
        { template: 'letter', name: 'ann', status: 'equal' },
      ],
    });
    expect(at.read('junit.xml').toString()).toContain('tests="3" failures="0" errors="0"');

    at.write('templates/invoice/template.html', HTML.replace('14px', '24px'));
    at.write('templates/closing/template.html', '<i>Sincerely</i>');
    const changed = await at.run([]);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^invoice\/one: different: page 1 \(\d+\.\d %\);/m);
    expect(changed.stdout).toMatch(/^letter\/ann: different/m);
    for (const name of ['page-1', 'page-1-accepted', 'page-1-diff'])
      expect(imageOf(at.read(`results/letter/ann/${name}.png`)).height).toBeGreaterThan(100);
    expect(at.read('templates/invoice/cases/one.pdf').equals(accepted)).toBe(true);

    const update = await at.run(['--update']);
    expect(update.stdout).toEndWith('3 cases: 3 accepted\n');
    expect(at.read('templates/invoice/cases/one.pdf').equals(accepted)).toBe(false);
    const again = at.read('templates/invoice/cases/one.pdf');
    expect((await at.run(['--update'])).stdout).toEndWith('3 cases: 3 equal\n');
    expect(at.read('templates/invoice/cases/one.pdf').equals(again)).toBe(true);
    const { body } = await service().get('/v1/templates?limit=100');
    expect(body.data.filter(({ name }: { name: string }) => name.startsWith('platen:'))).toEqual([]);
    expect((await service().get('/v1/files')).body.data).toEqual([]);
  });

  test('a template or a case that fails is a line, not the end', async () => {
    const at = workplace({
      'templates/bad/template.html': '<p>\n{{#if}}</p>',
      'templates/bad/cases/a.json': '{"data": {}}',
      'templates/good/template.hbs': '<p>{{x}}</p>',
      'templates/notes/template.md': '# Notes',
      'templates/good/cases/broken.json': '{"data": {"x": "1"}}',
      'templates/good/cases/broken.pdf': 'no PDF',
      'templates/good/cases/new.json': '{"data": {"x": "1"}}',
    });
    const { code, stdout } = await at.run(['--junit', at.path('junit.xml'), '--update']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad\/a: failed: .*line 2/m);
    expect(stdout).toMatch(/^good\/broken: failed: .*PDF/m);
    expect(stdout).toMatch(/^good\/new: accepted$/m);
    expect(stdout.split('\n')).toHaveLength(5);
    expect(at.read('junit.xml').toString()).toContain('tests="3" failures="0" errors="2"');
  });

  test('prints the messages of template.json in the language of the data', async () => {
    const messages = (total: string) =>
      JSON.stringify({ translations: { en: { total: 'Total' }, de: { total } } });
    const at = workplace({
      'templates/bill/template.html': '<p>{{t "total"}}</p>',
      'templates/bill/template.json': messages('Summe'),
      'templates/bill/cases/de.json': '{"data": {"locale": "de"}}',
      'templates/bill/cases/en.json': '{"data": {"locale": "en"}}',
    });
    expect((await at.run(['--update'])).stdout).toEndWith('2 cases: 2 accepted\n');
    at.write('templates/bill/template.json', messages('Gesamt'));
    const { code, stdout } = await at.run(['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).cases).toMatchObject([
      { name: 'de', status: 'different' },
      { name: 'en', status: 'equal' },
    ]);
  });

  test('explains a folder without cases, broken JSON and a service that is down', async () => {
    const at = workplace({ 'templates/a/template.html': 'x' });
    const none = await at.run([]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('a/cases/first.json')]);
    at.write('templates/a/cases/one.json', '{"data": {"a": 1,}}');
    const broken = await at.run([]);
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringContaining('one.json is not JSON: line 1'),
    ]);
    at.write('templates/a/cases/one.json', '{"data": {"a": 1}}');
    at.write('report/junit.xml/x', '');
    for (const [path, sentence] of [
      ['report/junit.xml', 'is a folder in the place of a file'],
      ['report/junit.xml/x/y.xml', 'is a file; name a folder'],
    ] as const) {
      const report = await at.run(['--junit', at.path(path), '--server', 'http://127.0.0.1:1']);
      expect([report.code, report.stdout, report.stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
    }
    const down = await at.run(['--server', 'http://127.0.0.1:1', '--json']);
    expect([down.code, down.stderr]).toEqual([3, expect.stringContaining('start the service')]);
    expect(JSON.parse(down.stdout).error.code).toBe('UNAVAILABLE');
  });
});
