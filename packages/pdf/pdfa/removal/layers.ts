import { Dict, Name, resolve, type PdfDocument, type PdfObject } from '../../objects/index.ts';

const MAX_DEPTH = 32;

/** Tells which layers (optional content groups) are hidden (ISO 32000-1 8.11). PDF/A-1 has no layers, so their content is removed. */
export class Layers {
  /** Whether the document has layers. */
  readonly present: boolean;
  readonly #off = new Set<Dict>();

  constructor({ catalog }: PdfDocument) {
    const properties = catalog.dict('OCProperties');
    this.present = properties !== undefined;
    const defaults = properties?.dict('D') ?? new Dict();
    const add = (groups: readonly PdfObject[] | undefined) => {
      for (const group of groups ?? []) {
        const dict = resolve(group);
        if (dict instanceof Dict) this.#off.add(dict);
      }
    };
    if (defaults.name('BaseState') === 'OFF') add(properties?.array('OCGs'));
    for (const group of defaults.array('ON') ?? []) {
      const dict = resolve(group);
      if (dict instanceof Dict) this.#off.delete(dict);
    }
    add(defaults.array('OFF'));
  }

  /** Tells whether a group or a membership dictionary hides its content. */
  hides(layer: PdfObject | undefined): boolean {
    const dict = resolve(layer);
    if (!(dict instanceof Dict) || !this.present) return false;
    if (dict.name('Type') !== 'OCMD') return this.#off.has(dict);
    const expression = dict.array('VE');
    if (expression) return !this.#evaluate(expression, 0);
    const groups = dict.get('OCGs');
    const all = (Array.isArray(groups) ? groups : [dict.raw('OCGs') ?? null])
      .map((group) => resolve(group))
      .filter((group) => group instanceof Dict);
    if (all.length === 0) return false;
    const isOff = (group: Dict) => this.#off.has(group);
    switch (dict.name('P') ?? '') {
      case 'AllOn':
        return all.some(isOff);
      case 'AnyOff':
        return !all.some(isOff);
      case 'AllOff':
        return !all.every(isOff);
      default:
        return all.every(isOff);
    }
  }

  #evaluate(expression: readonly PdfObject[], depth: number): boolean {
    const [operator, ...operands] = expression;
    const named = resolve(operator);
    const value = (operand: PdfObject): boolean => {
      const meant = resolve(operand);
      if (Array.isArray(meant)) return depth < MAX_DEPTH && this.#evaluate(meant, depth + 1);
      return !(meant instanceof Dict && this.#off.has(meant));
    };
    switch (named instanceof Name ? named.value : '') {
      case 'Not':
        return !operands.slice(0, 1).some(value);
      case 'Or':
        return operands.some(value);
      default:
        return operands.every(value);
    }
  }
}
