import { expect, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

test('of several faulty fields the message names the first, the details name all, each once', async () => {
  const faulty = { html: 7, options: { format: 'A9', landscape: 'yes', margin: { top: -1 } }, colour: 1 };
  const { status, body } = await service().post('/v1/generate', faulty);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('colour: unknown field')]);
  const paths = body.error.details.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual([
    'colour',
    'html',
    'options.format',
    'options.landscape',
    'options.margin.top',
  ]);
  expect(body.error.details[0].message).not.toContain('colour:');
});

test('ten are named and no more', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
  const { status, body } = await service().post('/v1/generate', { html: 'x', ...unknown });
  expect([status, body.error.details.length]).toEqual([400, 10]);
});
