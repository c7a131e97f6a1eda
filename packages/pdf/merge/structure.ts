import {
  buildNameTree,
  buildNumberTree,
  Dict,
  name,
  Name,
  PdfString,
  readNameTree,
  readNumberTree,
  Ref,
  resolve,
  type PdfObject,
} from '../objects/index.ts';
import type { Adjustment } from './adjust.ts';
import type { MergeInput } from './merge-input.ts';
import { roleOf } from '../structure/role-of.ts';
import { freeName, UniqueNames } from './names.ts';

/**
 * Joins the structure trees if all documents are tagged, and returns the changes that each document needs.
 * Otherwise the result is untagged, because readers would take a partial structure for that of the whole
 * document.
 */
export function joinStructure(
  inputs: readonly MergeInput[],
  catalog: Dict,
  substitutes: Map<Ref, PdfObject>,
): Omit<Adjustment, 'destinations'>[] {
  const roots = inputs.map(({ document }) => document.catalog.dict('StructTreeRoot'));
  const tagged = inputs.every(({ document }) => document.catalog.dict('MarkInfo')?.get('Marked') === true);
  if (!tagged || !roots.every((root) => root !== undefined)) {
    for (const { document } of inputs) document.catalog.delete('StructTreeRoot', 'MarkInfo');
    return roots.map((root) => (root ? { withoutStructure: true } : {}));
  }
  const joined = Dict.of({ Type: name('StructTreeRoot') });
  const ref = Ref.to(joined);
  const kids: PdfObject[] = [];
  const parents: [number, PdfObject][] = [];
  const ids = new Map<string, PdfObject>();
  const takenIds = new UniqueNames();
  const adjustments = inputs.map(({ document }, index) => {
    const root = roots[index] ?? new Dict();
    const oldRoot = document.catalog.raw('StructTreeRoot');
    if (oldRoot instanceof Ref) substitutes.set(oldRoot, ref);
    kids.push(...topLevel(root));
    const parentShift = parents.reduce((next, [key]) => Math.max(next, key + 1), 0);
    for (const [key, value] of readNumberTree(root.dict('ParentTree')))
      parents.push([key + parentShift, value]);
    joinIds(root, ids, takenIds);
    const roles = joinEntries(joined, root, 'RoleMap');
    const classes = joinEntries(joined, root, 'ClassMap');
    return { parentShift, roles, classes };
  });
  joined.set('K', kids).set('ParentTree', Ref.to(buildNumberTree(parents)));
  joined.set(
    'ParentTreeNextKey',
    parents.reduce((next, [key]) => Math.max(next, key + 1), 0),
  );
  if (ids.size > 0) joined.set('IDTree', Ref.to(buildNameTree(ids)));
  catalog.set('StructTreeRoot', ref).set('MarkInfo', Dict.of({ Marked: true }));
  return adjustments;
}

/**
 * Joins the ID trees. A note with a duplicate ID gets a new one (ISO 14289-1 7.9). Another element keeps it,
 * because cells name their headers by ID, but is not in the joined tree.
 */
function joinIds(root: Dict, ids: Map<string, PdfObject>, taken: UniqueNames): void {
  for (const [key, value] of readNameTree(root.dict('IDTree'))) {
    const element = resolve(value);
    const isDuplicate = ids.has(key);
    if (isDuplicate && !(element instanceof Dict && roleOf(element, root) === 'Note')) continue;
    const free = taken.claim(key);
    ids.set(free, value);
    if (isDuplicate && element instanceof Dict) element.set('ID', new PdfString(Buffer.from(free, 'latin1')));
  }
}

/** Returns the top-level elements. Their parent is replaced by the joined root through `substitutes`. */
function topLevel(root: Dict): PdfObject[] {
  const only = root.raw('K');
  return root.array('K') ?? (only === undefined ? [] : [only]);
}

/** Joins role maps or class maps. Returns the new names of entries that conflict with earlier documents. */
function joinEntries(joined: Dict, root: Dict, key: string): Map<string, string> {
  const renamed = new Map<string, string>();
  const entries = root.dict(key);
  if (!entries) return renamed;
  const known = joined.dict(key) ?? new Dict();
  joined.set(key, known);
  for (const [entry, value] of entries.map) {
    if (isSameName(known.raw(entry), value)) continue;
    const free = freeName(entry, known.map);
    known.set(free, value);
    if (free !== entry) renamed.set(entry, free);
  }
  return renamed;
}

function isSameName(one: PdfObject | undefined, other: PdfObject): boolean {
  const [a, b] = [resolve(one), resolve(other)];
  return a instanceof Name && b instanceof Name && a.value === b.value;
}
