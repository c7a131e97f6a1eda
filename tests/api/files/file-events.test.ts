import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = extendedService();
const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());

const events = async (key: string): Promise<ApiResponse['body'][]> =>
  (await service().get('/v1/events?type=file.*', key)).body.data;

test('an upload and each result of an operation have an event with the file, without a link', async () => {
  const key = await service().newKey();
  const uploaded = (await service().post('/v1/files', { file: samplePdf, reference: 'r1' }, key)).body;
  const merged = await service().post('/v1/pdf/merge', { pdfs: [uploaded.id, uploaded.id] }, key);
  expect(merged.status).toBe(200);
  const split = await service().post('/v1/pdf/split', { pdf: merged.body.file_id }, key);
  const parts: string[] = split.body.parts.map(({ file_id: id }: ApiResponse['body']): string => id);
  const found = await events(key);
  expect(found.map(({ type }) => type)).toEqual(Array(2 + parts.length).fill('file.created'));
  expect(found.map(({ data }): string => data.id).toSorted()).toEqual(
    [String(uploaded.id), String(merged.body.file_id), ...parts].toSorted(),
  );
  const event = found.find(({ data }) => data.id === uploaded.id);
  expect(event.data).toEqual({ ...uploaded, url: null });
  expect(event.timestamp).toBe(uploaded.created_at);
});

test('an endpoint gets the event with a link; the event ends with the file', async () => {
  const key = await service().newKey();
  const endpoint = { url: receiver.url('/files'), events: ['file.created'] };
  expect((await service().post('/v1/webhook-endpoints', endpoint, key)).status).toBe(201);
  const { id, url: _, ...file } = (await service().post('/v1/files', { file: samplePdf }, key)).body;
  await until(() => receiver.at('/files').length === 1);
  const { data } = JSON.parse(receiver.at('/files')[0]?.body ?? '');
  expect(data).toEqual({ id, ...file, url: expect.any(String) });
  expect(Buffer.from(await service().download(data.url)).toString('latin1', 0, 5)).toBe('%PDF-');
  expect((await service().request('DELETE', `/v1/files/${id}`, { key })).status).toBe(204);
  expect(await events(key)).toEqual([]);
  expect((await service().get('/v1/webhooks/deliveries', key)).body.data).toEqual([]);
});
