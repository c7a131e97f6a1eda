/** A point: x from the left, y from the bottom. */
type Point = readonly [x: number, y: number];

/** The size of the word TEST in units. */
export const WORD = { width: 288, height: 100 };

/** The width of the lines in units: of the grey line, and of the white one behind it. */
export const LINES = { grey: 2, white: 4 };

/** How dark the grey line is, from 0 for black to 1 for white. It shows on white and on black. */
export const GREY = 0.5;

const LETTER_STEP = 76;

const T: readonly Point[] = [
  [0, 100],
  [60, 100],
  [60, 80],
  [40, 80],
  [40, 0],
  [20, 0],
  [20, 80],
  [0, 80],
];
const E: readonly Point[] = [
  [0, 0],
  [60, 0],
  [60, 20],
  [20, 20],
  [20, 40],
  [50, 40],
  [50, 60],
  [20, 60],
  [20, 80],
  [60, 80],
  [60, 100],
  [0, 100],
];
const S: readonly Point[] = [
  [0, 0],
  [60, 0],
  [60, 60],
  [20, 60],
  [20, 80],
  [60, 80],
  [60, 100],
  [0, 100],
  [0, 40],
  [40, 40],
  [40, 20],
  [0, 20],
];

/**
 * The outlines of the letters of the word TEST, as polygons whose sides are horizontal or vertical. Outlines
 * need no font, and leave the content behind them readable.
 */
export const OUTLINES: readonly (readonly Point[])[] = [T, E, S, T].map((letter, index) =>
  letter.map(([x, y]): Point => [x + index * LETTER_STEP, y]),
);
