import { Dict, name, Ref } from '../objects/index.ts';
import { leadTo, type Target } from './destinations.ts';
import type { OutlineItem } from './outline.ts';
import type { Part } from './part.ts';

/** The outline of a part: the items that lead into it, below the headings that they had. `undefined` when none does. */
export function partOutline(part: Part): Ref | undefined {
  const root = Ref.to(new Dict());
  const dict = Dict.of({ Type: name('Outlines') });
  root.value = dict;
  const visible = fill(root, dict, part.source.outline, part);
  return visible === 0 ? undefined : root;
}

/** Puts items below a node; returns how many of them, and of those below open ones, there are. */
function fill(parent: Ref, node: Dict, items: readonly OutlineItem[], part: Part): number {
  let previous: { ref: Ref; dict: Dict } | undefined;
  let visible = 0;
  for (const item of items) {
    if (item.lastPage < part.range.first || item.firstPage > part.range.last) continue;
    const ref = Ref.to(new Dict());
    const dict = copyItem(item, part).set('Parent', parent);
    const below = fill(ref, dict, item.kids, part);
    const leads = item.target && part.has(item.target.page);
    if (below === 0 && !leads) continue;
    const isOpen = (item.dict.number('Count') ?? 0) > 0;
    if (below > 0) dict.set('Count', isOpen ? below : -below);
    visible += isOpen ? below + 1 : 1;
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
  if (!target || !part.has(target.page)) return copy;
  return copy.set('Dest', destinationOf(dict, target, part));
}

function destinationOf(dict: Dict, target: Target, part: Part) {
  const page = part.source.pages[target.page];
  const led = target.byNumber && !target.named && page ? leadTo(dict, page.ref) : dict;
  if (target.named) part.names[target.named.kind].set(target.named.key, target.named.value);
  return led.raw('Dest') ?? led.dict('A')?.raw('D');
}
