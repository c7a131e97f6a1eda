import { createHash } from 'node:crypto';
import {
  asDict,
  Dict,
  Name,
  name,
  PdfStream,
  PdfString,
  Ref,
  resolve,
  type PdfObject,
} from '@platen/pdf/objects';
import { nameOf } from '../content/graph.ts';

const MAX_DEPTH = 12;
/** The names that need no definition: the process colours, and `None`. */
const PROCESS = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'None']);

/**
 * Compares the definitions of spot colours. All spaces of a document must define a spot colour in the same
 * way (ISO 19005-2 6.2.4.4).
 */
export class Separations {
  /** The fingerprint of the first definition of each spot colour. */
  readonly #known = new Map<string, string>();

  /** Tells whether a Separation space defines its spot colour as the first space with this name did. */
  isConsistent(space: readonly PdfObject[]): boolean {
    const colour = resolve(space[1]);
    if (!(colour instanceof Name)) return true;
    const definition = fingerprint([space[2] ?? null, space[3] ?? null]);
    const known = this.#known.get(colour.value);
    if (known === undefined) this.#known.set(colour.value, definition);
    return known === undefined || known === definition;
  }

  /** Renames the spot colour of a Separation space if an earlier space defines this name differently. */
  makeConsistent(space: PdfObject[]): void {
    const colour = resolve(space[1]);
    if (!(colour instanceof Name)) return;
    for (let number = 2; !this.isConsistent(space) && number < 1_000; number++)
      space[1] = name(`${colour.value} ${number}`);
  }
}

/** Returns the spot colours of a DeviceN space that its attributes do not define. */
export function undefinedColorants(space: readonly PdfObject[]): string[] {
  const attributes = asDict(space[4]);
  const colorants = attributes?.dict('Colorants');
  const components = attributes?.dict('Process')?.array('Components') ?? [];
  const process = new Set(components.map((component) => nameOf(component)));
  const named = resolve(space[1]);
  return (Array.isArray(named) ? named : [])
    .map((colorant) => nameOf(colorant) ?? '')
    .filter((colorant) => !PROCESS.has(colorant) && !process.has(colorant) && !colorants?.map.has(colorant));
}

/** Returns a text that is equal for objects with equal content. */
function fingerprint(object: PdfObject, depth = 0): string {
  const value = object instanceof Ref ? (resolve(object) ?? null) : object;
  if (depth > MAX_DEPTH) return '…';
  if (value instanceof Name) return `/${value.value}`;
  if (value instanceof PdfString) return `(${value.key})`;
  if (Array.isArray(value)) return `[${value.map((item) => fingerprint(item, depth + 1)).join(' ')}]`;
  if (value instanceof Dict) return dictFingerprint(value, depth);
  if (value instanceof PdfStream)
    return `${dictFingerprint(value.dict, depth)}${createHash('sha256').update(value.raw).digest('hex')}`;
  return String(value);
}

function dictFingerprint(dict: Dict, depth: number): string {
  const entries = [...dict.map].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `<<${entries.map(([key, value]) => `/${key} ${fingerprint(value, depth + 1)}`).join('')}>>`;
}
