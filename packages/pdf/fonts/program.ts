import type { GlyphOutline } from './glyph-outline.ts';

/** Thrown when a font program, or a part of it, cannot be read. */
export class DamagedFont extends Error {
  override name = 'DamagedFont';
}

/** A font program of any format. Its methods take the index of a glyph. */
export interface Program {
  readonly kind: 'truetype' | 'cff' | 'type1';
  readonly glyphCount: number;
  /**
   * Whether the program is complete. Glyphs of a truncated program may be drawn, but the program must not be
   * embedded.
   */
  readonly complete: boolean;
  /** The number of glyph space units per em. Most coordinates of outlines are whole units. */
  readonly unitsPerEm: number;
  /** Returns the advance width in thousandths of an em. @throws {DamagedFont} if it cannot be read. */
  width(glyph: number): number;
  /** Returns the outline in thousandths of an em. @throws {DamagedFont} if the glyph cannot be drawn. */
  outline(glyph: number): GlyphOutline;
  /** Returns the index of the glyph with a name; `undefined` if no glyph has the name. */
  glyphOfName(name: string): number | undefined;
  /**
   * Tells whether the data of a glyph is valid, so that all readers agree on its width.
   * @throws {DamagedFont} if it cannot be read.
   */
  isValid(glyph: number): boolean;
  /** Tells whether a glyph probably has an outline, without drawing it. */
  hasOutline(glyph: number): boolean;
}
