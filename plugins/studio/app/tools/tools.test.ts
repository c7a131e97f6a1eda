import { expect, test } from 'bun:test';
import openapi from '../../../../docs/openapi.json';
import type { UploadedFile } from './uploads.ts';
import { allTools } from './tools.ts';

const files: UploadedFile[] = ['a', 'b'].map((name) => ({ id: `file_${name}`, name, pages: 1, size: 1 }));

/** Complete the forms whose initial values are not sufficient. */
const INPUTS = { owner: 'owner', title: 'Report', data: '{}', name: 'Ada Byron' };

test('every POST route below /v1/pdf has a tool, and every tool sends its request to a route', () => {
  const routes = Object.entries(openapi.paths)
    .filter(([path, methods]) => path.startsWith('/v1/pdf/') && 'post' in methods)
    .map(([path]) => path);
  const covered = allTools().flatMap((tool) => {
    if (!('request' in tool)) return tool.routes ?? [];
    const request = tool.request({ ...tool.initial, ...INPUTS }, files);
    return typeof request === 'string' ? [`${tool.slug}: ${request}`] : [request.path];
  });
  expect(routes.length).toBeGreaterThan(20);
  expect([...new Set(covered)].toSorted()).toEqual(routes.toSorted());
});

test('every tool has a slug of its own, and a place of its own within its group', () => {
  const slugs = allTools().map(({ slug }) => slug);
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
  const places = allTools().map(({ group, order }) => `${group} ${order}`);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});
