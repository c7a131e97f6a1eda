import {
  buildNameTree,
  buildNumberTree,
  Dict,
  name,
  Name,
  readNameTree,
  readNumberTree,
  Ref,
  resolve,
  type PdfObject,
} from '../objects/index.ts';
import type { Adjustment } from './adjust.ts';
import type { Member } from './member.ts';
import { freeName } from './names.ts';

/**
 * Joins the structure of documents that are all tagged, and returns how each is to be adjusted. When any is not, the result is not
 * tagged either (a reader would take the structure for all there is), and nothing refers to a structure any more.
 */
export function joinStructure(
  members: readonly Member[],
  catalog: Dict,
  substitutes: Map<Ref, PdfObject>,
): Omit<Adjustment, 'destinations'>[] {
  const roots = members.map(({ document }) => document.catalog.dict('StructTreeRoot'));
  const tagged = members.every(({ document }) => document.catalog.dict('MarkInfo')?.get('Marked') === true);
  if (!tagged || !roots.every((root) => root !== undefined)) {
    for (const { document } of members) document.catalog.delete('StructTreeRoot', 'MarkInfo');
    return roots.map((root) => (root ? { withoutStructure: true } : {}));
  }
  const joined = Dict.of({ Type: name('StructTreeRoot') });
  const ref = Ref.to(joined);
  const kids: PdfObject[] = [];
  const parents: [number, PdfObject][] = [];
  const ids = new Map<string, PdfObject>();
  const adjustments = members.map(({ document }, index) => {
    const root = roots[index] ?? new Dict();
    const own = document.catalog.raw('StructTreeRoot');
    if (own instanceof Ref) substitutes.set(own, ref);
    kids.push(...topLevel(root));
    const parentShift = parents.reduce((next, [key]) => Math.max(next, key + 1), 0);
    for (const [key, value] of readNumberTree(root.dict('ParentTree')))
      parents.push([key + parentShift, value]);
    // An element whose id is taken keeps it, but is not found by it.
    for (const [key, value] of readNameTree(root.dict('IDTree'))) if (!ids.has(key)) ids.set(key, value);
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

/** The elements refer to the root above them, for which the joined one is substituted. */
function topLevel(root: Dict): PdfObject[] {
  const own = root.raw('K');
  return root.array('K') ?? (own === undefined ? [] : [own]);
}

/** Joins roles or classes; returns those that mean something else in an earlier document, and their new names. */
function joinEntries(joined: Dict, root: Dict, key: string): Map<string, string> {
  const renamed = new Map<string, string>();
  const own = root.dict(key);
  if (!own) return renamed;
  const known = joined.dict(key) ?? new Dict();
  joined.set(key, known);
  for (const [entry, value] of own.map) {
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
