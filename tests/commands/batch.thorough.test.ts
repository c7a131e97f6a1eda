import { afterAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runBatch } from '../../src/commands/batch/run.ts';
import { UsageError } from '../../src/commands/failures.ts';
import { pdfText } from '../support/pdf/pdf.ts';
import { platen } from '../support/service/process.ts';
import { sharedService } from '../support/service/shared-service.ts';

setDefaultTimeout(60_000);
const service = sharedService();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function workplace(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'platen-batch-'));
  folders.push(root);
  const path = (name: string) => join(root, name);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const env = { PLATEN_URL: service().url, PLATEN_API_KEY: service().key };
  return {
    path,
    write,
    made: () => (existsSync(path('pdfs')) ? readdirSync(path('pdfs')).toSorted() : []),
    text: async (name: string) => pdfText(readFileSync(path(`pdfs/${name}`))),
    /** The options of a run on the shared service, in this process. */
    options: (folder: string, data: string) => ({
      folder: path(folder),
      template: undefined,
      data: path(data),
      output: path('pdfs'),
      name: undefined,
      overwrite: false,
      json: false,
      service: { server: service().url, key: service().key },
    }),
    run: (args: string[], isOwn = false) => platen(['batch', ...args, '-o', path('pdfs')], isOwn ? {} : env),
  };
}

/** Collects the lines that are printed in this process. */
function capturedOutput() {
  const log = spyOn(console, 'log').mockImplementation(() => {});
  return {
    text: () => log.mock.calls.flat().join('\n'),
    [Symbol.dispose]: () => log.mockRestore(),
  };
}

const TEMPLATE = {
  'templates/invoice/template.html': '<p>Invoice {{number}} {{> closing}}</p>',
  'templates/invoice/template.json': '{"schema": {"number": "string!"}}',
  'templates/closing/template.html': 'Regards',
  'templates/closing/template.json': '{"name": "closing", "partial": true}',
};

describe('platen batch', () => {
  test('makes a PDF for each line, lists the items that fail, and goes on where it stopped', async () => {
    const at = workplace({ ...TEMPLATE, 'data.ndjson': '{"number": "1/a"}\n{}\n{"number": "../2"}\n' });
    const args = [at.path('templates/invoice'), at.path('data.ndjson')];
    const first = await at.run(args);
    expect([first.code, first.stdout]).toEqual([1, `${at.path('pdfs')}: 2 made, 1 failed\n`]);
    expect(first.stderr).toMatch(/^line 2 \(0002\.pdf\): \w+: .*number/m);
    expect(at.made()).toEqual(['0001.pdf', '0003.pdf']);
    expect(await at.text('0001.pdf')).toContain('Invoice 1/a Regards');
    expect(await at.text('0003.pdf')).toContain('Invoice ../2 Regards');

    const before = readFileSync(at.path('pdfs/0001.pdf'));
    at.write('data.ndjson', '{"number": "1/a"}\n{"number": "new"}\n{"number": "../2"}\n');
    const second = await at.run([...args, '--json']);
    expect([second.code, JSON.parse(second.stdout)]).toEqual([
      0,
      { folder: at.path('pdfs'), made: 1, kept: 2, failed: [] },
    ]);
    expect(readFileSync(at.path('pdfs/0001.pdf')).equals(before)).toBe(true);
    expect((await at.run(args)).stdout).toContain('0 made, 3 kept from an earlier run (--overwrite');
    expect((await at.run([...args, '--overwrite'])).stdout).toContain('3 made\n');
    const { body } = await service().get('/v1/templates?limit=100');
    expect(body.data.filter(({ name }: { name: string }) => name.startsWith('platen:'))).toEqual([]);
  });

  test('takes a stored template with its options, CSV and safe names', async () => {
    const { body } = await service().post('/v1/templates', {
      name: 'Letter',
      alias: 'batch-letter',
      html_content: '<p>Dear {{name}}</p>',
      options: { format: 'A5' },
    });
    const at = workplace({ 'data.csv': 'name,note\nAnn,"a,\nb"\n../ann,\nCON,\n' });
    const { code, stdout } = await at.run([
      '--template',
      'batch-letter',
      at.path('data.csv'),
      '--name',
      'name',
    ]);
    expect([code, stdout]).toEqual([0, `${at.path('pdfs')}: 3 made\n`]);
    expect(at.made()).toEqual(['Ann.pdf', '_CON.pdf', 'ann-2.pdf'].toSorted());
    expect(await at.text('ann-2.pdf')).toContain('Dear ../ann');
    const { body: made } = await service().get(`/v1/generations?limit=3`);
    expect(made.data[0].template_id).toBe(body.id);
  });

  test('makes more documents than a batch may have in several batches', async () => {
    const items = ['1', '2', '3'].map((number) => ({ number }));
    const at = workplace({ ...TEMPLATE, 'data.json': JSON.stringify(items) });
    const batches = async () => (await service().get('/v1/batches?include=total')).body.total as number;
    const before = await batches();
    using output = capturedOutput();
    expect(await runBatch(at.options('templates/invoice', 'data.json'), 2)).toBe(0);
    expect(output.text()).toBe(`${at.path('pdfs')}: 3 made`);
    expect(at.made()).toEqual(['0001.pdf', '0002.pdf', '0003.pdf']);
    expect(await at.text('0003.pdf')).toContain('Invoice 3 Regards');
    expect((await batches()) - before).toBe(2);
  });

  test('needs no service', async () => {
    const at = workplace({ ...TEMPLATE, 'data.json': '[{"number": "1"}]' });
    const { code, stdout } = await at.run([at.path('templates/invoice'), at.path('data.json')], true);
    expect([code, stdout]).toEqual([0, `${at.path('pdfs')}: 1 made\n`]);
    expect(await at.text('0001.pdf')).toContain('Invoice 1 Regards');
  });

  test('explains a missing argument in one sentence', async () => {
    const at = workplace(TEMPLATE);
    const { code, stderr } = await at.run([at.path('templates/invoice')]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/name the folder of a template and a data file/),
    ]);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test.each<[string, [string, string], RegExp]>([
    ['a missing file', ['templates/invoice', 'missing.json'], /missing\.json does not exist/],
    ['another ending', ['templates/invoice', 'data.txt'], /use \.json, \.ndjson, \.jsonl, \.csv/],
    ['broken JSON', ['templates/invoice', 'broken.json'], /broken\.json is not JSON: line 2, column 2/],
    ['a folder of many templates', ['templates', 'data.json'], /is not the folder of one template/],
  ])('explains %s in one sentence', async (_, names, message) => {
    const at = workplace({ ...TEMPLATE, 'data.txt': 'x', 'data.json': '[{}]', 'broken.json': '[\n }' });
    const error = await runBatch(at.options(...names)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('\n');
  });
});
