import { expect, test } from 'bun:test';
import { ended, itemsOf, newTemplate, sendBulk } from '../../support/batch/bulk.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/** The name of an item with many rows takes a second, and all names are rendered before items are queued. */
const SLOW_NAME = '{{#each rows}}{{#each ../rows}}{{/each}}{{/each}}Item {{number}}';
const ROWS = 1_500;

test('the 202 comes before the items are put into the queue', async () => {
  const template = await newTemplate(service(), '<p>{{number}}</p>');
  const rows = Array.from({ length: ROWS }, () => 0);
  const lines = [
    { number: 1, rows: [] },
    { number: 2, rows },
  ].map((item) => `${JSON.stringify(item)}\n`);
  const settings = { template, file_name: SLOW_NAME };
  const accepted = await sendBulk({ service: service(), settings }, lines.join(''));
  expect([accepted.status, accepted.body.total]).toEqual([202, 2]);
  const id: string = accepted.body.batch_id;
  const [first] = await itemsOf(service(), id);
  expect(first).toMatchObject({ index: 0, status: 'queued', file_name: null });
  // A generation exists as soon as its item is in the queue.
  expect((await service().get(`/v1/generations/${first.id}`)).status).toBe(404);
  expect(await ended(service(), id)).toMatchObject({ status: 'completed', completed: 2 });
  const names = (await itemsOf(service(), id)).map((item: { file_name: string }) => item.file_name);
  expect(names).toEqual(['Item 1.pdf', 'Item 2.pdf']);
  expect((await service().get(`/v1/generations/${first.id}`)).body.status).toBe('completed');
});
