import { useState } from 'preact/hooks';
import { get } from './api.ts';
import { useResource, type Resource } from './resource.ts';
import type { List } from './types.ts';

/** The most rows that one request returns. */
const MAX_ROWS_PER_REQUEST = 100;

/** The number of rows that a list shows at first, and that "Show more" adds. */
const STEP = 50;

/** A row of a list, with the property that identifies it: assets and versions have no id. */
type Row = { id: string } | { name: string } | { version: number };

function keyOf(row: Row): string | number {
  if ('id' in row) return row.id;
  return 'name' in row ? row.name : row.version;
}

/**
 * Reads the first rows of a list, or all rows without a `count`. A row that moves to the next page between
 * two requests is returned once.
 */
export async function readRows<T extends Row>(
  path: string,
  { count = Infinity, signal }: { count?: number; signal?: AbortSignal | undefined } = {},
): Promise<List<T>> {
  const rows = new Map<string | number, T>();
  for (let offset = 0; ;) {
    const limit = Math.min(MAX_ROWS_PER_REQUEST, count - offset);
    const page = await get<List<T>>(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`,
      signal,
    );
    for (const row of page.data) rows.set(keyOf(row), row);
    offset += page.data.length;
    if (!page.has_more || page.data.length === 0 || offset >= count)
      return { data: [...rows.values()], has_more: page.has_more };
  }
}

/** Rows of a list, of which more can be shown. */
export interface ListResource<T> extends Resource<List<T>> {
  showMore: () => void;
  isLoadingMore: boolean;
}

/**
 * Loads the first rows of the list at a path, and more on request. With `isWhole`, loads all rows, for a
 * filter that the service does not offer. `name` begins the key of the data, so that `forget(name)` forgets
 * all rows.
 */
export function useList<T extends Row>(
  name: string,
  path: string,
  { isWhole = false }: { isWhole?: boolean } = {},
): ListResource<T> {
  const key = `${name} ${path}${isWhole ? ' whole' : ''}`;
  const [asked, setAsked] = useState({ key, count: STEP });
  const resource: Resource<List<T>> = useResource(key, (signal) => {
    const count = isWhole ? Infinity : Math.max(STEP, wanted, shown);
    return readRows<T>(path, { count, signal });
  });
  const wanted = asked.key === key ? asked.count : STEP;
  const shown = resource.data?.data.length ?? 0;
  return {
    ...resource,
    isLoadingMore: resource.isLoading && wanted > shown && shown > 0,
    showMore: () => {
      setAsked({ key, count: shown + STEP });
      resource.reload();
    },
  };
}
