import { Dict, Name, PdfStream, PdfString, resolve, type PdfObject } from '../objects/index.ts';
import { freeName } from './names.ts';

const MAX_DEPTH = 6;

/** Adds the default resources of a form to the joined resources. Returns the new names of renamed fonts. */
export function joinResources(joined: Dict, added: Dict | undefined): Map<string, string> {
  const renamedFonts = new Map<string, string>();
  for (const [category, value] of added?.map ?? []) {
    const entries = resolve(value);
    if (!(entries instanceof Dict)) continue;
    const known = joined.dict(category) ?? new Dict();
    joined.set(category, known);
    for (const [key, entry] of entries.map) {
      const same = known.raw(key);
      if (same !== undefined && isSame(same, entry, MAX_DEPTH)) continue;
      const free = freeName(key, known.map);
      known.set(free, entry);
      if (free !== key && category === 'Font') renamedFonts.set(key, free);
    }
  }
  return renamedFonts;
}

/**
 * Tells whether two objects are equal. Treats streams as different, because comparing them would cost more
 * than a second copy.
 */
function isSame(one: PdfObject, other: PdfObject, depth: number): boolean {
  const [a, b] = [resolve(one), resolve(other)];
  if (a === b) return true;
  if (depth === 0 || a instanceof PdfStream) return false;
  if (a instanceof Name) return b instanceof Name && a.value === b.value;
  if (a instanceof PdfString) return b instanceof PdfString && a.key === b.key;
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isSame(item, b[index] ?? null, depth - 1))
    );
  if (!(a instanceof Dict) || !(b instanceof Dict) || a.map.size !== b.map.size) return false;
  return [...a.map].every(([key, value]) => isSame(value, b.raw(key) ?? null, depth - 1));
}
