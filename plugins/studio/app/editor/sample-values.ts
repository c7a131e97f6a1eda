import { keyOf, type Reads } from './missing-variables.ts';

const ROWS = 2;
const NUMBER = 12;
const DATE = '2026-01-15';

/**
 * Returns a copy of the data with sample values for the paths, which it lacks, and for everything that the
 * template reads below them.
 */
export function addSamples(
  data: Record<string, unknown>,
  { add, reads }: { add: readonly (readonly string[])[]; reads: Reads },
): Record<string, unknown> {
  const copy = structuredClone(data);
  for (const path of add) fill(copy, path, sampleOf(path, reads));
  return copy;
}

/** Sets a value that is missing. `*` in the path stands for each element of a list. */
function fill(owner: unknown, [name, ...rest]: readonly string[], value: unknown): void {
  if (typeof owner !== 'object' || owner === null || name === undefined) return;
  if (name === '*') {
    for (const row of Object.values(owner)) fill(row, rest, value);
    return;
  }
  const known = Object.hasOwn(owner, name);
  if (rest.length > 0 && known) fill(Reflect.get(owner, name), rest, value);
  else if (!known) {
    // Unlike an assignment, this also gives `__proto__` a value of its own.
    const own = { value: nest(rest, value), configurable: true, enumerable: true, writable: true };
    Object.defineProperty(owner, name, own);
  }
}

/** Puts a value under the rest of its path. */
function nest(path: readonly string[], value: unknown): unknown {
  // `JSON.parse` gives every name, also `__proto__`, a property of its own.
  return path.reduceRight<unknown>(
    (inner, name) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(inner)}}`) as unknown,
    value,
  );
}

/** Makes a sample of a value from the paths that the template reads below it. */
function sampleOf(path: readonly string[], reads: Reads): unknown {
  const below = reads.paths.filter(
    (read) => read.length > path.length && path.every((name, index) => read[index] === name),
  );
  const names = new Set(below.map((read) => read[path.length] ?? ''));
  if (names.has('*') || names.has('length')) {
    const row = sampleOf([...path, '*'], reads);
    return Array.from({ length: ROWS }, () => row);
  }
  if (names.size > 0)
    return Object.fromEntries([...names].map((name) => [name, sampleOf([...path, name], reads)]));
  const kind = reads.kinds.get(keyOf(path));
  if (kind === 'list') return [];
  if (kind === 'number') return NUMBER;
  if (kind === 'date') return DATE;
  return labelOf(path.findLast((name) => name !== '*') ?? '');
}

/** Converts `invoiceNumber` or `invoice_number` to "Invoice number". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
