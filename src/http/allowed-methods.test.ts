import { expect, test } from 'bun:test';
import { explainUnrouted } from './allowed-methods.ts';

test('a path of its own lists only its own methods, not those of a parameter', () => {
  const explain = explainUnrouted([
    { method: 'GET', path: '/v1/templates/:id' },
    { method: 'DELETE', path: '/v1/templates/:id' },
    { method: 'POST', path: '/v1/templates/preview' },
  ]);
  expect(explain('OPTIONS', '/v1/templates/preview').allow).toEqual(['POST']);
  expect(explain('OPTIONS', '/v1/templates/tpl_1').allow).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(explain('OPTIONS', '/v1/nothing').code).toBe('NOT_FOUND');
});
