const MAX_TYPED_LENGTH = 30;

/**
 * Returns the name that is most similar to a mistyped name, or `undefined` if more than a third of the
 * letters differ.
 */
export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  if (typed.length > MAX_TYPED_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.floor(typed.length / 3) + 1;
  for (const name of names) {
    const steps = distance(typed.toLowerCase(), name.toLowerCase());
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

// The Levenshtein distance, computed row by row.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
