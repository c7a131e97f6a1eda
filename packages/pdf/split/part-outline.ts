import { Dict, name, Ref } from '../objects/index.ts';
import { pointToPage, type Target } from './destinations.ts';
import type { OutlineItem } from './outline.ts';
import type { Part } from './part.ts';

/**
 * Builds the outline of a part: the items that lead to its pages, and their ancestors. Returns `undefined` if
 * no item leads to the part.
 */
export function buildPartOutline(part: Part): Ref | undefined {
  const root = Ref.to(new Dict());
  const dict = Dict.of({ Type: name('Outlines') });
  root.value = dict;
  const visible = fill(root, dict, part.source.outline, part);
  return visible === 0 ? undefined : root;
}

/**
 * Adds items under a node. Returns the number of visible items: the added items, and the visible descendants
 * of open items.
 */
function fill(parent: Ref, node: Dict, items: readonly OutlineItem[], part: Part): number {
  let previous: { ref: Ref; dict: Dict } | undefined;
  let visible = 0;
  for (const item of items) {
    // An item that leads to no page, such as a link to the web, has an empty range.
    const isEmpty = item.firstPage > item.lastPage;
    if (isEmpty ? !part.isDocument : item.lastPage < part.range.first || item.firstPage > part.range.last)
      continue;
    const ref = Ref.to(new Dict());
    const dict = copyItem(item, part).set('Parent', parent);
    const descendants = fill(ref, dict, item.kids, part);
    const leads = item.target ? part.has(item.target.page) : part.isDocument;
    if (descendants === 0 && !leads) continue;
    const isOpen = (item.dict.number('Count') ?? 0) > 0;
    if (descendants > 0) dict.set('Count', isOpen ? descendants : -descendants);
    visible += isOpen ? descendants + 1 : 1;
    ref.value = dict.set('Prev', previous?.ref);
    previous?.dict.set('Next', ref);
    if (!previous) node.set('First', ref);
    node.set('Last', ref);
    previous = { ref, dict };
  }
  if (visible > 0) node.set('Count', visible);
  return visible;
}

function copyItem({ dict, target }: OutlineItem, part: Part): Dict {
  const copy = new Dict();
  for (const key of ['Title', 'C', 'F']) copy.set(key, dict.raw(key));
  if (!target && part.isDocument) copy.set('Dest', dict.raw('Dest')).set('A', dict.raw('A'));
  if (!target || !part.has(target.page)) return copy;
  return copy.set('Dest', destinationOf(dict, target, part));
}

function destinationOf(dict: Dict, target: Target, part: Part) {
  const page = part.source.pages[target.page];
  const source = target.byNumber && !target.named && page ? pointToPage(dict, page.ref) : dict;
  if (target.named) part.names[target.named.kind].set(target.named.key, target.named.value);
  return source.raw('Dest') ?? source.dict('A')?.raw('D');
}
