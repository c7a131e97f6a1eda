import type { GlyphOutline } from './glyph-outline.ts';

/** Thrown when a font program cannot be read. */
export class DamagedFont extends Error {
  override name = 'DamagedFont';
}

/** A font program of any format. Glyphs are identified by index. */
export interface Program {
  readonly kind: 'truetype' | 'cff' | 'type1';
  readonly glyphCount: number;
  /** Whether the program is complete. Glyphs of a truncated program may be drawn, but the program must not be embedded. */
  readonly complete: boolean;
  /** The number of units per em. Coordinates are whole units, or nearly. */
  readonly unitsPerEm: number;
  /** Returns the advance width in thousandths of an em. */
  width(glyph: number): number;
  /** Returns the outline in thousandths of an em. @throws {DamagedFont} if it cannot be drawn. */
  outline(glyph: number): GlyphOutline;
  /** Returns the glyph with a name; `undefined` if there is none. */
  glyphOfName(name: string): number | undefined;
  /** Tells whether the data of a glyph is valid, so that all readers agree on its width. @throws {DamagedFont} */
  isValid(glyph: number): boolean;
  /** Tells whether a glyph has an outline, without drawing it. */
  hasOutline(glyph: number): boolean;
}

/** Reads big-endian numbers. Access outside the data throws {@link DamagedFont}. */
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
