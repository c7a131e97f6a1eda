import {
  Dict,
  name,
  Name,
  PdfStream,
  PdfString,
  reach,
  type Direct,
  type PdfObject,
  type Ref,
} from '../../objects/index.ts';
import type { Violation } from '../violation.ts';
import { LIMITS, fitName, fitNumber } from './limits.ts';

/** Entries that PDF/A-1b forbids or knows nothing of, wherever they stand, and that no reader misses. */
const FORBIDDEN_ENTRIES = ['EF', 'RF', 'AF', 'PieceInfo', 'OC'];

/**
 * Brings all objects that a document reaches within the limits (ISO 19005-1 6.1.12), and takes out of them what nothing of PDF/A-1b
 * may have. Returns what could not be brought within them.
 */
export function fitObjects(root: Ref): Violation[] {
  const violations: Violation[] = [];
  for (const ref of reach(root)) {
    const fitted = fit(ref.value, ref.value === root.value, violations);
    if (fitted !== ref.value) ref.value = fitted as Direct;
  }
  return violations;
}

function fit(object: PdfObject, isCatalog: boolean, violations: Violation[]): PdfObject {
  if (typeof object === 'number') return fitNumber(object);
  if (object instanceof Name) {
    const fitted = fitName(object.value);
    return fitted === object.value ? object : name(fitted);
  }
  if (object instanceof PdfString && object.bytes.length > LIMITS.stringBytes)
    violations.push({ clause: '6.1.12', message: `has a string of ${object.bytes.length} bytes` });
  if (Array.isArray(object)) {
    if (object.length > LIMITS.arrayItems)
      violations.push({ clause: '6.1.12', message: `has an array of ${object.length} items` });
    for (const [index, item] of object.entries())
      if (needsFit(item)) object[index] = fit(item, false, violations);
  }
  if (object instanceof Dict) fitDict(object, isCatalog, violations);
  if (object instanceof PdfStream) fitDict(object.dict, false, violations);
  return object;
}

function fitDict(dict: Dict, isCatalog: boolean, violations: Violation[]): void {
  dict.delete(...FORBIDDEN_ENTRIES);
  // Other metadata than the document's would have to conform as well, and say nothing of the document.
  if (!isCatalog) dict.delete('Metadata');
  if (dict.map.size > LIMITS.dictEntries)
    violations.push({ clause: '6.1.12', message: `has a dictionary of ${dict.map.size} entries` });
  for (const [key, value] of dict.map) {
    if (needsFit(value)) dict.map.set(key, fit(value, false, violations));
    if (key.length > LIMITS.nameBytes) {
      const moved = dict.map.get(key) ?? null;
      dict.map.delete(key);
      dict.map.set(fitName(key), moved);
    }
  }
}

function needsFit(value: PdfObject): boolean {
  return typeof value === 'number'
    ? Math.abs(value) > LIMITS.real
    : typeof value === 'object' && value !== null;
}
