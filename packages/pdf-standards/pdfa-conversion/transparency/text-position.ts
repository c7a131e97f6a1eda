import { PdfString, resolve, type Dict, type PdfObject, type Box } from '@platen/pdf/objects';
import type { FontMetrics } from './font-metrics.ts';
import { concat, IDENTITY, readMatrix, transform, type Matrix } from './geometry.ts';
import type { GraphicsState } from './graphics-state.ts';
import { number } from './operands.ts';

const SPACE = 32;

/** Tracks the position of text in content (ISO 32000-1 9.4). */
export class TextPosition {
  #line: Matrix = IDENTITY;
  #matrix: Matrix = IDENTITY;
  /** Whether the advance of all text since the start of the line is known. */
  #known = true;

  /** Whether a text object is open. */
  isOpen = false;
  readonly #measure: (font: Dict) => FontMetrics;

  constructor(measure: (font: Dict) => FontMetrics) {
    this.#measure = measure;
  }

  setFont(font: Dict | undefined, size: number, state: GraphicsState): void {
    state.font = font && this.#measure(font);
    state.fontSize = size;
  }

  /**
   * Executes a text operator; ignores others. Returns the bounding box on the page of the text that the
   * operator shows.
   */
  execute(operator: string, operands: PdfObject[], state: GraphicsState): Box | undefined {
    switch (operator) {
      case 'BT':
        this.isOpen = true;
        return this.#set(IDENTITY);
      case 'ET':
        this.isOpen = false;
        return undefined;
      case 'Tc':
        state.characterSpace = number(operands, 0);
        return undefined;
      case 'Tw':
        state.wordSpace = number(operands, 0);
        return undefined;
      case 'Tz':
        state.horizontalScale = number(operands, 0) / 100;
        return undefined;
      case 'TL':
        state.leading = number(operands, 0);
        return undefined;
      case 'Ts':
        state.rise = number(operands, 0);
        return undefined;
      case 'Tr':
        state.renderMode = number(operands, 0);
        return undefined;
      case 'Td':
        return this.#move(number(operands, 0), number(operands, 1));
      case 'TD':
        state.leading = -number(operands, 1);
        return this.#move(number(operands, 0), number(operands, 1));
      case 'Tm':
        return this.#set(readMatrix(operands));
      case 'T*':
        return this.#move(0, -state.leading);
      case 'Tj':
      case 'TJ':
        return this.#show(operands[0], state);
      case '"':
        state.wordSpace = number(operands, 0);
        state.characterSpace = number(operands, 1);
        this.#move(0, -state.leading);
        return this.#show(operands[2], state);
      case "'":
        this.#move(0, -state.leading);
        return this.#show(operands[0], state);
      default:
        return undefined;
    }
  }

  #set(matrix: Matrix): undefined {
    this.#line = matrix;
    this.#matrix = matrix;
    this.#known = true;
  }

  #move(across: number, up: number): undefined {
    this.#set(concat([1, 0, 0, 1, across, up], this.#line));
  }

  /**
   * Advances past shown text. Returns its bounding box on the page, or the clipping box if the position is
   * unknown.
   */
  #show(operand: PdfObject | undefined, state: GraphicsState): Box {
    const { font, fontSize, horizontalScale, rise, matrix, clip } = state;
    const shown = resolve(operand);
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
