import { expect, setSystemTime, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formOf, postForm, requestPart } from '../../support/service/multipart.ts';
import { onMongoAndS3, TestService, type ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const pdf = Buffer.from(pagesPdf(1), 'latin1');
const generate = async (body: object = {}) =>
  (await service().post('/v1/generate', { html: 'x', ...body })).body;

/** Sends an id in place of a PDF: as a field, in a list, as a multipart part and to a route for forms. */
function refer(id: string, key?: string): Promise<ApiResponse[]> {
  const options = key === undefined ? {} : { key };
  return Promise.all([
    service().post('/v1/pdf/info', { pdf: id }, key),
    service().post('/v1/pdf/merge', { pdfs: [pdf.toString('base64'), id] }, key),
    postForm(service(), '/v1/pdf/split', formOf([['pdf', id]]), options),
    service().post('/v1/pdf/forms/list-fields', { pdf: id }, key),
  ]);
}

async function expectNotFound(answers: Promise<ApiResponse[]>, message: RegExp): Promise<void> {
  for (const { status, body } of await answers) {
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.error.message).toMatch(message);
  }
}

test('a reference to a deleted generation or file is 404', async () => {
  const { id } = await generate();
  await service().request('DELETE', `/v1/generations/${id}`);
  await expectNotFound(refer(id), new RegExp(`${id} not found`));
  const { id: fileId } = (await service().post('/v1/files', { file: pdf.toString('base64') })).body;
  await service().request('DELETE', `/v1/files/${fileId}`);
  await expectNotFound(refer(fileId), new RegExp(`${fileId} not found`));
});

test('a reference to an expired generation or file is 404', async () => {
  const generation = await generate({ expires_in: 60 });
  const file = (await service().post('/v1/files', { file: pdf.toString('base64'), expires_in: 60 })).body;
  try {
    setSystemTime(Math.max(Date.parse(generation.expires_at), Date.parse(file.expires_at)) + 1);
    for (const { id } of [generation, file]) await expectNotFound(refer(id), new RegExp(`${id} not found`));
    expect((await service().get(`/v1/generations/${generation.id}`)).status).toBe(404);
    expect((await service().request('DELETE', `/v1/generations/${generation.id}`)).status).toBe(404);
    expect((await service().request('DELETE', `/v1/files/${file.id}`)).status).toBe(404);
  } finally {
    setSystemTime();
  }
});

test("a reference to another account's generation or file is 404", async () => {
  const key = await service().newKey();
  const { id } = await generate();
  const { id: fileId } = (await service().post('/v1/files', { file: pdf.toString('base64') })).body;
  for (const foreign of [id, fileId])
    await expectNotFound(refer(foreign, key), new RegExp(`${foreign} not found`));
});

test('a reference to an unfinished, canceled or failed generation is 404 and says so', async () => {
  const key = await service().newKey();
  const slow = '<script>for(const end=Date.now()+1500;Date.now()<end;);</script>';
  const items = Array.from({ length: 20 }, () => ({ html: slow }));
  const { body } = await service().post('/v1/generate/batch', { items }, key);
  const { id } = body.generations.at(-1);
  await expectNotFound(refer(id, key), new RegExp(`the generation ${id} has no PDF: its status is queued`));
  await service().post(`/v1/batches/${body.batch_id}/cancel`, {}, key);
  await expectNotFound(refer(id, key), new RegExp(`the generation ${id} has no PDF: its status is canceled`));
  await service().post('/v1/generate', { html: '{{#if', data: {} }, key);
  const [failed] = (await service().get('/v1/generations?status=failed&limit=1', key)).body.data;
  await expectNotFound(refer(failed.id, key), /has no PDF: its status is failed/);
});

test('a malformed multipart request leaves no file and no record', async () => {
  await using own = await TestService.start();
  const text = (name: string, end: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.pdf"\r\n\r\n${pdf.toString('latin1')}\r\n${end}`;
  const raw = (body: string) => ({ boundary: 'b', bytes: Buffer.from(body, 'latin1') });
  const forms: [FormData | ReturnType<typeof raw>, RegExp][] = [
    [formOf([requestPart({})]), /^file: is required/],
    [
      formOf([
        ['file', pdf],
        ['file', pdf],
      ]),
      /part "file" occurs more than once/,
    ],
    [
      formOf([
        ['file', pdf],
        ['other', pdf],
      ]),
      /^other: unknown part/,
    ],
    [formOf([['file', Buffer.alloc(27_000_001, 37)]]), /^file: is larger than/],
    [raw(text('', '--b--')), /^part 1: /],
    [raw(text('file', '')), /part "file" is truncated/],
    [raw(text('file', '--b--').replaceAll('--b', '--c')), /begin with its boundary/],
    [
      raw(text('file', '--b--').replace('\r\n\r\n', '\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n')),
      /part "file" must not be a multipart itself/,
    ],
  ];
  for (const [form, message] of forms) {
    const { status, body } = await postForm(own, '/v1/files', form);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toMatch(message);
  }
  expect((await own.get('/v1/files')).body.data).toEqual([]);
  if (onMongoAndS3) return;
  const stored = await readdir(join(own.dataDir, 'files'), { recursive: true });
  expect(stored.filter((name) => name !== '.incoming')).toEqual([]);
  // The same form without a fault is stored.
  expect((await postForm(own, '/v1/files', raw(text('file', '--b--')))).status).toBe(201);
  expect(await readdir(join(own.dataDir, 'files'), { recursive: true })).toHaveLength(3);
});

test('of simultaneous deletions of a generation, one is 204 and the others are 404', async () => {
  const { id } = await generate();
  const deletions = await Promise.all(
    [1, 2, 3].map(() => service().request('DELETE', `/v1/generations/${id}`)),
  );
  expect(deletions.map(({ status }) => `${status}`).toSorted()).toEqual(['204', '404', '404']);
});
