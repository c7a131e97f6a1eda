import { expect, test } from 'bun:test';
import { presentKeyLimits, SCOPES } from '../../../../src/plugin.ts';
import { DEFAULT_KEY_SCOPES, KEY_SCOPES } from './key-scopes.ts';

test('the studio offers the scopes of the service, with the same default', () => {
  expect(KEY_SCOPES.map(([scope]) => scope)).toEqual([...SCOPES]);
  expect(DEFAULT_KEY_SCOPES).toEqual(presentKeyLimits({}).scopes);
});
