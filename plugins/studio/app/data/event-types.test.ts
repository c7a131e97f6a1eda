import { expect, test } from 'bun:test';
import { groupsOf, selects, unknownSelectors, withSelector } from './event-types.ts';

const groups = groupsOf(
  ['generation.completed', 'batch.completed', 'webhook_endpoint.disabled', 'generation.failed'].map(
    (type) => ({ type, summary: `the summary of ${type}` }),
  ),
);

test('types are grouped by their nouns', () => {
  expect(
    groups.map(({ selector, label, types }) => [selector, label, types.map(({ type }) => type)]),
  ).toEqual([
    ['generation.*', 'All generation events', ['generation.completed', 'generation.failed']],
    ['batch.*', 'All batch events', ['batch.completed']],
    ['webhook_endpoint.*', 'All webhook endpoint events', ['webhook_endpoint.disabled']],
  ]);
});

test('a selector is a type or all types of a noun', () => {
  expect(selects('generation.*', 'generation.failed')).toBe(true);
  expect(selects('generation.failed', 'generation.failed')).toBe(true);
  expect(selects('generation.*', 'generations.failed')).toBe(false);
  expect(selects('generation.failed', 'generation.completed')).toBe(false);
});

test('all types of a noun replace the single ones', () => {
  const single = ['generation.failed', 'batch.completed'];
  expect(withSelector(single, 'generation.*', true)).toEqual(['batch.completed', 'generation.*']);
  expect(withSelector(['batch.completed', 'generation.*'], 'generation.*', false)).toEqual([
    'batch.completed',
  ]);
  expect(withSelector(single, 'batch.completed', true)).toEqual(single);
});

test('selectors of plugins that are off are found', () => {
  expect(unknownSelectors(['generation.*', 'template.*', 'file.created'], groups)).toEqual([
    'template.*',
    'file.created',
  ]);
});
