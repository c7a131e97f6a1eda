import { reasonOf } from '../data/api.ts';
import { formatCount } from '../data/format.ts';
import type { ListResource } from '../data/list.ts';
import { setQuery } from '../router.ts';
import { Button } from './controls.tsx';
import { FormError } from './states.tsx';

/** The number of entries on a page of a list. */
export const PAGE_SIZE = 25;

/** Reads the offset of a list from the URL. */
export function readOffset(params: URLSearchParams): number {
  const offset = Number(params.get('offset'));
  return Number.isInteger(offset) && offset > 0 ? offset : 0;
}

/**
 * Renders the buttons that move between the pages of a list. The newest entries come first, unless `labels`
 * name the buttons.
 */
export function Paging({
  offset,
  count,
  hasMore,
  labels: [back, forward] = ['Newer', 'Older'],
}: {
  offset: number;
  count: number;
  hasMore: boolean;
  labels?: readonly [back: string, forward: string];
}) {
  if (offset === 0 && !hasMore) return null;
  const go = (next: number) => setQuery('offset', next === 0 ? '' : String(next));
  return (
    <nav class="paging" aria-label="Pages of the list">
      <span class="soft">
        {offset + 1} to {offset + count}
      </span>
      <Button
        size="small"
        icon="left"
        disabled={offset === 0}
        onClick={() => go(Math.max(0, offset - PAGE_SIZE))}
      >
        {back}
      </Button>
      <Button size="small" disabled={!hasMore} onClick={() => go(offset + PAGE_SIZE)}>
        {forward}
      </Button>
    </nav>
  );
}

/** Renders the number of rows shown and a button that shows more, or nothing when all rows are shown. */
export function ShowMore<T>({ list }: { list: ListResource<T> }) {
  if (!list.data?.has_more) return null;
  return (
    <>
      {list.error !== undefined && <FormError error={reasonOf(list.error)} />}
      <p class="more">
        <span class="soft">The first {formatCount(list.data.data.length)} are shown.</span>
        <Button isBusy={list.isLoadingMore} onClick={list.showMore}>
          Show more
        </Button>
      </p>
    </>
  );
}
