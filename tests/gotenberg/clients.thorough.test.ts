import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installChromiumly, installGotenbergClient } from '../../scripts/servers/gotenberg-clients.mjs';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { pdfText, requireTools } from '../support/pdf/pdf.ts';
import { formOf, type FormPart } from '../support/service/multipart.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import { unzip } from '../support/unzip.ts';
import * as checks from './pdf-checks.ts';

// Registries fill a cold cache.
setDefaultTimeout(600_000);

const service = sharedService({ config: { plugins: { gotenberg: { account: 'gotenberg@example.com' } } } });

const hasOffice = Bun.which('soffice') !== null;

/** Files as the programs in `clients` send them. */
const SOURCES: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><html><head><meta charset="utf-8"><title>Bill</title><link rel="stylesheet" href="style.css"></head><body><h1>Bill 7</h1></body></html>',
  'style.css': 'h1::after { content: " is due" }',
  'header.html': '<html><body style="font-size: 10px"><span class="title"></span></body></html>',
  'footer.html':
    '<html><body style="font-size: 10px"><span class="pageNumber"></span> of <span class="totalPages"></span></body></html>',
  'template.html': '<!doctype html><html><body>{{ toHTML "file.md" }}</body></html>',
  'file.md': '# Reminder\n\n| Bill | Sum |\n| ---- | --- |\n| 7    | 12  |\n',
  'note.fodt':
    '<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>A note</text:p></office:text></office:body></office:document>',
};

/** Installs a client. Prints the reason if it cannot be installed. */
function installed(install: () => string): string | undefined {
  if (!isThorough || !requireTools()) return undefined;
  try {
    return install();
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    console.log(`skipped: a client of Gotenberg: ${error.message}`);
    return undefined;
  }
}

/** The files and the output of a program that uses a client. */
class Results implements AsyncDisposable {
  readonly folder: string;
  readonly output: unknown;

  private constructor(folder: string, output: unknown) {
    this.folder = folder;
    this.output = output;
  }

  static async of(command: readonly string[], env: Record<string, string> = {}): Promise<Results> {
    const folder = await mkdtemp(join(tmpdir(), 'gotenberg-client-'));
    for (const [name, text] of Object.entries(SOURCES)) await Bun.write(join(folder, 'source', name), text);
    await Bun.write(join(folder, 'made', '.keep'), '');
    const args = [
      service().url,
      join(folder, 'source'),
      join(folder, 'made'),
      ...(hasOffice ? ['office'] : []),
    ];
    const child = Bun.spawn([...command, ...args], {
      env: { ...process.env, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(stderr);
    return new Results(folder, JSON.parse(stdout));
  }

  path(name: string): string {
    return join(this.folder, 'made', name);
  }

  read(name: string): Promise<Uint8Array> {
    return Bun.file(this.path(name)).bytes();
  }

  async text(name: string): Promise<string> {
    return pdfText(await this.read(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

const chromiumly = installed(installChromiumly);
const python = installed(installGotenbergClient);

test.skipIf(!chromiumly)('chromiumly works without a change', async () => {
  const program = join(import.meta.dir, 'clients', 'chromiumly.cjs');
  await using results = await Results.of(['node', program], {
    NODE_PATH: join(chromiumly ?? '', 'node_modules'),
  });

  expect(results.output).toMatchObject({
    version: '8.36.0',
    status: 'up',
    title: 'Other bills',
    bookmarks: [{ title: 'Bill', page: 1 }],
    error: expect.stringContaining('Status: 400 Bad Request'),
  });
  // Small type: poppler places its spaces by the widths of the letters.
  const html = (await results.text('html.pdf')).replaceAll(/\s/g, '');
  for (const words of ['Bill7isdue', '1of1']) expect(html).toContain(words);
  expect(await checks.pageSize(results.path('html.pdf'))).toEqual({
    width: expect.closeTo(595, -1),
    height: expect.closeTo(842, -1),
  });
  expect(await results.text('markdown.pdf')).toContain('Reminder');
  const screenshot = Buffer.from(await results.read('screenshot.png'));
  expect([screenshot.readUInt32BE(16), screenshot.readUInt32BE(20)]).toEqual([400, 300]);
  for (const name of ['merged.pdf', 'flat.pdf', 'pdfa.pdf', 'turned.pdf', 'embedded.pdf', 'outlined.pdf'])
    expect(await checks.pageCount(results.path(name)), name).toBe(2);
  expect((await unzip(await results.read('split.zip'))).length).toBe(2);
  expect(await checks.failedRules(results.path('pdfa.pdf'), 'PDF/A-2b')).toBe(0);
  expect(await checks.needsPassword(results.path('encrypted.pdf'))).toBe(true);
  expect(await checks.embeddedFiles(results.path('embedded.pdf'))).toEqual(['style.css']);
  expect(await checks.hasOutline(results.path('outlined.pdf'))).toBe(true);
  if (hasOffice) expect(await results.text('office.pdf')).toContain('A note');
});

test.skipIf(!python)('gotenberg-client works without a change, as paperless-ngx uses it', async () => {
  const program = join(import.meta.dir, 'clients', 'paperless.py');
  await using results = await Results.of([python ?? '', program]);

  expect(results.output).toEqual({
    version: '8.36.0',
    status: 'up',
    title: 'Other bills',
    error: [400, "The page ranges '9-10' (nativePageRanges) exceeds the page count"],
  });
  expect(await results.text('html.pdf')).toContain('Bill 7 is due');
  expect(await results.text('markdown.pdf')).toContain('Reminder');
  expect(await checks.pageCount(results.path('merged.pdf'))).toBe(2);
  expect((await unzip(await results.read('split.zip'))).length).toBe(2);
  for (const name of ['html.pdf', 'merged.pdf', ...(hasOffice ? ['office.pdf'] : [])])
    expect(await checks.failedRules(results.path(name), 'PDF/A-2b'), name).toBe(0);
  if (hasOffice) expect(await results.text('office.pdf')).toContain('A note');
});

/** Posts a form as an application does, without credentials. */
function post(path: string, parts: readonly FormPart[]): Promise<Response> {
  return fetch(service().url + path, { method: 'POST', body: formOf(parts) });
}

test('Lago prints an invoice', async () => {
  const response = await post('/forms/chromium/convert/html', [
    ['scale', '1.28'],
    ['marginTop', '0.42'],
    ['marginBottom', '0.42'],
    ['marginLeft', '0.42'],
    ['marginRight', '0.42'],
    ['files', new Blob([SOURCES['index.html'] ?? ''], { type: 'text/html' }), 'index.html'],
  ]);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(await pdfText(await response.bytes())).toContain('Bill 7');
});

test.skipIf(!hasOffice)('Documenso converts an uploaded document', async () => {
  const response = await post('/forms/libreoffice/convert', [
    [
      'files',
      new Blob([SOURCES['note.fodt'] ?? ''], { type: 'application/vnd.oasis.opendocument.text' }),
      'note.fodt',
    ],
  ]);
  expect(response.status).toBe(200);
  expect(await pdfText(await response.bytes())).toContain('A note');
});

test.skipIf(!hasOffice)('Documenso shows why a document cannot be converted', async () => {
  const response = await post('/forms/libreoffice/convert', [['files', new Blob(['x']), 'note.exe']]);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  expect(await response.text()).toStartWith('Invalid form data: no form file found for extensions: [');
});
