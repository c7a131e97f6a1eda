import { expect, test } from 'bun:test';
import { failureText } from './failure-text.ts';

test('the reason of a failure is shown without its code', () => {
  expect(failureText('ASSET_FAILED: asset:logo.png: no such asset')).toBe(
    'A resource could not be loaded: asset:logo.png: no such asset',
  );
  expect(failureText('SCRIPT_ERROR: a script failed: x is not defined')).toBe(
    'A script failed: x is not defined',
  );
  expect(failureText('the account is suspended')).toBe('The account is suspended');
});
