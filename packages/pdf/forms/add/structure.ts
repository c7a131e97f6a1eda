import {
  Dict,
  name,
  readNumberTree,
  Ref,
  resolve,
  type Direct,
  type PdfObject,
} from '../../objects/index.ts';
import type { BuiltField } from './build-field.ts';

/**
 * Puts the widgets of new fields at the end of a tagged document's structure tree, an element `Form` for each (ISO 32000-1 14.7.4.3 and
 * 14.8.4.5), so that screen readers come to them. Gives the objects of the file that are others now; none where there is no tree.
 */
export function tagWidgets(catalog: Dict, built: readonly BuiltField[]): Map<Ref, Direct> {
  const changed = new Map<Ref, Direct>();
  const rootRef = catalog.raw('StructTreeRoot');
  const known = resolve(rootRef);
  // Elements refer to the root, so it is an object of its own.
  if (!(rootRef instanceof Ref) || !(known instanceof Dict)) return changed;
  const root = known.copy();
  changed.set(rootRef, root);
  const whole = soleElement(root);
  const parent = whole?.dict.copy() ?? root;
  if (whole) changed.set(whole.ref, parent);
  const entries: PdfObject[] = [];
  const elements: Ref[] = [];
  let key = nextKey(root);
  for (const { page, ref, widget } of built.flatMap((field) => field.widgets)) {
    const reference = Dict.of({ Type: name('OBJR'), Obj: ref, Pg: page.ref });
    const element = Dict.of({
      Type: name('StructElem'),
      S: name('Form'),
      P: whole?.ref ?? rootRef,
      Pg: page.ref,
      K: reference,
    });
    const made = Ref.to(element);
    widget.dict.set('StructParent', key);
    entries.push(key, made);
    elements.push(made);
    key++;
  }
  parent.set('K', [...kidsOf(parent), ...elements]);
  extendParentTree(root, entries, changed);
  root.set('ParentTreeNextKey', key);
  return changed;
}

/** The element that holds the document, as most writers have one. */
function soleElement(root: Dict): { ref: Ref; dict: Dict } | undefined {
  const [ref, ...others] = kidsOf(root);
  const dict = resolve(ref);
  const isSole = ref instanceof Ref && dict instanceof Dict && others.length === 0;
  // Only these hold blocks of any kind, forms among them.
  return isSole && /^(?:Document|Part|Art|Sect|Div)$/.test(dict.name('S') ?? '') ? { ref, dict } : undefined;
}

function kidsOf(dict: Dict): readonly PdfObject[] {
  const kids = dict.raw('K');
  if (kids === undefined || resolve(kids) === null) return [];
  return dict.array('K') ?? [kids];
}

/** Keys beyond this one are those of a file that is not in order. */
const MAX_KEY = 2 ** 30;

/** A number that no object of the file has. */
function nextKey(root: Dict): number {
  const keys = readNumberTree(root.dict('ParentTree')).map(([key]) => key + 1);
  let next = 0;
  for (const key of [root.number('ParentTreeNextKey') ?? 0, ...keys])
    if (Number.isInteger(key) && key <= MAX_KEY) next = Math.max(next, key);
  return next;
}

/** Adds entries behind all others, whose keys are smaller. */
function extendParentTree(root: Dict, entries: PdfObject[], changed: Map<Ref, Direct>): void {
  const ref = root.raw('ParentTree');
  const tree = root.dict('ParentTree')?.copy() ?? new Dict();
  const kids = tree.array('Kids');
  const leaf = Dict.of({ Nums: entries, Limits: [entries[0] ?? 0, entries.at(-2) ?? 0] });
  if (kids) tree.set('Kids', [...kids, Ref.to(leaf)]);
  else tree.set('Nums', [...(tree.array('Nums') ?? []), ...entries]);
  if (ref instanceof Ref && resolve(ref) instanceof Dict) changed.set(ref, tree);
  else root.set('ParentTree', tree);
}
