import { readDict, type CffDict } from './cff-dict.ts';
import { PREDEFINED_CHARSETS, STANDARD_ENCODING, STANDARD_STRINGS, type CodeNames } from './glyph-names.ts';
import { multiply, type Matrix, type GlyphOutline } from './glyph-outline.ts';
import { Bytes } from './bytes.ts';
import { DamagedFont, type Program } from './program.ts';
import { drawType2, type Subroutines } from './type2.ts';

const MAX_GLYPHS = 65_536;

interface Index {
  count: number;
  /** @throws {DamagedFont} if the item is missing. */
  item(index: number): Bytes;
  /** The offset after the INDEX in the file. */
  end: number;
}

interface DrawnGlyph {
  width: number;
  outline: GlyphOutline;
  valid: boolean;
}

/** A Font DICT with its Private DICT. */
interface FontDict {
  matrix: Matrix | undefined;
  subroutines: Subroutines;
  defaultWidth: number;
  nominalWidth: number;
}

/** A CFF font program (Adobe Technical Note 5176). Its glyphs have names or CIDs. */
export class CffProgram implements Program {
  readonly kind = 'cff';
  readonly complete: boolean;
  readonly glyphCount: number;
  readonly unitsPerEm: number;
  /** Whether glyphs have CIDs instead of names. */
  readonly cidKeyed: boolean;
  readonly #file: Bytes;
  readonly #charStrings: Index;
  readonly #strings: Index;
  readonly #charset: readonly number[];
  readonly #fonts: readonly FontDict[];
  readonly #fontOf: (glyph: number) => number;
  readonly #matrix: Matrix | undefined;
  readonly #top: CffDict;
  readonly #glyphs = new Map<number, DrawnGlyph>();
  #ids: Map<number | string, number> | undefined;

  /** @throws {DamagedFont} */
  constructor(data: Uint8Array) {
    const file = new Bytes(data);
    this.#file = file;
    const names = readIndex(file, file.u8(2));
    const tops = readIndex(file, names.end);
    this.#strings = readIndex(file, tops.end);
    const globals = readIndex(file, this.#strings.end);
    const top = readDict(tops.item(0)).dict;
    this.#top = top;
    if ((top.get(1206)?.[0] ?? 2) !== 2) throw new DamagedFont('the charstrings are not of type 2');
    this.#charStrings = readIndex(file, top.get(17)?.[0] ?? 0);
    this.glyphCount = this.#charStrings.count;
    this.complete = Math.max(this.#charStrings.end, globals.end) <= file.length;
    if (this.glyphCount === 0) throw new DamagedFont('the font has no glyphs');
    this.cidKeyed = top.has(1230);
    this.#matrix = matrixOf(top);
    this.#charset = this.#readCharset(top.get(15)?.[0] ?? 0);
    const fonts = top.get(1236)?.[0];
    if (this.cidKeyed && fonts !== undefined) {
      const index = readIndex(file, fonts);
      this.#fonts = Array.from({ length: index.count }, (_, number) =>
        this.#readFont(readDict(index.item(number)).dict, globals),
      );
      this.#fontOf = this.#readFontSelection(top.get(1237)?.[0] ?? 0);
    } else {
      this.#fonts = [{ ...this.#readFont(top, globals), matrix: undefined }];
      this.#fontOf = () => 0;
    }
    const scale = this.#matrixFor(0)[0];
    this.unitsPerEm = scale > 0 ? Math.max(16, Math.min(16_384, Math.round(1000 / scale))) : 1000;
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
    return glyph >= 0 && glyph < this.glyphCount && this.#charStrings.item(glyph).length > 2;
  }

  glyphOfName(name: string): number | undefined {
    return this.cidKeyed ? undefined : this.#identifiers().get(name);
  }

  /**
   * Returns the glyph of a CID, or `undefined` if the font has no such glyph. In a font that is not
   * CID-keyed, the CID is the glyph index.
   */
  glyphOfCid(cid: number): number | undefined {
    if (!this.cidKeyed) return cid < this.glyphCount ? cid : undefined;
    return this.#identifiers().get(cid);
  }

  /** The names of the glyphs, in the order of the glyphs. */
  get glyphNames(): string[] {
    return this.#charset.map((id) => this.#string(id));
  }

  /** The built-in encoding. */
  get encoding(): CodeNames {
    const offset = this.#top.get(16)?.[0] ?? 0;
    if (offset < 2) return STANDARD_ENCODING;
    const names = Array<string | undefined>(256).fill(undefined);
    const nameOf = (glyph: number): string | undefined => {
      const id = this.#charset[glyph];
      return id === undefined ? undefined : this.#string(id);
    };
    const file = this.#file;
    const format = file.u8(offset);
    let at = offset + 2;
    let glyph = 1;
    for (let count = file.u8(offset + 1); count > 0; count--) {
      if ((format & 127) === 0) names[file.u8(at++)] = nameOf(glyph++);
      else {
        const first = file.u8(at);
        for (let code = first; code <= first + file.u8(at + 1); code++) names[code & 255] = nameOf(glyph++);
        at += 2;
      }
    }
    if (format < 128) return names;
    for (let count = file.u8(at++); count > 0; count--, at += 3)
      names[file.u8(at)] = this.#string(file.u16(at + 1));
    return names;
  }

  /** Returns the string with an SID. */
  #string(id: number): string {
    const standard = STANDARD_STRINGS[id];
    if (standard !== undefined) return standard;
    const index = id - STANDARD_STRINGS.length;
    return index < this.#strings.count ? this.#strings.item(index).data.toString('latin1') : `sid${id}`;
  }

  /** Indexes the glyphs by name, or by CID in a CID-keyed font. */
  #identifiers(): Map<number | string, number> {
    if (this.#ids) return this.#ids;
    this.#ids = new Map();
    for (const [glyph, id] of this.#charset.entries()) {
      const key = this.cidKeyed ? id : this.#string(id);
      if (!this.#ids.has(key)) this.#ids.set(key, glyph);
    }
    return this.#ids;
  }

  /** Returns the matrix from the glyph space of a Font DICT to thousandths of an em. */
  #matrixFor(font: number): Matrix {
    const inner = this.#fonts[font]?.matrix;
    const outer = this.#matrix;
    const matrix = inner && outer ? multiply(inner, outer) : (inner ?? outer ?? [0.001, 0, 0, 0.001, 0, 0]);
    const [a, b, c, d, e, f] = matrix;
    return [a * 1000, b * 1000, c * 1000, d * 1000, e * 1000, f * 1000];
  }

  #glyph(glyph: number): DrawnGlyph {
    const known = this.#glyphs.get(glyph);
    if (known) return known;
    if (glyph < 0 || glyph >= this.glyphCount) throw new DamagedFont('a glyph is missing');
    const number = this.#fontOf(glyph);
    const font = this.#fonts[number];
    if (!font) throw new DamagedFont('a glyph refers to a missing Font DICT');
    const drawn = drawType2(this.#charStrings.item(glyph), font.subroutines, (code) => {
      const name = STANDARD_ENCODING[code];
      const accent = name === undefined ? undefined : this.glyphOfName(name);
      return accent === undefined ? undefined : this.#charStrings.item(accent);
    });
    const matrix = this.#matrixFor(number);
    const width = drawn.width === undefined ? font.defaultWidth : font.nominalWidth + drawn.width;
    const outline = drawn.outline.transformed(rounded(matrix));
    const made = { width: width * matrix[0], outline, valid: drawn.valid };
    this.#glyphs.set(glyph, made);
    return made;
  }

  #readFont(dict: CffDict, globals: Index): FontDict {
    const [size = 0, offset = 0] = dict.get(18) ?? [];
    const privateDict: CffDict =
      size > 0 ? readDict(this.#file.slice(offset, offset + size)).dict : new Map();
    const locals = privateDict.get(19)?.[0];
    return {
      matrix: matrixOf(dict),
      subroutines: { globals, locals: locals ? readIndex(this.#file, offset + locals) : undefined },
      defaultWidth: privateDict.get(20)?.[0] ?? 0,
      nominalWidth: privateDict.get(21)?.[0] ?? 0,
    };
  }

  #readCharset(offset: number): number[] {
    const file = this.#file;
    const ids = [0];
    if (offset < 3) {
      // Predefined charsets do not apply to CID-keyed fonts; use the glyph indices as CIDs.
      if (this.cidKeyed) return Array.from({ length: this.glyphCount }, (_, glyph) => glyph);
      for (const [first, last] of PREDEFINED_CHARSETS[offset] ?? [])
        for (let id = Math.max(first, 1); id <= last && ids.length < this.glyphCount; id++) ids.push(id);
      return ids;
    }
    const format = file.u8(offset);
    let at = offset + 1;
    while (ids.length < this.glyphCount && at + 2 <= file.length) {
      const first = file.u16(at);
      const more = format === 0 ? 0 : format === 1 ? file.u8(at + 2) : file.u16(at + 2);
      at += format === 0 ? 2 : format === 1 ? 3 : 4;
      for (let id = first; id <= first + more && ids.length < this.glyphCount; id++) ids.push(id);
    }
    return ids;
  }

  /** Reads FDSelect, which selects the Font DICT of each glyph. */
  #readFontSelection(offset: number): (glyph: number) => number {
    const file = this.#file;
    if (file.u8(offset) === 0) return (glyph) => file.u8(offset + 1 + glyph);
    const count = file.u16(offset + 1);
    const firsts = Array.from({ length: count }, (_, range) => file.u16(offset + 3 + 3 * range));
    return (glyph) => {
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((firsts[middle] ?? 0) <= glyph) low = middle;
        else high = middle - 1;
      }
      return file.u8(offset + 5 + 3 * low);
    };
  }
}

/** Rounds away floating-point noise. */
function rounded(matrix: Matrix): Matrix {
  return matrix.map((value) => Math.round(value * 1e9) / 1e9) as unknown as Matrix;
}

function matrixOf(dict: CffDict): Matrix | undefined {
  const numbers = dict.get(1207);
  return numbers?.length === 6 && numbers[0] !== 0 ? (numbers as unknown as Matrix) : undefined;
}

/**
 * Reads an INDEX (Adobe Technical Note 5176, 5).
 * @throws {DamagedFont} if it is truncated or has too many items.
 */
function readIndex(file: Bytes, at: number): Index {
  const count = file.u16(at);
  if (count === 0) {
    const item = (): Bytes => {
      throw new DamagedFont('an index is empty');
    };
    return { count, item, end: at + 2 };
  }
  if (count > MAX_GLYPHS) throw new DamagedFont('the font has too many glyphs');
  const size = file.u8(at + 2);
  const offsetOf = (index: number): number => {
    let value = 0;
    for (let byte = 0; byte < size; byte++) value = value * 256 + file.u8(at + 3 + index * size + byte);
    return value;
  };
  const base = at + 2 + (count + 1) * size;
  const item = (index: number): Bytes => {
    if (index < 0 || index >= count) throw new DamagedFont('an index is too short');
    return file.slice(base + offsetOf(index), base + offsetOf(index + 1));
  };
  return { count, item, end: base + offsetOf(count) };
}
