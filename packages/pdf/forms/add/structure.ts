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
 * Adds the widgets of new fields to the end of a tagged document's structure tree, with a `Form` element for
 * each (ISO 32000-1 14.7.4.3 and 14.8.4.5), so that screen readers find them. Returns the changed objects;
 * an empty list without a structure tree.
 */
export function tagWidgets(catalog: Dict, built: readonly BuiltField[]): Map<Ref, Direct> {
  const changed = new Map<Ref, Direct>();
  const rootRef = catalog.raw('StructTreeRoot');
  const known = resolve(rootRef);
  // The root is an indirect object, because its elements refer to it.
  if (!(rootRef instanceof Ref) || !(known instanceof Dict)) return changed;
  const root = known.copy();
  changed.set(rootRef, root);
  const documentElement = findDocumentElement(root);
  const parent = documentElement?.dict.copy() ?? root;
  if (documentElement) changed.set(documentElement.ref, parent);
  const entries: PdfObject[] = [];
  const elements: Ref[] = [];
  let key = nextKey(root);
  for (const { page, ref, widget } of built.flatMap((field) => field.widgets)) {
    const reference = Dict.of({ Type: name('OBJR'), Obj: ref, Pg: page.ref });
    const element = Dict.of({
      Type: name('StructElem'),
      S: name('Form'),
      P: documentElement?.ref ?? rootRef,
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

/** Returns the element that contains the whole document, which most writers create. */
function findDocumentElement(root: Dict): { ref: Ref; dict: Dict } | undefined {
  const [ref, ...others] = kidsOf(root);
  const dict = resolve(ref);
  const isSole = ref instanceof Ref && dict instanceof Dict && others.length === 0;
  // Only these types can contain `Form` elements.
  return isSole && /^(?:Document|Part|Art|Sect|Div)$/.test(dict.name('S') ?? '') ? { ref, dict } : undefined;
}

function kidsOf(dict: Dict): readonly PdfObject[] {
  const kids = dict.raw('K');
  if (kids === undefined || resolve(kids) === null) return [];
  return dict.array('K') ?? [kids];
}

/** Larger keys occur only in malformed files. */
const MAX_KEY = 2 ** 30;

/** Returns an unused parent tree key. */
function nextKey(root: Dict): number {
  const keys = readNumberTree(root.dict('ParentTree')).map(([key]) => key + 1);
  let next = 0;
  for (const key of [root.number('ParentTreeNextKey') ?? 0, ...keys])
    if (Number.isInteger(key) && key <= MAX_KEY) next = Math.max(next, key);
  return next;
}

/** Appends entries, whose keys are greater than all others. */
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
