import { Ref, type PdfObject } from '@platen/pdf/objects';

/** The comparison of two lists of objects by their references. */
export interface MatchedLists {
  /** The items of the first list with their counterparts, in order. */
  pairs: [PdfObject, PdfObject][];
  /** The items of the second list that are not in the first. */
  added: PdfObject[];
  /** Whether the second list has all items of the first, in the same order. */
  isComplete: boolean;
}

/**
 * Matches the items of a list with those of a later list. References match by number, and direct objects by
 * order.
 */
export function matchLists(before: readonly PdfObject[], after: readonly PdfObject[]): MatchedLists {
  const pairs: MatchedLists['pairs'] = [];
  const added: PdfObject[] = [];
  for (const each of after) {
    const next = before[pairs.length];
    if (next !== undefined && canMatch(next, each)) pairs.push([next, each]);
    else added.push(each);
  }
  return { pairs, added, isComplete: pairs.length === before.length };
}

function canMatch(a: PdfObject, b: PdfObject): boolean {
  return a instanceof Ref ? b instanceof Ref && a.number === b.number : !(b instanceof Ref);
}
