import { STANDARD_ENCODING, type CodeNames } from './glyph-names.ts';
import type { Matrix, GlyphOutline } from './glyph-outline.ts';
import { DamagedFont, type Program } from './program.ts';
import { drawType1 } from './type1-charstring.ts';

const EEXEC_KEY = 55_665;
const CHARSTRING_KEY = 4330;
const MAX_GLYPHS = 65_536;

interface DrawnGlyph {
  width: number;
  outline: GlyphOutline;
  valid: boolean;
}

/**
 * A Type 1 font program (Adobe Type 1 Font Format, 1990), including multiple master fonts at their default
 * instance.
 */
export class Type1Program implements Program {
  readonly kind = 'type1';
  readonly complete: boolean;
  readonly unitsPerEm: number;
  readonly glyphNames: readonly string[];
  readonly encoding: CodeNames;
  readonly #charStrings: readonly Uint8Array[];
  readonly #subroutines: readonly (Uint8Array | undefined)[];
  readonly #index = new Map<string, number>();
  readonly #weights: readonly number[];
  readonly #matrix: Matrix;
  readonly #glyphs = new Map<number, DrawnGlyph>();

  /** @throws {DamagedFont} */
  constructor(data: Uint8Array) {
    const file = removePfbHeaders(Buffer.from(data.buffer, data.byteOffset, data.length));
    const start = file.indexOf('eexec');
    if (start < 0) throw new DamagedFont('the font has no encrypted section');
    const clear = file.toString('latin1', 0, start);
    const decrypted = decryptPrivate(file, start + 5);
    const text = decrypted.toString('latin1');
    const skipped = Number(/\/lenIV\s+(-?\d+)/.exec(text)?.[1] ?? 4);
    const open = (bytes: Uint8Array): Uint8Array =>
      skipped < 0 ? bytes : decrypt(bytes, CHARSTRING_KEY).subarray(skipped);
    const names: string[] = [];
    const charStrings: Uint8Array[] = [];
    let last = 0;
    for (const { name, bytes } of readCharStrings(decrypted, text)) {
      last = bytes.byteOffset - decrypted.byteOffset + bytes.length;
      // If several glyphs have the same name, readers use the first.
      if (this.#index.has(name) || names.length >= MAX_GLYPHS) continue;
      this.#index.set(name, names.push(name) - 1);
      charStrings.push(open(bytes));
    }
    // A complete font has `end` after the last glyph.
    const isComplete = /\bend\b/.test(text.slice(last, last + 64));
    if (names.length === 0) throw new DamagedFont('the font has no glyphs');
    this.glyphNames = names;
    this.complete = isComplete;
    this.#charStrings = charStrings;
    const subroutines: Uint8Array[] = [];
    for (const { number, bytes } of readSubroutines(decrypted, text)) subroutines[number] = open(bytes);
    this.#subroutines = subroutines;
    this.#weights = numbersIn(/\/WeightVector\s*\[([^[\]]*)\]/.exec(clear)?.[1] ?? '');
    const matrix = numbersIn(/\/FontMatrix\s*\[([^[\]]*)\]/.exec(clear)?.[1] ?? '');
    const thousandths = matrix.map((value) => Math.round(value * 1e12) / 1e9);
    this.#matrix =
      thousandths.length === 6 && thousandths[0] !== 0
        ? (thousandths as unknown as Matrix)
        : [1, 0, 0, 1, 0, 0];
    this.unitsPerEm = Math.max(16, Math.min(16_384, Math.round(1000 / Math.abs(this.#matrix[0]))));
    this.encoding = readEncoding(clear);
  }

  get glyphCount(): number {
    return this.glyphNames.length;
  }

  width(glyph: number): number {
    return this.#glyph(glyph).width;
  }

  outline(glyph: number): GlyphOutline {
    return this.#glyph(glyph).outline;
  }

  isValid(glyph: number): boolean {
    return this.#glyph(glyph).valid;
  }

  hasOutline(glyph: number): boolean {
    return glyph >= 0 && glyph < this.glyphCount;
  }

  glyphOfName(name: string): number | undefined {
    return this.#index.get(name);
  }

  /** Whether this is a multiple master font. Some readers compute wrong widths for it. */
  get hasMasters(): boolean {
    return this.#weights.length > 0;
  }

  #glyph(glyph: number): DrawnGlyph {
    const known = this.#glyphs.get(glyph);
    if (known) return known;
    const charString = this.#charStrings[glyph];
    if (!charString) throw new DamagedFont('a glyph is missing');
    const drawn = drawType1(charString, {
      subroutines: this.#subroutines,
      weights: this.#weights,
      accent: (code) => {
        const index = this.#index.get(STANDARD_ENCODING[code] ?? '');
        return index === undefined ? undefined : this.#charStrings[index];
      },
    });
    const outline = drawn.outline.transformed(this.#matrix);
    const made = { width: drawn.width * this.#matrix[0], outline, valid: drawn.valid };
    this.#glyphs.set(glyph, made);
    return made;
  }
}

/** Removes the segment headers of a PFB file, which some producers embed unchanged. */
function removePfbHeaders(file: Buffer): Buffer {
  if (file[0] !== 0x80) return file;
  const parts: Buffer[] = [];
  for (let at = 0; file[at] === 0x80 && file[at + 1] !== 3 && at + 6 <= file.length;) {
    const size = file.readUInt32LE(at + 2);
    parts.push(file.subarray(at + 6, at + 6 + size));
    at += 6 + size;
  }
  return Buffer.concat(parts);
}

function decrypt(data: Uint8Array, key: number): Uint8Array {
  const out = new Uint8Array(data.length);
  let state = key;
  for (const [index, byte] of data.entries()) {
    out[index] = byte ^ (state >> 8);
    state = ((byte + state) * 52_845 + 22_719) & 0xffff;
  }
  return out;
}

/** Decrypts the section after `eexec`, which can be binary or hexadecimal (Type 1 Font Format, 7.2). */
function decryptPrivate(file: Buffer, after: number): Buffer {
  let at = after;
  while (file[at] === 32 || file[at] === 9 || file[at] === 10 || file[at] === 13) at++;
  const isHex = /^[0-9a-f\s]{8}/i.test(file.toString('latin1', at, at + 8));
  const data = isHex
    ? Buffer.from(file.toString('latin1', at).replaceAll(/[^0-9a-f]/gi, ''), 'hex')
    : file.subarray(at);
  return Buffer.from(decrypt(data, EEXEC_KEY).subarray(4));
}

function* readCharStrings(decrypted: Buffer, text: string): Iterable<{ name: string; bytes: Uint8Array }> {
  const start = text.indexOf('/CharStrings');
  if (start < 0) return;
  // An entry has the glyph name, the length in bytes, and the operator that reads the bytes after one space.
  const entry = /\/([^\s/{}[\]()<>%]+)\s+(\d+)\s+(?:RD|-\||[^\s/]+) /g;
  entry.lastIndex = start + 12;
  for (let found = entry.exec(text); found; found = entry.exec(text)) {
    const [, name = '', size = '0'] = found;
    const end = entry.lastIndex + Number(size);
    if (end > decrypted.length) return;
    yield { name, bytes: decrypted.subarray(entry.lastIndex, end) };
    entry.lastIndex = end;
  }
}

function* readSubroutines(decrypted: Buffer, text: string): Iterable<{ number: number; bytes: Uint8Array }> {
  const start = text.indexOf('/Subrs');
  if (start < 0) return;
  const entry = /\bdup\s+(\d+)\s+(\d+)\s+(?:RD|-\||[^\s/]+) /g;
  entry.lastIndex = start;
  const limit = text.indexOf('/CharStrings', start);
  for (let found = entry.exec(text); found; found = entry.exec(text)) {
    const [, number = '0', size = '0'] = found;
    if (limit > start && found.index > limit) return;
    const end = entry.lastIndex + Number(size);
    if (end > decrypted.length || Number(number) > MAX_GLYPHS) return;
    yield { number: Number(number), bytes: decrypted.subarray(entry.lastIndex, end) };
    entry.lastIndex = end;
  }
}

function readEncoding(clear: string): CodeNames {
  const start = clear.indexOf('/Encoding');
  const text = clear.slice(start);
  if (start < 0 || /^\/Encoding\s+StandardEncoding/.test(text)) return STANDARD_ENCODING;
  const names = Array<string | undefined>(256).fill(undefined);
  const end = /\breadonly\b|\bdef\b(?!\s*\d)/.exec(text.slice(text.indexOf('put')));
  const table = end ? text.slice(0, text.indexOf('put') + end.index) : text;
  for (const [, radix, digits = '', name] of table.matchAll(
    /\bdup\s+(?:(\d+)#)?([0-9a-f]+)\s*\/([^\s/]+)\s+put/gi,
  )) {
    const code = Number.parseInt(digits, radix === undefined ? 10 : Number(radix));
    if (code < 256) names[code] = name === '.notdef' ? undefined : name;
  }
  return names;
}

function numbersIn(text: string): number[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(Number)
    .filter((value) => Number.isFinite(value));
}
