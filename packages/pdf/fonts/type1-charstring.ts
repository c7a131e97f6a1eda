import type { GlyphOutline } from './glyph-outline.ts';
import { Pen } from './pen.ts';
import { DamagedFont } from './program.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 100_000;

/** The parts of a font that a Type 1 charstring may refer to. */
interface Type1Context {
  subroutines: readonly (Uint8Array | undefined)[];
  /** The weights of a multiple master font; empty for other fonts. */
  weights: readonly number[];
  /**
   * Returns the charstring of a code in StandardEncoding, for accented letters that consist of two glyphs.
   */
  accent: (code: number) => Uint8Array | undefined;
}

/**
 * Draws a Type 1 charstring (Adobe Type 1 Font Format, 6) and ignores hints. `valid` is false if readers may
 * disagree about the result.
 * @throws {DamagedFont}
 */
export function drawType1(
  charString: Uint8Array,
  context: Type1Context,
): { width: number; outline: GlyphOutline; valid: boolean } {
  const interpreter = new Type1(context);
  interpreter.run(charString, 0);
  return {
    width: interpreter.width,
    outline: interpreter.outline,
    valid: interpreter.valid && interpreter.ended,
  };
}

/** The number of values that each blending OtherSubrs procedure of a multiple master font returns. */
const BLENDED: Readonly<Record<number, number>> = { 14: 1, 15: 2, 16: 3, 17: 4, 18: 6 };

class Type1 {
  width = 0;
  bearing = 0;
  valid = true;
  ended = false;
  readonly #pen = new Pen();
  readonly #context: Type1Context;
  #stack: number[] = [];
  /** The results of an OtherSubrs procedure. `pop` takes the last one first. */
  #results: number[] = [];
  #flex: [number, number][] | undefined;
  #begun = false;
  #steps = 0;

  constructor(context: Type1Context) {
    this.#context = context;
  }

  get outline(): GlyphOutline {
    return this.#pen.outline;
  }

  run(code: Uint8Array, depth: number): void {
    if (depth > MAX_DEPTH) throw new DamagedFont('a glyph nests subroutines too deeply');
    const at = (index: number): number => code[index] ?? 0;
    for (let index = 0; index < code.length && !this.ended;) {
      if (++this.#steps > MAX_STEPS) throw new DamagedFont('a glyph takes too many steps');
      const byte = at(index++);
      if (byte >= 32) {
        if (byte <= 246) this.#stack.push(byte - 139);
        else if (byte <= 250) this.#stack.push((byte - 247) * 256 + at(index++) + 108);
        else if (byte <= 254) this.#stack.push(-(byte - 251) * 256 - at(index++) - 108);
        else {
          this.#stack.push((at(index) << 24) | (at(index + 1) << 16) | (at(index + 2) << 8) | at(index + 3));
          index += 4;
        }
        if (this.#stack.length > 512) throw new DamagedFont('a glyph has too many operands');
      } else if (byte === 10) {
        const called = this.#context.subroutines[this.#stack.pop() ?? -1];
        if (called) this.run(called, depth + 1);
        else this.valid = false;
      } else if (byte === 11) return;
      else if (byte === 12) this.#escape(at(index++));
      else this.#operator(byte);
    }
  }

  #operator(byte: number): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = this.#stack;
    if (byte === 13 ? this.#stack.length !== 2 || this.#begun : !this.#begun) this.valid = false;
    switch (byte) {
      case 4:
        this.#move(0, a);
        break;
      case 5:
        this.#pen.lineBy(a, b);
        break;
      case 6:
        this.#pen.lineBy(a, 0);
        break;
      case 7:
        this.#pen.lineBy(0, a);
        break;
      case 8:
        this.#pen.curveBy([a, b, c, d, e, f]);
        break;
      case 13:
        this.#begin(a, 0, b);
        break;
      case 14:
        this.ended = true;
        break;
      case 21:
        this.#move(a, b);
        break;
      case 22:
        this.#move(a, 0);
        break;
      case 30:
        this.#pen.curveBy([0, a, b, c, d, 0]);
        break;
      case 31:
        this.#pen.curveBy([a, 0, b, c, 0, d]);
        break;
      case 1:
      case 3:
      case 9:
        // Hints and closepath.
        break;
      default:
        this.valid = false;
    }
    this.#stack = [];
  }

  #escape(byte: number): void {
    const stack = this.#stack;
    switch (byte) {
      case 6:
        this.#accented();
        break;
      case 7:
        this.#begin(stack[0] ?? 0, stack[1] ?? 0, stack[2] ?? 0);
        break;
      case 12: {
        const divisor = stack.pop() ?? 1;
        stack.push((stack.pop() ?? 0) / (divisor === 0 ? 1 : divisor));
        return;
      }
      case 16:
        this.#procedure();
        return;
      case 17:
        stack.push(this.#results.pop() ?? 0);
        return;
      case 33:
        this.#pen.x = stack[0] ?? 0;
        this.#pen.y = stack[1] ?? 0;
        break;
      default:
    }
    this.#stack = [];
  }

  #begin(x: number, y: number, width: number): void {
    this.#begun = true;
    this.#pen.x = x;
    this.#pen.y = y;
    this.bearing = x;
    this.width = width;
  }

  #move(dx: number, dy: number): void {
    const pen = this.#pen;
    if (!this.#flex) {
      pen.moveBy(dx, dy);
      return;
    }
    pen.x += dx;
    pen.y += dy;
    this.#flex.push([pen.x, pen.y]);
  }

  /**
   * Executes `callothersubr`: flex, hint replacement and blending (Type 1 Font Format, 8; Technical Note
   * 5015).
   */
  #procedure(): void {
    const stack = this.#stack;
    const number = stack.pop() ?? -1;
    const count = Math.max(0, Math.min(stack.pop() ?? 0, stack.length));
    const operands = stack.splice(stack.length - count);
    const blended = BLENDED[number];
    if (number === 1) this.#flex = [];
    else if (number === 0) this.#endFlex(operands);
    else if (number === 2) this.#results = [];
    else if (blended !== undefined && this.#context.weights.length > 0) this.#blend(operands, blended);
    else this.#results = operands.toReversed();
  }

  #endFlex([, x = 0, y = 0]: readonly number[]): void {
    const points = this.#flex ?? [];
    this.#flex = undefined;
    // The first point is the reference point.
    for (const at of [1, 4]) {
      const [control1, control2, end] = points.slice(at, at + 3);
      if (control1 && control2 && end) this.outline.curveTo(...control1, ...control2, ...end);
    }
    this.#results = [y, x];
  }

  #blend(operands: readonly number[], count: number): void {
    const { weights } = this.#context;
    const others = weights.length - 1;
    const values = Array.from({ length: count }, (_, index) => {
      let value = operands[index] ?? 0;
      for (let master = 0; master < others; master++)
        value += (operands[count + index * others + master] ?? 0) * (weights[master + 1] ?? 0);
      return value;
    });
    this.#results = values.toReversed();
  }

  #accented(): void {
    const [bearing = 0, dx = 0, dy = 0, base = 0, accent = 0] = this.#stack;
    this.ended = true;
    for (const [code, x, y] of [
      [base, 0, 0],
      [accent, this.bearing - bearing + dx, dy],
    ] as const) {
      const charString = this.#context.accent(code);
      if (!charString) continue;
      const part = drawType1(charString, { ...this.#context, accent: () => undefined });
      this.outline.add(part.outline, [1, 0, 0, 1, x, y]);
    }
  }
}
