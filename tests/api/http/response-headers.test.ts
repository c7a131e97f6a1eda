import { expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const plugin = new URL('../../fixtures/plugins/cookies.ts', import.meta.url).pathname;
const service = sharedService({ config: { plugins: { [plugin]: true } } });

test.each([
  ['json', 200],
  ['empty', 204],
  ['text', 200],
  ['bytes', 200],
  ['error', 409],
])('a response sets each of its cookies: %s', async (kind, status) => {
  const response = await service().get(`/cookies/${kind}`, null);
  expect(response.status).toBe(status);
  expect(response.headers.getSetCookie()).toEqual([
    'first=1; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
    'second=2; Path=/',
  ]);
  // Other headers are combined.
  expect(response.headers.get('x-list')).toBe('a, b');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});
