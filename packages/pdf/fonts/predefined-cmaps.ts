import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { CMap, codeKey, identityCMap } from './cmap.ts';

/** All predefined CMaps in one file. */
interface Library {
  /** The offset and the size of each CMap in the data, by name. */
  directory: Readonly<Record<string, readonly [number, number]>>;
  data: Buffer;
}

let library: Library | undefined;
const MAX_CACHED = 8;
const cached = new Map<string, CMap | undefined>();

/** Returns a predefined CMap (ISO 32000-1 table 118); `undefined` for other names. */
export function predefinedCMap(named: string): CMap | undefined {
  if (named === 'Identity-H' || named === 'Identity-V') return identityCMap(named.endsWith('V'));
  if (cached.has(named)) return cached.get(named);
  library ??= openLibrary();
  const [at = 0, size = 0] = library.directory[named] ?? [];
  const map = size > 0 ? readBinary(library.data.subarray(at, at + size)) : undefined;
  if (map) map.ordering = orderingOf(named);
  cached.set(named, map);
  const [oldest] = cached.keys();
  if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
  return map;
}

/**
 * Returns the Unicode text of each CID of an Adobe character collection, by the key of the CID as a two-byte
 * code.
 */
export function unicodeOfCollection(ordering: string): ReadonlyMap<number, string> | undefined {
  return predefinedCMap(`Adobe-${ordering}-UCS2`)?.unicode;
}

/** Returns the character collection of a predefined CMap. */
function orderingOf(named: string): string {
  const collection = /^Adobe-(\w+)-/.exec(named)?.[1];
  if (collection !== undefined) return collection;
  if (/^(GB|UniGB)/.test(named)) return 'GB1';
  if (/^(B5|HK|ET|CNS|UniCNS)/.test(named)) return 'CNS1';
  return /^(KSC|UniKS)/.test(named) ? 'Korea1' : 'Japan1';
}

function openLibrary(): Library {
  const compressed = readFileSync(new URL('data/cmaps.br', import.meta.url));
  const data = brotliDecompressSync(compressed);
  const size = data.readUInt32BE(0);
  return {
    directory: JSON.parse(data.toString('utf8', 4, 4 + size)) as Library['directory'],
    data: data.subarray(4 + size),
  };
}

/** Reads the binary CMap format of pdf.js, whose entries are differences from the previous entry. */
class Reader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  get hasMore(): boolean {
    return this.#at < this.#data.length;
  }

  byte(): number {
    return this.#data[this.#at++] ?? 0;
  }

  /** Reads a number in groups of seven bits, with the most significant group first. */
  number(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** Reads a number that takes the given number of bytes. */
  fixed(bytes: number): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) value = value * 256 + this.byte();
    return value;
  }

  text(): string {
    const size = this.number();
    return String.fromCharCode(...Array.from({ length: size }, () => this.number()));
  }
}

function readBinary(data: Buffer): CMap {
  const reader = new Reader(data);
  const map = new CMap();
  const vertical = (reader.byte() & 1) === 1;
  let base: string | undefined;
  while (reader.hasMore) {
    const head = reader.byte();
    const type = head >> 5;
    if (type === 7) {
      const text = reader.text();
      if ((head & 31) === 1) base = text;
    } else readSection(reader, map, { type, sequence: (head & 16) !== 0, length: (head & 15) + 1 });
  }
  if (base !== undefined) map.parent = predefinedCMap(base);
  map.registry = 'Adobe';
  map.vertical = vertical;
  return map;
}

function readSection(
  reader: Reader,
  map: CMap,
  section: { type: number; sequence: boolean; length: number },
): void {
  const { type, sequence, length } = section;
  const size = type === 4 || type === 5 ? 2 : length;
  const isRange = type === 0 || type === 1 || type === 3 || type === 5;
  let last = -1;
  let cid = 0;
  let text = 0;
  const count = reader.number();
  for (let index = 0; index < count; index++) {
    // Code space ranges and notdef ranges are never sequences.
    const gap = sequence && index > 0 && type > 1 ? 0 : index === 0 ? reader.fixed(size) : reader.number();
    const first = index === 0 ? gap : last + 1 + gap;
    const end = isRange ? first + reader.number() : first;
    last = end;
    if (type === 0) map.codespaces.push({ length, first, last: end });
    else if (type === 1) reader.number();
    else if (type === 2) {
      cid = index === 0 ? reader.number() : cid + 1 + reader.signed();
      map.addRange({ length, first, last: end, cid });
    } else if (type === 3) map.addRange({ length, first, last: end, cid: reader.number() });
    else if (type === 4) {
      text = index === 0 ? reader.fixed(length) : text + 1 + reader.signed();
      map.unicode.set(codeKey(first, 2), characters(text, length));
    } else {
      const start = reader.fixed(length);
      for (let code = first; code <= end; code++)
        map.unicode.set(codeKey(code, 2), characters(start + code - first, length));
    }
  }
}

function characters(value: number, length: number): string {
  const bytes = Buffer.alloc(length);
  let rest = value;
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return new TextDecoder('utf-16be').decode(bytes);
}
