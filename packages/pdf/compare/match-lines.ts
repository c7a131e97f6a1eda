/** A run of lines that only one or both documents have, between lines that match. */
export interface LineEdit<T> {
  removed: readonly T[];
  added: readonly T[];
}

/** The lines of two pages: pairs of the same text, and runs without a counterpart, in order. */
export interface LineMatch<T> {
  pairs: readonly (readonly [T, T])[];
  edits: readonly LineEdit<T>[];
}

/** The largest table for the longest common subsequence: 2,000 by 2,000 lines. */
const MAX_CELLS = 4_000_000;

/**
 * Matches the lines of two pages by their texts, in order, so that as many as possible match. Beyond
 * 4,000,000 combinations, only equal lines at the beginning and the end match.
 */
export function matchLines<T extends { text: string }>(
  before: readonly T[],
  after: readonly T[],
): LineMatch<T> {
  const pairs: (readonly [T, T])[] = [];
  const edits: LineEdit<T>[] = [];
  let [start, endBefore, endAfter] = [0, before.length, after.length];
  const isSame = (one: number, other: number) => before[one]?.text === after[other]?.text;
  while (start < endBefore && start < endAfter && isSame(start, start)) start += 1;
  while (endBefore > start && endAfter > start && isSame(endBefore - 1, endAfter - 1)) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const pair = (one: number, other: number) => {
    const [left, right] = [before[one], after[other]];
    if (left && right) pairs.push([left, right]);
  };
  for (let index = 0; index < start; index += 1) pair(index, index);
  let [one, other] = [start, start];
  const addEdit = (toBefore: number, toAfter: number) => {
    const edit = { removed: before.slice(one, toBefore), added: after.slice(other, toAfter) };
    if (edit.removed.length + edit.added.length > 0) edits.push(edit);
  };
  for (const [left, right] of commonLines(before.slice(start, endBefore), after.slice(start, endAfter))) {
    addEdit(start + left, start + right);
    pair(start + left, start + right);
    [one, other] = [start + left + 1, start + right + 1];
  }
  addEdit(endBefore, endAfter);
  for (let index = endBefore; index < before.length; index += 1) pair(index, endAfter + index - endBefore);
  return { pairs, edits };
}

/** Returns the indexes of the longest common subsequence. */
function commonLines(
  before: readonly { text: string }[],
  after: readonly { text: string }[],
): [number, number][] {
  const columns = after.length + 1;
  if (before.length * after.length > MAX_CELLS || before.length === 0) return [];
  // The length for the lines from `one` and `other` on is at `one * columns + other`.
  const lengths = new Uint16Array((before.length + 1) * columns);
  const at = (one: number, other: number) => lengths[one * columns + other] ?? 0;
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      lengths[one * columns + other] =
        before[one]?.text === after[other]?.text
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const common: [number, number][] = [];
  for (let [one, other] = [0, 0]; one < before.length && other < after.length;) {
    if (before[one]?.text === after[other]?.text) common.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return common;
}
