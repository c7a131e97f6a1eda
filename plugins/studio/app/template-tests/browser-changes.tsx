import { formatCountOf } from '../data/format.ts';
import { readRows } from '../data/list.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { ChangedCase } from '../data/types.ts';
import { setQuery } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';

/** The value of the query parameter `browser` that selects the templates whose pages change. */
export const CHANGED = 'changed';

/** The cases that a new version of the browser changes, by the id of their template. */
export type BrowserChanges = ReadonlyMap<string, readonly ChangedCase[]>;

/** Loads the cases that a new version of the browser changes; `undefined` until they are loaded. */
export function useBrowserChanges(): BrowserChanges | undefined {
  const { service } = useSession();
  const hasTests = service.plugins.includes('template-tests');
  const rows = useResource(hasTests ? 'browser changes' : undefined, (signal) =>
    readRows<ChangedCase>('/v1/browser-changes', { signal }),
  );
  if (hasTests && !rows.data && rows.error === undefined) return undefined;
  return Map.groupBy(rows.data?.data ?? [], ({ template_id: template }) => template);
}

/** Says how many templates a new version of the browser changes, and shows only these or all templates. */
export function BrowserNotice({
  changes = new Map(),
  isFiltered,
}: {
  changes: BrowserChanges | undefined;
  isFiltered: boolean;
}) {
  const [newest] = [...changes.values()]
    .flat()
    .flatMap(({ browser_change: change }) => change ?? [])
    .toSorted((one, other) => other.checked_at.localeCompare(one.checked_at));
  if (!newest) return null;
  return (
    <div class="browser-notice" role="status">
      <Icon name="warning" size={16} />
      <p>
        <strong>
          Chromium {newest.to} changes the pages of {formatCountOf(changes.size, 'template')}.
        </strong>{' '}
        The service printed with Chromium {newest.from} before. Open the tests of each template to look at the
        differences and to accept them.
      </p>
      <Button size="small" onClick={() => setQuery('browser', isFiltered ? '' : CHANGED)}>
        {isFiltered ? 'Show all templates' : 'Show these templates'}
      </Button>
    </div>
  );
}

/** Marks a template whose pages a new version of the browser changes. The mark opens its tests. */
export function BrowserMark({
  template,
  cases = [],
}: {
  template: { id: string; name: string };
  cases: readonly ChangedCase[] | undefined;
}) {
  if (cases.length === 0) return null;
  return (
    <a
      class="badge warn"
      href={`/studio/templates/${template.id}?tests`}
      aria-label={`Changed by Chromium: open the tests of ${template.name}`}
      title={cases.map(({ name }) => name).join(', ')}
    >
      Changed by Chromium
    </a>
  );
}
