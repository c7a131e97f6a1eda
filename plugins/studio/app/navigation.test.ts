import { expect, test } from 'bun:test';
import { builtInPlugins } from '../../index.ts';
import type { Session } from './data/types.ts';
import { navigationOf } from './navigation.ts';

const plugins = Object.keys(builtInPlugins);

/** Lists the entries of an operator's navigation while some plugins are on. */
function entriesWith(on: readonly string[]) {
  const session = { role: 'operator', service: { plugins: on } } as unknown as Session;
  return navigationOf(session).flatMap(({ entries }) => entries);
}

test('the entries name plugins that exist', () => {
  const named = entriesWith(plugins).flatMap(({ plugin }) => plugin ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !plugins.includes(name))).toEqual([]);
});

test.each([
  ['pdf-tools', ['Certificates', 'PDF tools']],
  ['webhooks', ['Webhooks']],
  ['files', ['Files']],
])('without the plugin %s, the navigation lacks its views', (off, expected) => {
  const labels = (on: readonly string[]) => entriesWith(on).map(({ label }) => label);
  const shown = labels(plugins.filter((name) => name !== off));
  expect(
    labels(plugins)
      .filter((label) => !shown.includes(label))
      .toSorted(),
  ).toEqual(expected);
});
