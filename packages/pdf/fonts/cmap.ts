import { Keyword, Name, Parser, PdfString, Ref, type PdfObject } from '../objects/index.ts';

const MAX_RANGES = 200_000;
const MAX_UNICODE_RANGE = 65_536;
/**
 * The factor of the length in a code key. The one-byte code 41 and the two-byte code 0041 are different
 * codes.
 */
const LENGTH_UNIT = 2 ** 32;

/** Returns the key of a code: one number for its value and its length in bytes. */
export function codeKey(value: number, length: number): number {
  return value + length * LENGTH_UNIT;
}

/** Returns the value of a code and its length in bytes from its key. */
export function splitKey(key: number): { value: number; length: number } {
  const length = Math.floor(key / LENGTH_UNIT);
  return { value: key - length * LENGTH_UNIT, length };
}

interface Range {
  length: number;
  first: number;
  last: number;
}

interface CidRange extends Range {
  cid: number;
}

/**
 * A CMap, which splits strings into codes and maps the codes to CIDs or text (Adobe Technical Note 5014, ISO
 * 32000-1 9.7.5).
 */
export class CMap {
  /** The code space ranges, which determine the length of each code. */
  readonly codespaces: Range[] = [];
  /** The texts of a ToUnicode CMap by code key. */
  readonly unicode = new Map<number, string>();
  /** Whether the writing mode is vertical. */
  vertical = false;
  registry: string | undefined;
  ordering: string | undefined;
  readonly #ranges: CidRange[] = [];
  readonly #singles = new Map<number, number>();
  #sorted: CidRange[] | undefined;
  #parent: CMap | undefined;

  /** Sets the base CMap, which maps the codes that this CMap does not map. */
  set parent(parent: CMap | undefined) {
    this.#parent = parent;
    if (parent && this.codespaces.length === 0) this.codespaces.push(...parent.codespaces);
  }

  get parent(): CMap | undefined {
    return this.#parent;
  }

  /** Adds a range of codes with consecutive CIDs. Ignores it if the CMap has too many ranges. */
  addRange(range: CidRange): void {
    if (this.#ranges.length >= MAX_RANGES || this.#singles.size >= MAX_RANGES) return;
    if (range.first === range.last) this.#singles.set(codeKey(range.first, range.length), range.cid);
    else this.#ranges.push(range);
    this.#sorted = undefined;
  }

  /**
   * Splits a string into codes and yields their {@link codeKey}. Bytes outside all code space ranges form
   * codes of the shortest length, at most 2.
   */
  *codes(bytes: Uint8Array): Iterable<number> {
    for (let at = 0; at < bytes.length;) {
      let value = 0;
      let length = 0;
      let found = 0;
      while (length < 4 && at + length < bytes.length && found === 0) {
        value = value * 256 + (bytes[at + length] ?? 0);
        length++;
        if (this.codespaces.some((space) => space.length === length && within(value, space))) found = length;
      }
      if (found === 0) {
        const shortest = Math.min(2, ...this.codespaces.map((space) => space.length));
        length = Math.min(this.codespaces.length === 0 ? 2 : shortest, bytes.length - at);
        value = 0;
        for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
      }
      yield codeKey(value, length);
      at += length;
    }
  }

  /** Returns the CID of a code by its key; `undefined` if the code is not mapped. */
  cid(key: number): number | undefined {
    const single = this.#singles.get(key);
    if (single !== undefined) return single;
    this.#sorted ??= this.#ranges.toSorted((a, b) => a.first - b.first);
    const { value, length } = splitKey(key);
    let low = 0;
    let high = this.#sorted.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.#sorted[middle];
      if (!range || value < range.first) high = middle - 1;
      else low = middle + 1;
    }
    // Ranges with the same values and other code lengths may come in between.
    for (let at = high; at >= 0 && at > high - 8; at--) {
      const range = this.#sorted[at];
      if (range?.length === length && value <= range.last) return range.cid + value - range.first;
    }
    return this.#parent?.cid(key);
  }
}

/**
 * Tells whether each byte of a code lies between the same bytes of the first and the last code (Technical
 * Note 5014, 3.2).
 */
function within(value: number, { first, last, length }: Range): boolean {
  for (let byte = 0; byte < length; byte++) {
    const shift = 256 ** byte;
    const part = Math.floor(value / shift) & 255;
    if (part < (Math.floor(first / shift) & 255) || part > (Math.floor(last / shift) & 255)) return false;
  }
  return true;
}

/** Returns the CMap Identity-H or Identity-V, which maps two-byte codes to equal CIDs. */
export function identityCMap(vertical: boolean): CMap {
  const map = new CMap();
  map.codespaces.push({ length: 2, first: 0, last: 0xffff });
  map.addRange({ length: 2, first: 0, last: 0xffff, cid: 0 });
  map.vertical = vertical;
  map.registry = 'Adobe';
  map.ordering = 'Identity';
  return map;
}

/**
 * Reads a CMap, to CIDs or to Unicode text. Ignores damaged parts.
 * @param named returns the CMap with a name, for `usecmap`
 */
export function readCMap(data: Uint8Array, named: (name: string) => CMap | undefined): CMap {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const parser = new Parser(bytes, 0, { ref: () => Ref.to(null) });
  const map = new CMap();
  let operands: PdfObject[] = [];
  for (let token = nextOf(parser); token !== undefined; token = nextOf(parser)) {
    if (!(token instanceof Keyword)) {
      operands.push(token);
      continue;
    }
    apply(map, token.text, operands, named);
    operands = [];
  }
  return map;
}

/** Returns the next token; `undefined` at the end or at a token that cannot be parsed. */
function nextOf(parser: Parser): PdfObject | Keyword | undefined {
  try {
    return parser.next();
  } catch {
    return undefined;
  }
}

function apply(
  map: CMap,
  keyword: string,
  operands: readonly PdfObject[],
  named: (name: string) => CMap | undefined,
): void {
  switch (keyword) {
    case 'usecmap': {
      const base = operands.at(-1);
      if (base instanceof Name) map.parent = named(base.value);
      break;
    }
    case 'def': {
      const [key, value] = operands.slice(-2);
      if (!(key instanceof Name)) break;
      if (key.value === 'WMode') map.vertical = value === 1;
      if (key.value === 'Registry' && value instanceof PdfString) map.registry = value.key;
      if (key.value === 'Ordering' && value instanceof PdfString) map.ordering = value.key;
      break;
    }
    case 'endcodespacerange':
      for (const [first, last] of tuples(operands, 2)) {
        if (!(first instanceof PdfString) || !(last instanceof PdfString)) continue;
        map.codespaces.push({ length: first.bytes.length, first: valueOf(first), last: valueOf(last) });
      }
      break;
    case 'endcidrange':
      for (const [first, last, cid] of tuples(operands, 3)) {
        if (!(first instanceof PdfString) || !(last instanceof PdfString) || typeof cid !== 'number')
          continue;
        map.addRange({ length: first.bytes.length, first: valueOf(first), last: valueOf(last), cid });
      }
      break;
    case 'endcidchar':
      for (const [code, cid] of tuples(operands, 2)) {
        if (!(code instanceof PdfString) || typeof cid !== 'number') continue;
        map.addRange({ length: code.bytes.length, first: valueOf(code), last: valueOf(code), cid });
      }
      break;
    case 'endbfchar':
      for (const [code, text] of tuples(operands, 2))
        if (code instanceof PdfString && text instanceof PdfString)
          map.unicode.set(codeKey(valueOf(code), code.bytes.length), textOf(text.bytes));
      break;
    case 'endbfrange':
      for (const [first, last, to] of tuples(operands, 3)) addUnicode(map, first, last, to);
      break;
    default:
  }
}

function addUnicode(map: CMap, first?: PdfObject, last?: PdfObject, to?: PdfObject): void {
  if (!(first instanceof PdfString) || !(last instanceof PdfString)) return;
  const start = valueOf(first);
  const count = Math.min(valueOf(last) - start + 1, MAX_UNICODE_RANGE);
  for (let index = 0; index < count && map.unicode.size < MAX_RANGES; index++) {
    const key = codeKey(start + index, first.bytes.length);
    const item = Array.isArray(to) ? to[index] : to;
    if (!(item instanceof PdfString)) continue;
    const text = Uint8Array.from(item.bytes);
    // The last UTF-16 unit increases within a range.
    if (!Array.isArray(to) && text.length >= 2) {
      const unit = ((text.at(-2) ?? 0) << 8) + (text.at(-1) ?? 0) + index;
      text[text.length - 2] = (unit >> 8) & 255;
      text[text.length - 1] = unit & 255;
    }
    map.unicode.set(key, textOf(text));
  }
}

function* tuples(operands: readonly PdfObject[], size: number): Iterable<readonly PdfObject[]> {
  for (let at = 0; at + size <= operands.length; at += size) yield operands.slice(at, at + size);
}

function valueOf({ bytes }: PdfString): number {
  let value = 0;
  for (const byte of bytes.subarray(0, 4)) value = value * 256 + byte;
  return value;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0);
  return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1));
}
