import type { GlyphOutline } from './glyph-outline.ts';

/** Says that a font program cannot be read. */
export class DamagedFont extends Error {
  override name = 'DamagedFont';
}

/** A font program, whatever its format. Glyphs are told by their index. */
export interface Program {
  readonly kind: 'truetype' | 'cff' | 'type1';
  readonly glyphCount: number;
  /** Whether all of it is there. One that was cut off may still be drawn from, but not be kept. */
  readonly whole: boolean;
  /** Units per em that its coordinates are whole numbers of, or nearly. */
  readonly unitsPerEm: number;
  /** The advance in thousandths of an em. */
  width(glyph: number): number;
  /** The outline in thousandths of an em. @throws {DamagedFont} when it cannot be drawn. */
  outline(glyph: number): GlyphOutline;
  /** The glyph of a name; `undefined` when there is none. */
  glyphOfName(name: string): number | undefined;
  /** Whether what draws a glyph is as its format wants it, so that all readers get the same width. @throws {DamagedFont} */
  isClean(glyph: number): boolean;
  /** Tells whether a glyph has an outline, without drawing it. */
  inked(glyph: number): boolean;
}

/** Reads a table of big-endian numbers; whatever lies outside makes the font a damaged one. */
export class Bytes {
  readonly data: Buffer;

  constructor(data: Uint8Array) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.length);
  }

  get length(): number {
    return this.data.length;
  }

  u8(at: number): number {
    const value = this.data[at];
    if (value === undefined) throw new DamagedFont('a table ends early');
    return value;
  }

  u16(at: number): number {
    return (this.u8(at) << 8) | this.u8(at + 1);
  }

  i16(at: number): number {
    return (this.u16(at) << 16) >> 16;
  }

  u32(at: number): number {
    return this.u16(at) * 65_536 + this.u16(at + 2);
  }

  slice(from: number, to: number): Bytes {
    if (from < 0 || to < from || from > this.data.length)
      throw new DamagedFont('a table lies outside the font');
    return new Bytes(this.data.subarray(from, to));
  }
}
