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

/** The type of a field, as the API names it. */
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

/** A dictionary, and its reference if it is an indirect object. */
export interface Node {
  dict: Dict;
  ref: Ref | undefined;
}

/** A widget annotation of a field. */
export interface Widget extends Node {
  /** The zero-based page index, or `undefined` if no page lists the widget. */
  page: number | undefined;
  /** The rectangle in user space, or `undefined` if it is missing or has no area. */
  rect: Box | undefined;
}

/** A field: the nodes of the field tree with one full name, their inherited attributes, and all widgets. */
export class Field {
  /** The full name: partial names from the root, joined by dots. Empty if the field has no name. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly flags: number;
  /** The nodes that store the value. */
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

  /** Returns an own or inherited attribute. */
  get(key: Inheritable): Direct | undefined {
    return resolve(this.#attributes.get(key));
  }

  /** The maximum text length, or `undefined` if there is no limit. */
  get maxLength(): number | undefined {
    const length = this.get('MaxLen');
    return typeof length === 'number' && length >= 0 && this.kind === 'text' ? Math.floor(length) : undefined;
  }
}

/** Inheritable attributes. The standard does not make `Opt` inheritable, but readers do. */
const INHERITED = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen', 'Opt'] as const;

/** The key of an inheritable attribute. */
type Inheritable = (typeof INHERITED)[number];

/** Own and inherited attributes. */
export type Attributes = ReadonlyMap<string, PdfObject>;

/** Returns the attributes of a node: its own, and those that it inherits from its parent. */
export function inheritAttributes(dict: Dict, from: Attributes): Attributes {
  let merged: Map<string, PdfObject> | undefined;
  for (const key of INHERITED) {
    const value = dict.raw(key);
    if (value === undefined || resolve(value) === null) continue;
    merged ??= new Map(from);
    merged.set(key, value);
  }
  return merged ?? from;
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

/** Reads text from a string, a name or a stream. Returns `undefined` for other objects. */
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

/** Decodes a name as UTF-8, which the standard recommends, or else as a text string. */
export function decodeName(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeText(new PdfString(bytes));
  }
}
