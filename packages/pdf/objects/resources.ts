import { asDict, type Dict } from './objects.ts';
import type { Page } from './page-tree.ts';

const MAX_DEPTH = 5;

/** Yields the resources of pages and of the form XObjects in them, each once. */
export function* resourcesOf(pages: readonly Page[]): Iterable<Dict> {
  const visited = new Set<Dict>();
  const waiting = pages.map(({ dict, inherited }) => ({
    resources: dict.dict('Resources') ?? asDict(inherited.get('Resources')),
    depth: 0,
  }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { resources, depth } = next;
    if (!resources || visited.has(resources)) continue;
    visited.add(resources);
    yield resources;
    if (depth === MAX_DEPTH) continue;
    for (const object of resources.dict('XObject')?.map.values() ?? [])
      waiting.push({ resources: asDict(object)?.dict('Resources'), depth: depth + 1 });
  }
}
