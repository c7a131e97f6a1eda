/**
 * The outline of a glyph: a flat list of commands with absolute coordinates. Quadratic TrueType curves are
 * converted to equivalent cubic curves.
 */
export class GlyphOutline {
  readonly commands: number[] = [];
  #x = 0;
  #y = 0;

  moveTo(x: number, y: number): void {
    this.commands.push(MOVE, x, y);
    this.#x = x;
    this.#y = y;
  }

  lineTo(x: number, y: number): void {
    this.commands.push(LINE, x, y);
    this.#x = x;
    this.#y = y;
  }

  curveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.commands.push(CURVE, x1, y1, x2, y2, x, y);
    this.#x = x;
    this.#y = y;
  }

  quadraticTo(x1: number, y1: number, x: number, y: number): void {
    const fromX = this.#x + (2 / 3) * (x1 - this.#x);
    const fromY = this.#y + (2 / 3) * (y1 - this.#y);
    this.curveTo(fromX, fromY, x + (2 / 3) * (x1 - x), y + (2 / 3) * (y1 - y), x, y);
  }

  /** Transforms another outline and appends it. */
  add(other: GlyphOutline, matrix: Matrix): void {
    other.each((command, points) => {
      const moved: number[] = [];
      for (let index = 0; index < points.length; index += 2)
        moved.push(...apply(matrix, points[index] ?? 0, points[index + 1] ?? 0));
      this.commands.push(command, ...moved);
    });
  }

  /** Returns the transformed outline, or this outline if the matrix is the identity. */
  transformed(matrix: Matrix): GlyphOutline {
    if (matrix.every((value, index) => value === IDENTITY[index])) return this;
    const result = new GlyphOutline();
    result.add(this, matrix);
    return result;
  }

  /** Calls `visit` with each command and its coordinates. */
  each(visit: (command: number, points: readonly number[]) => void): void {
    const { commands } = this;
    for (let at = 0; at < commands.length;) {
      const command = commands[at] ?? MOVE;
      const size = command === CURVE ? 6 : 2;
      visit(command, commands.slice(at + 1, at + 1 + size));
      at += 1 + size;
    }
  }

  get empty(): boolean {
    return this.commands.length === 0;
  }
}

/** The command that begins a contour. */
export const MOVE = 0;
/** The command of a straight line. */
export const LINE = 1;
/** The command of a cubic curve. */
export const CURVE = 2;

/** The six numbers of a transformation matrix (ISO 32000-1 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the matrix that applies `first` and then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
