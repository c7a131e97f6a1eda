import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

describe('a request that is rejected before rendering leaves no generation:', () => {
  test.each<[string, object, number, string, string | undefined]>([
    ['an unknown field', { html: 'x', colour: 1 }, 400, 'colour', undefined],
    [
      'margins that leave no room',
      { html: 'x', options: { margin: '6in' } },
      400,
      'options.margin',
      'NO_ROOM',
    ],
    [
      'a header with a script',
      { html: 'x', options: { header: '<script>1</script>' } },
      400,
      'options.header',
      undefined,
    ],
    ['an unknown template', { template: 'tmpl_unknown' }, 404, '', undefined],
  ])('%s', async (_name, request, expected, path, code) => {
    const key = await service().newKey();
    const { status, body } = await service().post('/v1/generate', request, key);
    expect(status).toBe(expected);
    const [detail] = body.error.details;
    if (path) expect(detail.path).toBe(path);
    expect(detail?.code).toBe(code);
    expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
  });
});
