import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';
import { docMdp, signedPdf } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'properties');
const generate = (options: object) =>
  service().pdf({ html: '<title>Original</title><p>text', options, output: 'base64' });
const infoOf = (pdf: Uint8Array) =>
  Object.fromEntries(
    runOn(pdf, ['pdfinfo', '{}'])
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

describe('POST /v1/pdf/properties', () => {
  test('returns the properties without set', async () => {
    const pdf = pagesPdf(1, {
      info: '/Title(Report)/Keywords(a; b,c)/CreationDate(D:20260301093000Z)',
      catalog: '/Lang(de-AT)',
    });
    expect(await client.read(pdf)).toEqual({
      properties: {
        title: 'Report',
        author: '',
        subject: '',
        keywords: ['a', 'b', 'c'],
        language: 'de-AT',
        creator: '',
        producer: '',
        creation_date: '2026-03-01T09:30:00.000Z',
        modification_date: null,
        info: {
          Title: 'Report',
          Keywords: 'a; b,c',
          CreationDate: 'D:20260301093000Z',
        },
      },
    });
  });

  test('writes dates with their time zone, and custom entries', async () => {
    const set = {
      creation_date: '2006-09-18T16:27:50-04:00',
      modification_date: '2007-01-02T03:04:05Z',
      trapped: 'Unknown',
      custom: { Department: 'Vertrieb für Käse', Copyright: 'Ada' },
    };
    const pdf = await client.write(pagesPdf(1, { info: '/Department(Sales)/Old(x)' }), { set });
    expect(infoOf(pdf)).toMatchObject({ 'Custom Metadata': 'yes' });
    const { properties } = (await client.read(pdf)) as { properties: Record<string, unknown> };
    expect(properties).toMatchObject({
      creation_date: '2006-09-18T20:27:50.000Z',
      modification_date: '2007-01-02T03:04:05.000Z',
      info: {
        CreationDate: "D:20060918162750-04'00'",
        ModDate: 'D:20070102030405Z',
        Trapped: 'Unknown',
        Department: 'Vertrieb für Käse',
        Copyright: 'Ada',
        Old: 'x',
      },
    });
    expect(runOn(pdf, ['pdfinfo', '-meta', '{}'])).toContain(
      '<xmp:CreateDate>2006-09-18T20:27:50+00:00</xmp:CreateDate>',
    );
    const removed = await client.write(pdf, { set: { creation_date: null, custom: { Old: null } } });
    const after = (await client.read(removed)) as { properties: { info: object } };
    expect(after.properties.info).not.toHaveProperty('Old');
    expect(after.properties.info).not.toHaveProperty('CreationDate');
    await qpdfCheck(removed);
  });

  test('rejects invalid values and names the field', async () => {
    const pdf = pagesPdf(1);
    expect(await client.rejection(pdf, { set: {} })).toStartWith('set: ');
    expect(await client.rejection(pdf, { set: { colour: 'x' } })).toStartWith('set.colour');
    expect(await client.rejection(pdf, { set: { keywords: ['a', 'b,c'] } })).toStartWith('set.keywords');
    expect(await client.rejection(pdf, { set: { language: 'no language!' } })).toStartWith('set.language: ');
    expect(await client.rejection(pdf, { set: { custom: { Title: 'x' } } })).toBe(
      'set.custom.Title: is a property of its own in set',
    );
    expect(await client.rejection(pdf, { set: { custom: { 'a b': 'x' } } })).toStartWith('set.custom');
    expect(await client.rejection(pdf, { set: { creation_date: '2026-02-31T00:00:00Z' } })).toBe(
      'set.creation_date: must be a time that exists',
    );
    expect(await client.rejection(pdf, { file_name: 'x' })).toBe(
      'file_name: needs set: without it, the response is not a PDF',
    );
  });

  test('rejects a file with a signature that allows no changes', async () => {
    expect(await client.rejection(signedPdf('', docMdp('/P 3')), { set: { title: 'x' } })).toMatch(
      /^pdf: has a signature that allows .*the change would invalidate it/,
    );
  });

  test('stores the result', async () => {
    const { body } = await client.post(pagesPdf(1), { set: { title: 'x' }, reference: 'r' });
    expect((await service().get(`/v1/files/${body.file_id}`)).body).toMatchObject({
      operation: 'properties',
      pages: 1,
      reference: 'r',
    });
  });
});

test.each([
  ['set.title', { title: '\ud800' }],
  ['set.keywords[1]', { keywords: ['plans', 'x\udfff'] }],
])('rejects an unpaired surrogate in %s', async (path, set) => {
  expect(await client.rejection(pagesPdf(1), { set })).toBe(
    `${path}: must be well-formed Unicode; it contains an unpaired surrogate`,
  );
});

describeWithPdfTools('the written properties', () => {
  test('are read by poppler, and null removes them', async () => {
    const set = { title: 'Größe 寸法', author: 'Ada', keywords: ['a', 'b'], language: 'en' };
    const pdf = await client.write(pagesPdf(2, { info: '/Title(Old)/Subject(Kept)' }), { set });
    await qpdfCheck(pdf);
    expect(infoOf(pdf)).toMatchObject({
      Title: 'Größe 寸法',
      Author: 'Ada',
      Subject: 'Kept',
      Keywords: 'a, b',
      'Metadata Stream': 'yes',
    });
    const removed = await client.write(pdf, { set: { title: null, subject: '' } });
    expect(infoOf(removed)).not.toHaveProperty('Title');
    expect(infoOf(removed)).not.toHaveProperty('Subject');
    expect(infoOf(removed)['Author']).toBe('Ada');
    expect(removed.toString('latin1')).not.toContain('Kept');
  });

  test('are appended to a signed file and to an encrypted file', async () => {
    const signed = Buffer.from(signedPdf('', ''), 'latin1');
    const written = await client.write(signed, { set: { title: 'x' } });
    expect(written.subarray(0, signed.length)).toEqual(signed);
    const encrypted = await client.write(hostilePdfs.ownerPassword(), { set: { title: 'Open plans' } });
    expect(infoOf(encrypted)).toMatchObject({
      Title: 'Open plans',
      Encrypted: expect.stringContaining('yes'),
    });
    await qpdfCheck(encrypted);
  });
});

describeWithPdfTools('options.properties', () => {
  const properties = {
    title: 'Annual report',
    author: 'Ada',
    subject: 'Money',
    keywords: ['x', 'y'],
    language: 'en-GB',
  };

  test('describe the PDF', async () => {
    const pdf = await generate({ properties });
    expect((await client.read(pdf)).properties).toMatchObject(properties);
    expect(infoOf(pdf)).toMatchObject({ Title: 'Annual report', Keywords: 'x, y' });
    expect(infoOf(await generate({ properties: { title: '' } }))).not.toHaveProperty('Title');
  });

  test('apply to items of batches', async () => {
    const items = [{ html: 'x', options: { properties: { title: 'Item' } } }];
    const { generations } = await completed(service(), await submit(service(), items));
    const { body } = await service().post('/v1/pdf/properties', { pdf: generations[0].id });
    expect(body.properties.title).toBe('Item');
  });

  test('are rejected, and the error names the field', async () => {
    const answer = await service().post('/v1/generate', {
      html: 'x',
      options: { properties: { language: '???' } },
    });
    expect(rejectionOf(answer)).toStartWith('options.properties.language: ');
  });

  test('are in a PDF/A file', async () => {
    const pdf = await generate({ properties, pdfa: true });
    expect((await client.read(pdf)).properties).toMatchObject(properties);
    const changed = await client.write(pdf, { set: { title: 'Changed', language: null } });
    if (!requireVeraPdf()) return;
    const files = new Map([
      ['generated', pdf],
      ['changed', changed],
    ]);
    expect([...(await validateWithVeraPdf(files)).values()]).toEqual([[], []]);
  }, 60_000);
});
