import { Dict, encodeText, name, Ref, resolve } from '../objects/index.ts';
import type { MergeInput } from './merge-input.ts';

const MAX_ITEMS = 100_000;

/**
 * Joins outlines. Each document's outline is placed under a heading that links to its first page. If any
 * document has an outline, or with `everyHeading`, every document gets a heading.
 */
export function joinOutlines(inputs: readonly MergeInput[], catalog: Dict, everyHeading: boolean): void {
  const outlines = inputs.map(({ document }) => topLevel(document.catalog.dict('Outlines')));
  if (!everyHeading && outlines.every((items) => items.length === 0)) return;
  const root = Ref.to(new Dict());
  const headings = inputs.map((input, index) => makeHeading(input, outlines[index] ?? [], root));
  linkSiblings(headings);
  const open = headings.map((heading) => Math.max(0, resolveDict(heading).number('Count') ?? 0));
  root.value = Dict.of({
    Type: name('Outlines'),
    First: headings[0],
    Last: headings.at(-1),
    Count: open.reduce((sum, count) => sum + count, headings.length),
  });
  catalog.set('Outlines', root);
}

function topLevel(outlines: Dict | undefined): Ref[] {
  const items: Ref[] = [];
  const seen = new Set<Ref>();
  let item = outlines?.raw('First');
  while (item instanceof Ref && !seen.has(item) && items.length < MAX_ITEMS) {
    const dict = resolve(item);
    if (!(dict instanceof Dict)) break;
    seen.add(item);
    items.push(item);
    item = dict.raw('Next');
  }
  return items;
}

function makeHeading({ heading, pages }: MergeInput, items: Ref[], parent: Ref): Ref {
  const target = pages[0]?.ref ?? null;
  const dict = Dict.of({
    Title: encodeText(heading),
    Parent: parent,
    Dest: [target, name('XYZ'), null, null, null],
  });
  const ref = Ref.to(dict);
  if (items.length === 0) return ref;
  let visible = items.length;
  for (const item of items) {
    const child = resolveDict(item).set('Parent', ref);
    visible += Math.max(0, child.number('Count') ?? 0);
  }
  linkSiblings(items);
  dict.set('First', items[0]).set('Last', items.at(-1)).set('Count', visible);
  return ref;
}

function linkSiblings(items: readonly Ref[]): void {
  for (const [index, item] of items.entries())
    resolveDict(item)
      .set('Prev', items[index - 1])
      .set('Next', items[index + 1]);
}

function resolveDict(ref: Ref): Dict {
  const dict = resolve(ref);
  return dict instanceof Dict ? dict : new Dict();
}
