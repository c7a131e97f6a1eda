import { expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { TestKeyClient } from '../../support/accounts/test-key-client.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const keys = new TestKeyClient(service);

test('the accepted pages of a case are images for live keys of their account', async () => {
  const { live, testKey } = await keys.newKeys();
  const stranger = await service().newKey();
  const body = { name: 'Letter', html_content: '<p>Dear {{name}}</p>' };
  const created = await service().request('POST', '/v1/templates', { body, key: live });
  const path = `/v1/templates/${created.body.id}/cases/Short%20name`;
  const read = (page: string, key = live) =>
    fetch(`${service().url}${path}/pages/${page}`, { headers: { authorization: `Bearer ${key}` } });
  const statusOf = async (page: string, key?: string) => (await read(page, key)).status;
  await service().request('PUT', path, { body: { data: { name: 'Ada' } }, key: live });
  expect(await statusOf('1.png')).toBe(404);

  await service().request('POST', `${path}/accept`, { body: {}, key: live });
  const image = await read('1.png?width=300');
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(PNG.sync.read(Buffer.from(await image.bytes())).width).toBe(300);
  expect(await statusOf('2.png')).toBe(404);
  expect(await statusOf('1.png?width=9')).toBe(400);
  expect(await statusOf('1.png', testKey)).toBe(403);
  expect(await statusOf('1.png', stranger)).toBe(404);
});
