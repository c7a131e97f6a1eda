import { expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import { markChanged } from '../../support/template-tests/changed-by-browser.ts';
import { TemplateTestsClient } from '../../support/template-tests/client.ts';

const service = sharedService();
const client = new TemplateTestsClient(service);

test('pages of the list are full although templates are in the trash', async () => {
  const paths: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const path = await client.create();
    paths.push(path);
    expect((await client.putCase(path, 'one')).status).toBe(200);
    await markChanged(service(), `${idOf(path)}:one`);
  }
  // The newest one, two in the middle, and one whose pages do not change.
  const discarded = [await client.create(), ...[1, 3, 5].map((index) => paths[index] ?? '')];
  for (const path of discarded) expect((await client.send('DELETE', path)).status).toBe(200);
  const kept = [4, 2, 0].map((index) => idOf(paths[index] ?? ''));
  const read = async (query: string) => {
    const { body } = await service().get(`/v1/browser-changes?${query}`);
    const ids: string[] = body.data.map((entry: { template_id: string }) => entry.template_id);
    return { ids, hasMore: body.has_more, total: body.total };
  };
  expect(await read('limit=2&include=total')).toEqual({ ids: kept.slice(0, 2), hasMore: true, total: 3 });
  expect(await read('limit=2&offset=1')).toEqual({ ids: kept.slice(1), hasMore: false, total: undefined });
  const next = await read(`limit=2&starting_after=${kept[0]}:one`);
  expect(next).toEqual({ ids: kept.slice(1), hasMore: false, total: undefined });
  const before = await read(`limit=2&ending_before=${kept[2]}:one&status=different`);
  expect(before).toEqual({ ids: kept.slice(0, 2), hasMore: false, total: undefined });
});

function idOf(path: string): string {
  return path.replace('/v1/templates/', '');
}
