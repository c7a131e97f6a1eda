import { GlyphOutline } from './glyph-outline.ts';

/** Draws an outline with the relative coordinates of charstrings. */
export class Pen {
  readonly outline = new GlyphOutline();
  x = 0;
  y = 0;

  moveBy(dx: number, dy: number): void {
    this.#step(dx, dy);
    this.outline.moveTo(this.x, this.y);
  }

  lineBy(dx: number, dy: number): void {
    this.#step(dx, dy);
    this.outline.lineTo(this.x, this.y);
  }

  /**
   * Draws a curve. Takes the deltas to the first control point, from there to the second, and from there to
   * the end.
   */
  curveBy([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]): void {
    const [x1, y1] = [this.x + a, this.y + b];
    const [x2, y2] = [x1 + c, y1 + d];
    [this.x, this.y] = [x2 + e, y2 + f];
    this.outline.curveTo(x1, y1, x2, y2, this.x, this.y);
  }

  #step(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }
}
