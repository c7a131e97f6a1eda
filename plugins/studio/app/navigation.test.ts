import { expect, test } from 'bun:test';
import { builtInPlugins } from '../../index.ts';
import type { MemberRole } from './data/roles.ts';
import type { Session } from './data/types.ts';
import { navigationOf } from './navigation.ts';
import { findView } from './views.ts';

const plugins = Object.keys(builtInPlugins);

function sessionWith({ role = 'owner' as MemberRole, operator = true, on = plugins }) {
  return { role, person: { operator }, service: { plugins: on } } as unknown as Session;
}

/** Lists the entries of the navigation of an owner who is an operator, while some plugins are on. */
function entriesWith(on: string[]) {
  return navigationOf(sessionWith({ on })).flatMap(({ entries }) => entries);
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
  const labels = (on: string[]) => entriesWith(on).map(({ label }) => label);
  const shown = labels(plugins.filter((name) => name !== off));
  expect(
    labels(plugins)
      .filter((label) => !shown.includes(label))
      .toSorted(),
  ).toEqual(expected);
});

test.each([
  [
    'viewer',
    ['Overview', 'Templates', 'Generations', 'Batches', 'Files', 'Usage', 'Assets and fonts', 'Members'],
  ],
  ['editor', ['Marketplace', 'PDF tools', 'Certificates']],
  ['admin', ['API keys', 'Webhooks', 'Audit log']],
  ['owner', []],
] as const)('the role %s adds its views to those of the lesser roles', (role, added) => {
  const order = ['viewer', 'editor', 'admin', 'owner'] as const;
  const labels = (of: MemberRole | undefined) =>
    of === undefined
      ? []
      : navigationOf(sessionWith({ role: of, operator: false })).flatMap(({ entries }) =>
          entries.map(({ label }) => label),
        );
  const known = labels(order[order.indexOf(role) - 1]);
  const expected = role === 'viewer' ? [...added, 'Sign-in and data'] : added;
  expect(
    labels(role)
      .filter((label) => !known.includes(label))
      .toSorted(),
  ).toEqual([...expected].toSorted());
});

test('a path that leads to a view for editors shows viewers another view, or refuses it', () => {
  const [viewer, editor] = [sessionWith({ role: 'viewer' }), sessionWith({ role: 'editor' })];
  const template = '/studio/templates/tmpl_1';
  expect(findView(viewer, template).entry).not.toBe(findView(editor, template).entry);
  expect(findView(viewer, '/studio/templates/new')).toEqual({
    entry: undefined,
    refused: findView(editor, '/studio/templates/new').entry,
  });
  expect(findView(editor, '/studio/elsewhere')).toEqual({ entry: undefined, refused: undefined });
});
