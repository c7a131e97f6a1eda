import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBytes } from '@platen/runtime';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { convert, describeWithOffice, isIsolated } from '../../support/office/office.ts';
import { commandLines, leftovers, poolFolders } from '../../support/office/processes.ts';
import { docx, fodt, linkTo, pageBreak, paragraph, xlsx } from '../../support/office/documents.ts';
import { links, pageCount, pageSizes, pdfInfo, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dir, '../../fixtures/office', name));
const letter = docx(
  paragraph('Dear reader') + pageBreak + paragraph('Second page') + pageBreak + paragraph('End'),
);

const POOL_PROCESS = '../../support/office/pool-process.ts';

/** The memory of this process, in which the service runs. */
async function memory(): Promise<number> {
  Bun.gc(true);
  return residentBytes(process.pid);
}

const blackSquare = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'black' }, limitInputPixels: false })
    .png()
    .toBuffer();

describeWithOffice('POST /v1/pdf/convert', () => {
  let others: readonly string[] = [];
  beforeAll(() => {
    others = poolFolders();
  });
  const getService = sharedService({
    config: { plugins: { office: { maxPages: 5, maxFileMegabytes: 2, timeoutMs: 120_000 } } },
  });

  const texts: readonly (readonly [name: string, file: Uint8Array, text: string])[] = [
    ['wrong.xlsx', letter, 'Dear reader'],
    ['table.xlsx', xlsx([['Sum', 'twelve']]), 'twelve'],
    ['text.fodt', fodt('<text:p>Plain words</text:p>'), 'Plain words'],
    ['note.rtf', strToU8('{\\rtf1\\ansi Rich words}'), 'Rich words'],
    ['latin1.txt', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['utf16.csv', Buffer.from('\ufeffNamé;Wért\n1;2\n', 'utf16le'), 'Wért'],
    ['page.html', strToU8('<html><body><p>Marked words</p></body></html>'), 'Marked words'],
    [
      'picture.svg',
      strToU8(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text x="5" y="30">Drawn words</text></svg>',
      ),
      'Drawn words',
    ],
  ];

  test.each(texts)('converts %s', async (name, file, text) => {
    const { status, message, pdf } = await convert(getService(), file, { name });
    expect({ status, message }).toEqual({ status: 200, message: '' });
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain(text);
    expect((await pdfInfo(pdf))['Tagged']).toBe('yes');
  });

  test('converts an image', async () => {
    const { status, pdf } = await convert(getService(), onePixelPng(200, 10, 10), { name: 'dot.png' });
    expect(status).toBe(200);
    expect(await pageCount(pdf)).toBe(1);
  });

  test('finds the separator of a table, and turns its pages', async () => {
    const table = 'a\t"b\tc"\td\n1,5\t2\t3\n';
    const { status, pdf } = await convert(getService(), strToU8(table), { name: 'x.csv', landscape: 'true' });
    expect(status).toBe(200);
    // Cells are apart from each other, and a quoted separator stays.
    expect(await pdfText(pdf)).toMatch(/a\s+b.?c\s+d/);
    const [size] = await pageSizes(pdf);
    expect(size!.width).toBeGreaterThan(size!.height);
  });

  test('names the PDF and the sheet of a table after the file', async () => {
    const service = getService();
    const send = (...fields: [string, string][]) =>
      postForm(
        service,
        '/v1/pdf/convert',
        formOf([['file', strToU8('a,b\n1,2\n'), 'Prices März #1.csv'], ...fields]),
      );
    const { status, body } = await send();
    expect([status, body.file_name]).toEqual([200, 'Prices März #1.pdf']);
    const stored = await fetch(`${service.url}/v1/files/${body.file_id}/content`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(await pdfText(await stored.bytes())).toContain('Prices März #1');
    const other = await send(['file_name', 'Other']);
    expect(other.body.file_name).toBe('Other.pdf');
  });

  test('prints the chosen pages', async () => {
    const { pdf } = await convert(getService(), letter, { pages: '2-' });
    expect(await pageCount(pdf)).toBe(2);
    expect(await pdfText(pdf)).not.toContain('Dear reader');
  });

  test('prints each sheet on one page', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => [`Row ${index}`]);
    const { pdf } = await convert(getService(), xlsx(rows), { single_page_sheets: 'true' });
    expect(await pageCount(pdf)).toBe(1);
    expect(await pdfText(pdf)).toContain('Row 199');
  });

  test('keeps links, and shows no folder of the server', async () => {
    const file = docx(
      ['a', 'b', 'c', 'd'].map((id) => linkTo(id, `link ${id}`)).join(''),
      [
        ['a', 'https://example.com/x?y=1'],
        ['b', 'annex/report.docx'],
        ['c', '../up.docx'],
        ['d', 'file:///C:/Shared/x.docx'],
      ].map(([id = '', target = '']) => ({ id, type: 'hyperlink', target })),
    );
    const { pdf } = await convert(getService(), file);
    expect((await links(pdf)).toSorted()).toEqual([
      '../up.docx',
      'annex/report.docx',
      'file:///C:/Shared/x.docx',
      'https://example.com/x?y=1',
    ]);
  });

  const open = (name: string, fields: Record<string, string> = {}) =>
    convert(getService(), fixture(name), { name, ...fields });

  test.each(['agile.docx', 'standard.docx', 'encrypted.odt', 'encrypted.doc'])(
    'opens %s with its password',
    async (name) => {
      const { status, pdf } = await open(name, { password: 'secret' });
      expect(status).toBe(200);
      expect(await pdfText(pdf)).toContain('plain link');
    },
  );

  test.each([
    ['agile.docx', {}, 'is encrypted: send its password in the field password'],
    ['agile.docx', { password: 'wrong' }, 'is encrypted, and the password in the field password is wrong'],
    ['encrypted.odt', { password: 'wrong' }, 'is encrypted, and the password in the field password is wrong'],
    ['encrypted.doc', {}, 'is encrypted: send its password in the field password'],
  ])('asks for the password of %s with %p', async (name, fields, message) => {
    expect(await open(name, fields)).toMatchObject({ status: 400, message: `file: ${message}` });
  });

  test.each<[string, Uint8Array, Record<string, string>, string]>([
    ['an empty file', new Uint8Array(), {}, 'file: is empty'],
    [
      'a truncated file',
      letter.subarray(0, letter.length / 2),
      { name: 'a.docx' },
      'file: is truncated or damaged: its zip archive',
    ],
    [
      'a zip archive',
      zipSync({ 'a.txt': strToU8('a') }),
      {},
      'file: is a zip archive, but not an office document',
    ],
    ['a PDF', strToU8('%PDF-1.7\n'), {}, 'file: is a PDF already'],
    ['an unknown file', new Uint8Array(100), { name: 'a.bin' }, 'file: is of an unknown type'],
    [
      'a compound file',
      Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      { name: 'a.doc' },
      'file: is damaged, truncated or too large',
    ],
    [
      'a large file',
      new Uint8Array(2_000_001),
      {},
      'file: is larger than plugins.office.maxFileMegabytes, 2 MB',
    ],
    [
      'many pages',
      docx(pageBreak.repeat(5) + paragraph('End')),
      {},
      'file: has 6 pages, more than plugins.office.maxPages, 5',
    ],
    [
      'another type',
      letter,
      { file_type: 'xlsx' },
      'file_type: is xlsx, but the content of the file is a docx file',
    ],
    ['an unknown type', letter, { file_type: 'exe' }, 'file_type: must be one of'],
    ['malformed pages', letter, { pages: '3-1' }, 'pages: 3-1 ends before it begins'],
    ['absent pages', letter, { pages: '9' }, 'pages: selects no page of the document'],
    ['an unknown option', letter, { colour: 'red' }, 'colour:'],
  ])('rejects %s', async (_, file, fields, message) => {
    const answer = await convert(getService(), file, fields);
    expect(answer.status).toBe(400);
    expect(answer.message).toStartWith(message);
  });

  test('rejects a zip bomb before LibreOffice opens it', async () => {
    const bomb = Buffer.from(zipSync({ 'word/a.xml': new Uint8Array(1_000) }));
    // The size in the listing of the archive (APPNOTE 4.3.12).
    bomb.writeUInt32LE(600_000_000, bomb.indexOf('PK\u0001\u0002', 'latin1') + 24);
    const answer = await convert(getService(), bomb, { name: 'a.docx' });
    expect(answer).toMatchObject({
      status: 400,
      message: 'file: unpacks to more than 500 MB or 20000 parts',
    });
  });

  test('stores, converts and refines an uploaded document', async () => {
    const service = getService();
    const stored = await postForm(
      service,
      '/v1/files',
      formOf([
        ['file', letter, 'letter.docx'],
        ['file_name', 'Letter'],
      ]),
    );
    expect(stored).toMatchObject({
      status: 201,
      body: { pages: null, operation: 'upload', file_name: 'Letter.docx' },
    });
    const { id } = stored.body;
    const content = await fetch(`${service.url}/v1/files/${id}/content`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(content.headers.get('content-type')).toContain('wordprocessingml');
    expect(Buffer.from(await content.bytes()).equals(letter)).toBeTrue();
    const converted = await service.post('/v1/pdf/convert', {
      file: id,
      file_name: 'Letter',
      reference: 'r-1',
    });
    expect(converted).toMatchObject({ status: 200, body: { file_name: 'Letter.pdf', reference: 'r-1' } });
    const record = await service.get(`/v1/files/${converted.body.file_id}`);
    expect(record.body).toMatchObject({ operation: 'convert', pages: 3 });
    const steps = [{ do: 'pages', pages: '1' }, { do: 'pdfa' }];
    const refined = await service.post('/v1/pdf/pipeline', { file: id, landscape: true, steps });
    expect(refined).toMatchObject({
      status: 200,
      body: { pages: 1, steps: [{ do: 'pages' }, { do: 'pdfa', pdfa: true }] },
    });
    const other = await service.post('/v1/pdf/info', { pdf: id });
    expect(other.body.error.message).toContain('not a PDF: convert it with POST /v1/pdf/convert');
    const lost = await service.post('/v1/pdf/pipeline', {
      pdf: converted.body.file_id,
      landscape: true,
      steps,
    });
    expect(lost.body.error.message).toBe('landscape: needs file, a document to convert');
    const foreign = await service.post('/v1/pdf/convert', { file: id }, await service.newKey());
    expect(foreign.status).toBe(404);
  });

  test('shares LibreOffice among accounts, and keeps no memory, process or file', async () => {
    const service = getService();
    const file = Buffer.from(letter).toString('base64');
    const send = (key: string) => service.post('/v1/pdf/convert', { file }, key);
    expect((await send(service.key)).status).toBe(200);
    const before = await memory();
    let done = 0;
    const many = Array.from({ length: 11 }, async () => {
      expect((await send(service.key)).status).toBe(200);
      done += 1;
    });
    const key = await service.newKey();
    await until(() => done > 0);
    expect((await send(key)).status).toBe(200);
    expect(done).toBeLessThan(8);
    await Promise.all(many);
    // One process waits for the next document.
    await until(() => leftovers(others).processes.length === 1 && leftovers(others).folders.length === 1);
    expect((await memory()) - before).toBeLessThan(50_000_000);
  }, 240_000);

  test('ends a conversion when the caller disconnects', async () => {
    const long = strToU8(
      Array.from({ length: 30_000 }, (_, index) => `Line ${index} of a long text`).join('\n'),
    );
    const caller = new AbortController();
    const call = convert(getService(), long, { name: 'long.txt' }, caller.signal);
    const running = () => leftovers(others).folders.length;
    await until(() => running() === 2);
    caller.abort();
    expect(await call.catch((error: unknown) => (error as Error).name)).toBe('AbortError');
    await until(() => running() === 1 && leftovers(others).processes.length === 1);
  });
});

describeWithOffice('limits of conversions', () => {
  const getService = sharedService({ config: { plugins: { office: { timeoutMs: 1_500, pool: 0 } } } });
  const withLittleMemory = sharedService({
    config: { plugins: { office: { memoryMegabytes: 300, pool: 0 } } },
  });

  test('an error names the limit of time, and costs one request', async () => {
    const long = strToU8(
      Array.from({ length: 60_000 }, (_, index) => `Line ${index} of a long text`).join('\n'),
    );
    const slow = await convert(getService(), long, { name: 'long.txt' });
    expect(slow).toMatchObject({
      status: 400,
      message: 'file: takes longer than plugins.office.timeoutMs, 1.5 s',
    });
  });

  test.each([
    [12_000, 'file: needs more memory than plugins.office.memoryMegabytes, 300 MB'],
    // The kernel refuses memory for this one at once.
    [
      20_000,
      'file: is damaged, truncated or too large for the memory limit of 300 MB: LibreOffice cannot read it as png',
    ],
  ])('an error names the limit of memory for an image of %d pixels squared', async (side, message) => {
    const { status, message: found } = await convert(withLittleMemory(), await blackSquare(side));
    expect([status, found]).toEqual([400, message]);
  });
});

/** LibreOffice starts slowly while other tests take all processors. */
const START_LIMIT_MS = 120_000;

describeWithOffice('a service that is killed', () => {
  test.each(isIsolated ? ['bwrap', 'unshare', 'none'] : ['none'])(
    'takes its LibreOffice with it: %s',
    async (isolation) => {
      const service = Bun.spawn([process.execPath, join(import.meta.dir, POOL_PROCESS), isolation], {
        // The folder of the test run is closed to the unprivileged user of LibreOffice.
        env: { ...process.env, TMPDIR: '/tmp' },
        stdout: 'ignore',
        stderr: 'inherit',
      });
      const running = () => commandLines().filter((line) => line.includes(`platen-office-${service.pid}-`));
      // The command line of LibreOffice in a view of its own does not show the folder.
      const hasStarted = () =>
        isolation === 'bwrap'
          ? running().length === 2
          : running().some((line) => line.split('\0')[0]?.endsWith('soffice.bin') && line.includes('Serve'));
      await until(hasStarted, START_LIMIT_MS);
      service.kill('SIGKILL');
      await service.exited;
      await until(() => running().length === 0);
    },
    2 * START_LIMIT_MS,
  );
});
