import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf, plainPdf, sealedAttachmentPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'attachments');
const csv = { name: 'Umsätze 売上.csv', data: Buffer.from('a,b\n1,2\n').toString('base64') };
const xml = {
  name: 'data.xml',
  data: 'PHg+',
  mime_type: 'text/xml',
  description: 'Source data',
  relationship: 'source',
};
const show = (pdf: Uint8Array, key: string) => runOn(pdf, ['qpdf', `--show-attachment=${key}`, '{}']);

describe('POST /v1/pdf/attachments', () => {
  test('lists, adds, extracts and removes attachments', async () => {
    expect(await client.read(pagesPdf(1))).toEqual({ attachments: [] });
    const pdf = await client.write(pagesPdf(1), { add: [xml, csv] });
    const { attachments } = await client.read(pdf);
    expect(attachments).toContainEqual({
      name: 'data.xml',
      file_name: 'data.xml',
      size: 3,
      mime_type: 'text/xml',
      description: 'Source data',
      relationship: 'source',
      modified_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const extracted = await client.read(pdf, { extract: [csv.name] });
    expect(extracted.attachments).toMatchObject([{ ...csv, size: 8, relationship: 'unspecified' }]);
    const removed = await client.write(pdf, { remove: ['data.xml'] });
    expect((await client.read(removed)).attachments.map(({ name }: typeof csv) => name)).toEqual([csv.name]);
    expect(removed.toString('latin1')).not.toContain('text#2fxml');
  });

  test('rejects invalid requests and names the field', async () => {
    const pdf = await client.write(pagesPdf(1), { add: [xml] });
    expect(await client.rejection(pdf, { add: [csv, xml] })).toBe(
      'add[1].name: is the name of another attachment',
    );
    expect(await client.rejection(pdf, { remove: ['x'] })).toBe(
      'remove[0]: is not the name of an attachment of the PDF',
    );
    expect(await client.rejection(pdf, { extract: ['data.xml', 'y'] })).toStartWith('extract[1]: ');
    expect(await client.rejection(pdf, { add: [csv], remove: ['x'] })).toBe(
      'remove: cannot be combined with add',
    );
    for (const name of [
      '../x',
      String.raw`a\b`,
      '',
      'a\u0000b',
      '.',
      '..',
      '. .',
      ' ',
      'a\u0085',
      'invoice\u202Efdp.exe',
    ])
      expect([name, await client.rejection(pdf, { add: [{ ...csv, name }] })]).toEqual([
        name,
        expect.stringMatching(/^add\[0\]\.name: must be a file name/),
      ]);
    expect(await client.rejection(pdf, { add: [{ ...csv, data: '?!' }] })).toStartWith('add[0].data: ');
    expect(await client.rejection(pdf, { add: [{ ...csv, mime_type: 'csv' }] })).toStartWith(
      'add[0].mime_type: ',
    );
    expect(await client.rejection(pdf, { extract: ['data.xml'], output: 'url' })).toStartWith('output: ');
  });

  test('lists and extracts attachments with unsafe names, and gives each a safe file name', async () => {
    const names = ['../../etc/passwd', String.raw`C:\x\passwd`, '..', 'a\nb\u202E.txt', '.bashrc', 'Q1.csv'];
    const text = (name: string) => `<feff${Buffer.from(name, 'utf16le').swap16().toString('hex')}>`;
    const pdf = plainPdf([
      `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[${names.map((name, index) => `(${index})<</Type/Filespec/UF ${text(name)}/EF<</F 4 0 R>>>>`).join('')}]>>>>>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
      stream('hello'),
    ]);
    const safe = ['passwd', 'passwd-2', 'attachment', 'a_b_.txt', '_bashrc', 'Q1.csv'];
    const shown = ({ name, file_name }: { name: string; file_name: string }) => [name, file_name];
    const expected = names.map((name, index) => [name, safe[index]]);
    expect((await client.read(pdf)).attachments.map(shown)).toEqual(expected);
    const { attachments } = await client.read(pdf, { extract: names });
    expect(attachments.map(shown)).toEqual(expected);
    expect(attachments[0].data).toBe(Buffer.from('hello').toString('base64'));
    const { attachments: second } = await client.read(pdf, { extract: [names[1]] });
    expect(second.map(shown)).toEqual([[names[1], 'passwd-2']]);
    const removed = await client.write(pdf, { remove: names.slice(0, 5) });
    expect((await client.read(removed)).attachments.map(shown)).toEqual([['Q1.csv', 'Q1.csv']]);
  });

  test('limits the size of extracted attachments', async () => {
    const zeros = deflateSync(Buffer.alloc(60_000_000));
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a)4 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
      '<</Type/Filespec/F(a)/EF<</F 5 0 R>>>>',
      stream(zeros.toString('latin1'), '/Filter/FlateDecode'),
    ]);
    expect(await client.rejection(pdf, { extract: ['a'] })).toMatch(/^(pdf|extract)/);
  });
});

describeWithPdfTools('written attachments', () => {
  test('are read by poppler and qpdf', async () => {
    const pdf = await client.write(pagesPdf(1), { add: [xml, csv] });
    await qpdfCheck(pdf);
    expect(runOn(pdf, ['pdfdetach', '-list', '{}'])).toContain('2 embedded files');
    expect(show(pdf, 'data.xml')).toBe('<x>');
  });

  test('can be added to an encrypted file, and an unreadable attachment is a 400', async () => {
    const pdf = await client.write(hostilePdfs.ownerPassword(), { add: [xml] });
    await qpdfCheck(pdf);
    expect(show(pdf, 'data.xml')).toBe('<x>');
    expect(await client.rejection(sealedAttachmentPdf(), { extract: ['secret.txt'] })).toMatch(
      /^extract\[0\]: cannot be read/,
    );
  });
});

describeWithPdfTools('options.attachments', () => {
  const attachment = { name: 'a.csv', data: csv.data, mimeType: 'text/csv', relationship: 'data' };
  const rejection = async (options: object) =>
    rejectionOf(await service().post('/v1/generate', { html: 'x', options }));

  test('are in the PDF', async () => {
    const pdf = await service().pdf({ html: 'x', options: { attachments: [attachment] } });
    await qpdfCheck(pdf);
    expect(show(pdf, 'a.csv')).toBe('a,b\n1,2\n');
  });

  test('are rejected, and the error names the field', async () => {
    expect(await rejection({ attachments: [attachment], pdfa: true })).toBe(
      'options.attachments: cannot be combined with pdfa: PDF/A-1b does not allow attachments; set pdfa to "3b" to attach any file',
    );
    expect(await rejection({ attachments: [attachment, attachment] })).toBe(
      'options.attachments[1].name: is the name of another attachment',
    );
    expect(await rejection({ attachments: [{ ...attachment, name: '..' }] })).toStartWith(
      'options.attachments[0].name: must be a file name',
    );
    expect(await rejection({ attachments: [{ ...attachment, data: '?' }] })).toBe(
      'options.attachments[0].data: is not valid base64',
    );
  });
});
