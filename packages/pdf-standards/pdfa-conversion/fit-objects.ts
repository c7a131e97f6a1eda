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
} from '@platen/pdf/objects';
import type { Attachments } from './removal/attachments.ts';
import type { LevelRules } from '../levels.ts';
import type { Breach } from '../violation.ts';
import { LIMITS, fitFontName, fitName, fitNumber, utf8Name } from '../limits/limits.ts';

/** Entries that PDF/A forbids, or that readers do not need. */
const FORBIDDEN_ENTRIES = ['RF', 'PieceInfo'];
/** The names of fonts, which must be UTF-8 (ISO 19005-2 6.1.8). */
const FONT_NAMES = ['BaseFont', 'FontName'];

interface FitContext {
  rules: LevelRules;
  attachments: Pick<Attachments, 'has'>;
}

/**
 * Brings all objects that `root` reaches within the implementation limits (ISO 19005-1 6.1.12, ISO 19005-2
 * 6.1.13), and removes forbidden entries. Returns the violations that remain.
 */
export function fitObjects(root: Ref, context: FitContext): Breach[] {
  const fitter = new Fitter(root.value, context);
  for (const ref of reach(root)) {
    const fitted = fitter.fit(ref.value);
    if (fitted !== ref.value) ref.value = fitted as Direct;
  }
  return fitter.breaches;
}

class Fitter {
  readonly breaches: Breach[] = [];
  readonly #catalog: Direct;
  readonly #context: FitContext;

  constructor(catalog: Direct, context: FitContext) {
    this.#catalog = catalog;
    this.#context = context;
  }

  fit(object: PdfObject): PdfObject {
    const { limits } = this.#context.rules;
    if (typeof object === 'number') return fitNumber(object);
    if (object instanceof Name) {
      const fitted = fitName(object.value);
      return fitted === object.value ? object : name(fitted);
    }
    if (object instanceof PdfString)
      this.#limit('a string has', object.bytes.length, limits.stringBytes, 'bytes');
    if (Array.isArray(object)) {
      this.#limit('an array has', object.length, limits.arrayItems, 'elements');
      for (const [index, item] of object.entries()) if (needsFit(item)) object[index] = this.fit(item);
    }
    if (object instanceof Dict) this.#fitDict(object);
    if (object instanceof PdfStream) this.#fitDict(object.dict);
    return object;
  }

  #limit(subject: string, count: number, max: number, unit: string): void {
    if (count > max)
      this.breaches.push({
        rule: 'limits',
        message: `${subject} ${count} ${unit}, but at most ${max} are allowed`,
      });
  }

  #fitDict(dict: Dict): void {
    const { rules, attachments } = this.#context;
    const isCatalog = dict === this.#catalog;
    dict.delete(...FORBIDDEN_ENTRIES);
    if (!rules.layers) dict.delete('OC');
    // The metadata of other objects would have to conform too.
    if (!isCatalog) dict.delete('Metadata', 'AF');
    if (!attachments.has(dict)) dict.delete('EF');
    if (rules.part > 1) fitUtf8Names(dict);
    this.#limit('a dictionary has', dict.map.size, rules.limits.dictEntries, 'entries');
    for (const [key, value] of dict.map) {
      if (needsFit(value)) dict.map.set(key, this.fit(value));
      if (key.length > rules.limits.nameBytes) {
        const moved = dict.map.get(key) ?? null;
        dict.map.delete(key);
        dict.map.set(fitName(key), moved);
      }
    }
  }
}

/** Makes the names of fonts and structure types valid UTF-8. */
function fitUtf8Names(dict: Dict): void {
  for (const key of FONT_NAMES) {
    const value = dict.name(key);
    if (value !== undefined) dict.set(key, name(fitFontName(value)));
  }
  const type = dict.name('S');
  if (type !== undefined) dict.set('S', name(utf8Name(type)));
  const roles = dict.dict('RoleMap');
  for (const [role, standard] of roles?.map ?? []) {
    const fitted = utf8Name(role);
    if (fitted === role) continue;
    roles?.delete(role);
    roles?.set(fitted, standard);
  }
}

function needsFit(value: PdfObject): boolean {
  return typeof value === 'number'
    ? Math.abs(value) > LIMITS.real
    : typeof value === 'object' && value !== null;
}
