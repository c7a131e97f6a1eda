import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { describeWithPdfTools, pdfInfo } from '../../support/pdf/pdf.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const plugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'titles.ts');
const service = sharedService({ config: { plugins: { [plugin]: true } } });

/** Uploads a PDF of two pages and returns its id. */
async function upload(): Promise<string> {
  const file = Buffer.from(pagesPdf(2), 'latin1');
  return (await postForm(service(), '/v1/files', formOf([['file', file]]))).body.id;
}

const titleOf = async (pdf: Uint8Array) => (await pdfInfo(pdf))['Title'];

describeWithPdfTools('a plugin outside the tree', () => {
  test('takes a stored PDF by its id, and delivers a link to the result', async () => {
    const { status, body } = await service().post('/v1/acme/titles', {
      pdf: await upload(),
      title: 'Annual report',
      file_name: 'report.pdf',
      reference: 'order-7',
    });
    expect(status).toBe(200);
    expect(body.reference).toBe('order-7');
    const pdf = await service().download(body.url);
    expect(await titleOf(pdf)).toBe('Annual report');
    expect(body.file_size).toBe(pdf.length);
    const { body: record } = await service().get(`/v1/files/${body.file_id}`);
    expect(record).toMatchObject({ operation: 'acme-titles', pages: 2, file_name: 'report.pdf' });
  });

  test('delivers the file itself to a request that asks for it', async () => {
    const request = { pdf: await upload(), title: 'Minutes' };
    for (const [body, accept] of [
      [{ ...request, output: 'binary' }, '*/*'],
      [request, 'application/pdf'],
    ] as const) {
      const response = await service().send('/v1/acme/titles', body, { headers: { accept } });
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('platen-file-id')).toMatch(/^file_/);
      expect(await titleOf(await response.bytes())).toBe('Minutes');
    }
  });
});

test('a field that a plugin outside the tree cannot use is named in the error', async () => {
  const file = await upload();
  const other = await service().newKey();
  const post = (body: object, key = service().key) => service().post('/v1/acme/titles', body, key);
  const title = 'x';
  expect((await post({ pdf: file, title }, other)).status).toBe(404);
  for (const [body, field] of [
    [{ pdf: Buffer.from('hello').toString('base64'), title }, 'pdf'],
    [{ pdf: file, title, file_name: '' }, 'file_name'],
    [{ pdf: file }, 'title'],
  ] as const) {
    const { status, body: response } = await post(body);
    expect([status, response.error.details[0].path]).toEqual([400, field]);
  }
});
