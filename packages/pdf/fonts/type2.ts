import type { GlyphOutline } from './glyph-outline.ts';
import { Pen } from './pen.ts';
import type { Bytes } from './bytes.ts';
import { DamagedFont } from './program.ts';
import { compute } from './type2-arithmetic.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 200_000;
const MAX_STACK = 513;

interface Charstrings {
  count: number;
  item(index: number): Bytes;
}

/** The subroutines that a charstring may call. */
export interface Subroutines {
  globals: Charstrings;
  locals: Charstrings | undefined;
}

/** Returns the charstring of a code in StandardEncoding, for accented letters that consist of two glyphs. */
type Accents = (code: number) => Bytes | undefined;

/**
 * Draws a Type 2 charstring (Adobe Technical Note 5177) and ignores hints. `width` is the difference from the
 * nominal width, or `undefined` for the default width. `valid` is false if readers may disagree about the
 * result.
 * @throws {DamagedFont}
 */
export function drawType2(
  charstring: Bytes,
  subroutines: Subroutines,
  accents: Accents,
): { width: number | undefined; outline: GlyphOutline; valid: boolean } {
  const interpreter = new Type2(subroutines, accents);
  interpreter.run(charstring, 0);
  return {
    width: interpreter.width,
    outline: interpreter.outline,
    valid: interpreter.valid && interpreter.ended,
  };
}

/** The line and curve operators, which must follow a move. */
const DRAWING = new Set([5, 6, 7, 8, 24, 25, 26, 27, 30, 31]);

class Type2 {
  width: number | undefined;
  valid = true;
  ended = false;
  readonly #pen = new Pen();
  readonly #subroutines: Subroutines;
  readonly #accents: Accents;
  #stack: number[] = [];
  #hints = 0;
  #widthRead = false;
  #steps = 0;
  readonly #variables: number[] = [];

  constructor(subroutines: Subroutines, accents: Accents) {
    this.#subroutines = subroutines;
    this.#accents = accents;
  }

  get outline(): GlyphOutline {
    return this.#pen.outline;
  }

  run(code: Bytes, depth: number): void {
    if (depth > MAX_DEPTH) throw new DamagedFont('a glyph nests subroutines too deeply');
    for (let at = 0; at < code.length && !this.ended;) {
      if (++this.#steps > MAX_STEPS) throw new DamagedFont('a glyph takes too many steps');
      const byte = code.u8(at++);
      if (byte >= 32 || byte === 28) {
        if (this.#stack.length >= MAX_STACK) throw new DamagedFont('a glyph has too many operands');
        if (byte === 28) {
          this.#stack.push(code.i16(at));
          at += 2;
        } else if (byte <= 246) this.#stack.push(byte - 139);
        else if (byte <= 250) this.#stack.push((byte - 247) * 256 + code.u8(at++) + 108);
        else if (byte <= 254) this.#stack.push(-(byte - 251) * 256 - code.u8(at++) - 108);
        else {
          this.#stack.push((code.u32(at) | 0) / 65_536);
          at += 4;
        }
      } else if (byte === 12) this.#escape(code.u8(at++));
      else if (byte === 10 || byte === 29) this.#call(byte === 10, depth);
      else if (byte === 11) return;
      else if (byte === 19 || byte === 20) {
        this.#stems();
        at += (this.#hints + 7) >> 3;
      } else this.#operator(byte, depth);
    }
  }

  #call(local: boolean, depth: number): void {
    const list = local ? this.#subroutines.locals : this.#subroutines.globals;
    const count = list?.count ?? 0;
    const bias = count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768;
    if (this.#stack.length === 0) this.valid = false;
    const index = (this.#stack.pop() ?? 0) + bias;
    if (!list) throw new DamagedFont('a glyph calls a missing subroutine');
    this.run(list.item(index), depth + 1);
  }

  /**
   * Takes the width from the bottom of the stack if the first operator has an extra operand.
   * @param operands the number of operands of the operator; `undefined` for hint operators, which take any
   * number of pairs
   */
  #takeWidth(hasExtra: boolean, operands?: number): void {
    if (operands !== undefined && this.#stack.length !== operands + (hasExtra && !this.#widthRead ? 1 : 0))
      this.valid = false;
    if (!this.#widthRead && hasExtra) this.width = this.#stack.shift();
    this.#widthRead = true;
  }

  #stems(): void {
    this.#takeWidth(this.#stack.length % 2 === 1);
    this.#hints += this.#stack.length >> 1;
    this.#stack = [];
  }

  #operator(byte: number, depth: number): void {
    if (DRAWING.has(byte) && this.outline.empty) this.valid = false;
    switch (byte) {
      case 1:
      case 3:
      case 18:
      case 23:
        this.#stems();
        return;
      case 4:
        this.#takeWidth(this.#stack.length > 1, 1);
        this.#pen.moveBy(0, this.#stack[0] ?? 0);
        break;
      case 21:
        this.#takeWidth(this.#stack.length > 2, 2);
        this.#pen.moveBy(this.#stack[0] ?? 0, this.#stack[1] ?? 0);
        break;
      case 22:
        this.#takeWidth(this.#stack.length > 1, 1);
        this.#pen.moveBy(this.#stack[0] ?? 0, 0);
        break;
      case 14:
        this.#end(depth);
        break;
      case 5:
        this.#lines(this.#stack);
        break;
      case 6:
      case 7:
        for (const [index, length] of this.#stack.entries())
          if ((index % 2 === 0) === (byte === 6)) this.#pen.lineBy(length, 0);
          else this.#pen.lineBy(0, length);
        break;
      case 8:
        this.#curves(this.#stack);
        break;
      case 24: {
        const split = this.#stack.length - 2;
        this.#curves(this.#stack.slice(0, split));
        this.#lines(this.#stack.slice(split));
        break;
      }
      case 25: {
        const split = this.#stack.length - 6;
        this.#lines(this.#stack.slice(0, Math.max(split, 0)));
        this.#curves(this.#stack.slice(Math.max(split, 0)));
        break;
      }
      case 26:
      case 27:
        this.#flatEnds(byte === 26);
        break;
      case 30:
      case 31:
        this.#alternating(byte === 31);
        break;
      default:
        this.valid = false;
    }
    this.#stack = [];
  }

  #lines(deltas: readonly number[]): void {
    for (let at = 0; at + 1 < deltas.length; at += 2) this.#pen.lineBy(deltas[at] ?? 0, deltas[at + 1] ?? 0);
  }

  #curves(deltas: readonly number[]): void {
    for (let at = 0; at + 5 < deltas.length; at += 6) this.#pen.curveBy(deltas.slice(at, at + 6));
  }

  /** Executes `vvcurveto` and `hhcurveto`: curves that begin and end in the same direction. */
  #flatEnds(vertical: boolean): void {
    const stack = this.#stack;
    let aside = stack.length % 4 === 1 ? (stack.shift() ?? 0) : 0;
    for (let at = 0; at + 3 < stack.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = stack.slice(at, at + 4);
      this.#pen.curveBy(vertical ? [aside, a, b, c, 0, d] : [a, aside, b, c, d, 0]);
      aside = 0;
    }
  }

  /** Executes `vhcurveto` and `hvcurveto`: curves whose start and end directions alternate. */
  #alternating(horizontal: boolean): void {
    const stack = this.#stack;
    let across = horizontal;
    for (let at = 0; at + 3 < stack.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = stack.slice(at, at + 4);
      const last = stack.length - at === 5 ? (stack[at + 4] ?? 0) : 0;
      this.#pen.curveBy(across ? [a, 0, b, c, last, d] : [0, a, b, c, d, last]);
      across = !across;
    }
  }

  #end(depth: number): void {
    const accented = this.#stack.length >= 4;
    this.#takeWidth(this.#stack.length === 1 || this.#stack.length === 5, accented ? 4 : 0);
    this.ended = true;
    if (!accented) return;
    const [dx = 0, dy = 0, base = 0, accent = 0] = this.#stack;
    for (const [code, x, y] of [
      [base, 0, 0],
      [accent, dx, dy],
    ] as const) {
      const charstring = this.#accents(code);
      if (!charstring || depth > MAX_DEPTH) continue;
      const part = drawType2(charstring, this.#subroutines, () => undefined);
      this.outline.add(part.outline, [1, 0, 0, 1, x, y]);
    }
  }

  #escape(byte: number): void {
    const stack = this.#stack;
    switch (byte) {
      case 35:
        this.#curves(stack.slice(0, 12));
        break;
      case 34: {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = stack;
        this.#curves([a, 0, b, c, d, 0, e, 0, f, -c, g, 0]);
        break;
      }
      case 36: {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = stack;
        this.#curves([a, b, c, d, e, 0, f, 0, g, h, i, -(b + d + h)]);
        break;
      }
      case 37: {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, last = 0] = stack;
        const dx = a + c + e + g + i;
        const dy = b + d + f + h + j;
        const end = Math.abs(dx) > Math.abs(dy) ? [last, -dy] : [-dx, last];
        this.#curves([a, b, c, d, e, f, g, h, i, j, ...end]);
        break;
      }
      default:
        if (compute(byte, stack, this.#variables)) return;
        this.valid = false;
    }
    this.#stack = [];
  }
}
