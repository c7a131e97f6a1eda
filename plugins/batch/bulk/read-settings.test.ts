import { expect, test } from 'bun:test';
import { readSettings } from './read-settings.ts';

test('options that are not JSON are refused', async () => {
  const reading = readSettings({ template: 'a', options: '{' }, {});
  expect(await reading.catch(String)).toContain('options: must be JSON');
});

test('a failure of the service is not blamed on the options', async () => {
  const broken = 5 as unknown as string;
  const reading = readSettings({ template: 'a', options: broken }, {});
  expect(await reading.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
});
