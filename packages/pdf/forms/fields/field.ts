import {
  decodeText,
  Dict,
  Name,
  PdfStream,
  PdfString,
  resolve,
  type Box,
  type Direct,
  type PdfObject,
  type Ref,
} from '../../objects/index.ts';

/** What a field is for, as the API names it. */
export type FieldKind =
  | 'text'
  | 'checkbox'
  | 'dropdown'
  | 'radio'
  | 'option_list'
  | 'button'
  | 'signature'
  | 'unknown';

/** Field flags (ISO 32000-1 tables 221, 226, 228 and 230). */
export const FLAG = {
  readOnly: 1,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  noToggleToOff: 1 << 14,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  radiosInUnison: 1 << 25,
} as const;

/** An object of a file: the dictionary, and how it is referred to where it is an object of its own. */
export interface Node {
  dict: Dict;
  ref: Ref | undefined;
}

/** A place where a field is seen and worked with. */
export interface Widget extends Node {
  /** From 0; `undefined` for one that is on no page. */
  page: number | undefined;
  /** In units of the page; `undefined` when it is missing or has no area. */
  rect: Box | undefined;
}

/** A field: one or more nodes of the tree that have one full name, with what they inherit, and all their widgets. */
export class Field {
  /** The partial names of the nodes from the root on, joined by dots; empty for one that has none. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly flags: number;
  /** Where its value is written. */
  readonly nodes: Node[] = [];
  readonly widgets: Widget[] = [];
  readonly #attributes: Attributes;

  constructor(name: string, attributes: Attributes) {
    this.name = name;
    this.#attributes = attributes;
    const flags = resolve(attributes.get('Ff'));
    this.flags = typeof flags === 'number' ? flags : 0;
    this.kind = kindOf(resolve(attributes.get('FT')), this.flags);
  }

  has(flag: keyof typeof FLAG): boolean {
    return (this.flags & FLAG[flag]) !== 0;
  }

  /** An attribute of its own, or of a node or form above it. */
  get(key: Inheritable): Direct | undefined {
    return resolve(this.#attributes.get(key));
  }

  /** The longest text that it takes; `undefined` when it is not bounded. */
  get maxLength(): number | undefined {
    const length = this.get('MaxLen');
    return typeof length === 'number' && length >= 0 && this.kind === 'text' ? Math.floor(length) : undefined;
  }
}

/** What a field takes from the nodes above it. `Opt` is not inherited by the standard, but by readers. */
const INHERITED = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen', 'Opt'] as const;

/** The key of an attribute that is inherited. */
export type Inheritable = (typeof INHERITED)[number];

/** Attributes as they reach a field. */
export type Attributes = ReadonlyMap<string, PdfObject>;

/** Adds a node's attributes to those from above. */
export function passOn(dict: Dict, from: Attributes): Attributes {
  let own: Map<string, PdfObject> | undefined;
  for (const key of INHERITED) {
    const value = dict.raw(key);
    if (value === undefined || resolve(value) === null) continue;
    own ??= new Map(from);
    own.set(key, value);
  }
  return own ?? from;
}

function kindOf(type: Direct | undefined, flags: number): FieldKind {
  switch (type instanceof Name ? type.value : '') {
    case 'Tx':
      return 'text';
    case 'Btn':
      if (flags & FLAG.pushButton) return 'button';
      return flags & FLAG.radio ? 'radio' : 'checkbox';
    case 'Ch':
      return flags & FLAG.combo ? 'dropdown' : 'option_list';
    case 'Sig':
      return 'signature';
    default:
      return 'unknown';
  }
}

/** Reads text that stands as a string, a name or a stream; `undefined` for what is none. */
export function readText(
  value: PdfObject | undefined,
  unpack: (stream: PdfStream) => Uint8Array | undefined,
): string | undefined {
  const direct = resolve(value);
  if (direct instanceof PdfString) return decodeText(direct);
  if (direct instanceof Name) return decodeName(direct.value);
  if (!(direct instanceof PdfStream)) return undefined;
  const bytes = unpack(direct);
  return bytes && decodeText(new PdfString(bytes));
}

/** Reads a name as text: UTF-8, as the standard recommends, or where it is none as a text string. */
export function decodeName(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeText(new PdfString(bytes));
  }
}
