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

/** Entries that PDF/A-1b forbids or does not define in any dictionary, and that readers do not need. */
const FORBIDDEN_ENTRIES = ['EF', 'RF', 'AF', 'PieceInfo', 'OC'];

/**
 * Brings all reachable objects within the implementation limits (ISO 19005-1 6.1.12) and removes forbidden entries. Returns the
 * violations that remain.
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
    violations.push({
      clause: '6.1.12',
      message: `a string has ${object.bytes.length} bytes, but at most ${LIMITS.stringBytes} are allowed`,
    });
  if (Array.isArray(object)) {
    if (object.length > LIMITS.arrayItems)
      violations.push({
        clause: '6.1.12',
        message: `an array has ${object.length} elements, but at most ${LIMITS.arrayItems} are allowed`,
      });
    for (const [index, item] of object.entries())
      if (needsFit(item)) object[index] = fit(item, false, violations);
  }
  if (object instanceof Dict) fitDict(object, isCatalog, violations);
  if (object instanceof PdfStream) fitDict(object.dict, false, violations);
  return object;
}

function fitDict(dict: Dict, isCatalog: boolean, violations: Violation[]): void {
  dict.delete(...FORBIDDEN_ENTRIES);
  // Metadata of other objects would have to conform too, and does not describe the document.
  if (!isCatalog) dict.delete('Metadata');
  if (dict.map.size > LIMITS.dictEntries)
    violations.push({
      clause: '6.1.12',
      message: `a dictionary has ${dict.map.size} entries, but at most ${LIMITS.dictEntries} are allowed`,
    });
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
