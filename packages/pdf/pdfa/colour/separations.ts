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
} from '../../objects/index.ts';

const MAX_DEPTH = 12;
/** Names that need no definition: the process colours, and the absence of colour. */
const PROCESS = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'None']);

/** Compares the definitions of the spot colours of a document (ISO 19005-2 6.2.4.4). */
export class Separations {
  readonly #known = new Map<string, string>();

  /** Tells whether a Separation space defines its colour as all others of the same name. */
  isConsistent(space: readonly PdfObject[]): boolean {
    const colour = resolve(space[1]);
    if (!(colour instanceof Name)) return true;
    const definition = fingerprint([space[2] ?? null, space[3] ?? null]);
    const known = this.#known.get(colour.value);
    if (known === undefined) this.#known.set(colour.value, definition);
    return known === undefined || known === definition;
  }

  /** Renames the colour of a Separation space if another one of the same name is defined differently. */
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
  const process = new Set(components.map((one) => nameOf(one)));
  const named = resolve(space[1]);
  return (Array.isArray(named) ? named : [])
    .map((one) => nameOf(one) ?? '')
    .filter((one) => !PROCESS.has(one) && !process.has(one) && !colorants?.map.has(one));
}

function nameOf(object: PdfObject): string | undefined {
  const value = resolve(object);
  return value instanceof Name ? value.value : undefined;
}

/** Returns a text that is the same for equal objects. */
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
