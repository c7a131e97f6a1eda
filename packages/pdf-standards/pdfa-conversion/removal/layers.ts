import {
  decodeText,
  Dict,
  encodeText,
  Name,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { listedLayers } from '../../pdfa-check/listed-layers.ts';

const MAX_DEPTH = 32;

/** Creates the layers for a level that allows layers: they hide no content, because their content is kept. */
export const keptLayers = (): Layers => new Layers({ catalog: new Dict() });

/**
 * Makes the configurations of layers conform: gives each a unique name, adds missing layers to its order, and
 * removes automatic changes (ISO 19005-2 6.9).
 */
export function cleanLayerConfigurations(catalog: Dict): void {
  const properties = catalog.dict('OCProperties');
  if (!properties) return;
  if (!properties.dict('D')) properties.set('D', new Dict());
  const groups = (properties.array('OCGs') ?? []).filter((group) => resolve(group) instanceof Dict);
  const names = new Set<string>();
  for (const object of [properties.raw('D') ?? null, ...(properties.array('Configs') ?? [])]) {
    const configuration = resolve(object);
    if (!(configuration instanceof Dict)) continue;
    const written = configuration.string('Name');
    let title = written && written.bytes.length > 0 ? decodeText(written) : 'Layers';
    for (let number = 2; names.has(title); number++) title = `${title} ${number}`;
    names.add(title);
    configuration.set('Name', encodeText(title)).delete('AS');
    const order = configuration.array('Order');
    if (!order) continue;
    const listed = listedLayers(order);
    order.push(...groups.filter((group) => !listed.has(resolve(group) as Dict)));
  }
}

/**
 * Tells which layers (optional content groups) are hidden (ISO 32000-1 8.11). PDF/A-1 forbids layers, so the
 * content of hidden ones is removed.
 */
export class Layers {
  /** Whether the document has layers. */
  readonly present: boolean;
  readonly #off = new Set<Dict>();

  constructor({ catalog }: Pick<PdfDocument, 'catalog'>) {
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

  /** Tells whether an optional content group or a membership dictionary hides its content. */
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

  /** Evaluates a visibility expression. Returns whether the content is visible. */
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
