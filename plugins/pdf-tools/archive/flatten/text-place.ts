import { PdfString, resolve, type Direct } from '../../../../src/pdf/pdf.ts';
import type { Box } from '../../page-geometry.ts';
import type { FontMetrics } from './font-metrics.ts';
import { concat, IDENTITY, transform, type Matrix } from './geometry.ts';
import type { GraphicsState } from './graphics-state.ts';

const SPACE = 32;

/** Where text goes (ISO 32000-1 9.4). */
export class TextPlace {
  #line: Matrix = IDENTITY;
  #matrix: Matrix = IDENTITY;
  /** Whether the advance of all text since the line began could be told. */
  #known = true;

  begin(): void {
    this.set(IDENTITY);
  }

  set(matrix: Matrix): void {
    this.#line = matrix;
    this.#matrix = matrix;
    this.#known = true;
  }

  move(across: number, up: number): void {
    this.set(concat([1, 0, 0, 1, across, up], this.#line));
  }

  /** Moves on by shown text, and gives a box around it on the page; all that is not clipped away when it cannot be told. */
  show(shown: Direct | undefined, state: GraphicsState): Box {
    const { font, fontSize, horizontalScale, rise, matrix, clip } = state;
    const parts = Array.isArray(shown) ? shown : [shown];
    let [at, least, most] = [0, 0, 0];
    for (const part of parts) {
      const value = resolve(part);
      if (typeof value === 'number') at -= (value / 1000) * fontSize * horizontalScale;
      else if (value instanceof PdfString) {
        const length = font && lengthOf(value.bytes, font, state);
        if (length === undefined) this.#known = false;
        else at += length;
      }
      [least, most] = [Math.min(least, at), Math.max(most, at)];
    }
    const overhang = (font?.overhang ?? 0) * Math.abs(fontSize * horizontalScale);
    const ends = [(font?.lowest ?? 0) * fontSize + rise, (font?.highest ?? 0) * fontSize + rise];
    const box: Box = [least - overhang, Math.min(...ends), most + overhang, Math.max(...ends)];
    const region = this.#known ? transform(concat(this.#matrix, matrix), box) : clip;
    this.#matrix = concat([1, 0, 0, 1, at, 0], this.#matrix);
    return region;
  }
}

function lengthOf(bytes: Uint8Array, font: FontMetrics, state: GraphicsState): number | undefined {
  if (!font.advance) return undefined;
  const { fontSize, characterSpace, wordSpace, horizontalScale } = state;
  let length = 0;
  for (let at = 0; at < bytes.length; at += font.codeBytes) {
    const code = font.codeBytes === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    const space = font.codeBytes === 1 && code === SPACE ? wordSpace : 0;
    length += (font.advance(code) * fontSize + characterSpace + space) * horizontalScale;
  }
  return length;
}
