import type { TreeElement } from '@platen/xml';
import { replaceReferences } from './formula.ts';
import type { Sheet } from './read.ts';
import type { RowMap, RowPath } from './row-map.ts';

/** A sheet whose data is filled in. */
export interface FilledSheet extends Pick<Sheet, 'name' | 'part' | 'root'> {
  map: RowMap;
  /** The iterations around each row with a formula. */
  paths: ReadonlyMap<TreeElement, RowPath>;
  hasTags: boolean;
}

/** Moves the references of a formula that stands in a sheet, in a row with `path`. */
export function moveReferences(
  formula: string,
  {
    name,
    path,
    maps,
    grows,
  }: { name: string; path: RowPath; maps: ReadonlyMap<string, RowMap>; grows?: boolean },
): string {
  return replaceReferences(formula, (reference) => {
    // Whole columns have no rows.
    if (reference.last && !Number.isFinite(reference.first.row)) return undefined;
    const isOwn = reference.sheet === undefined || reference.sheet.toLowerCase() === name.toLowerCase();
    return maps.get((reference.sheet ?? name).toLowerCase())?.write(reference, isOwn ? path : [], grows);
  });
}

/** Moves a range such as `B5:D9`, which grows with repeated rows; `undefined` if its rows are left out. */
export function moveRange(range: string, map: RowMap, path: RowPath = []): string | undefined {
  const moved = replaceReferences(range, (reference) => map.write(reference, path, true));
  return /#REF!|XFD1048576/.test(moved) ? undefined : moved;
}
