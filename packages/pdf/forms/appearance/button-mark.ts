import { colorOperator, type Color } from './default-appearance.ts';
import { n, type WidgetFrame } from './widget-frame.ts';

type Point = readonly [x: number, y: number];

// Outlines of button marks in a square of 100 units, by their ZapfDingbats characters.
const OUTLINES: Readonly<Record<string, readonly Point[]>> = {
  4: [
    [12, 48],
    [22, 58],
    [40, 34],
    [78, 90],
    [88, 82],
    [42, 12],
  ],
  8: crossOutline(),
  n: [
    [18, 18],
    [82, 18],
    [82, 82],
    [18, 82],
  ],
  u: [
    [50, 10],
    [85, 50],
    [50, 90],
    [15, 50],
  ],
  H: starOutline(),
};
const CIRCLE = 'l';
/** The distance of the Bézier control points of a quarter circle. */
const KAPPA = 0.5523;

/** Returns the operators that paint the mark of a selected button in the center of its frame. */
export function paintMark(frame: WidgetFrame, sign: string, color: Color): string {
  const side = Math.max(Math.min(frame.width, frame.height) - 2 * frame.inset, 1);
  const [x, y] = [(frame.width - side) / 2, (frame.height - side) / 2];
  return `q ${colorOperator(color, 'fill')} ${drawMark(sign, { x, y, side })} f Q\n`;
}

/** Returns the outline of a mark in a square. Unknown marks become a check mark. */
export function drawMark(sign: string, { x, y, side }: { x: number; y: number; side: number }): string {
  if (sign === CIRCLE) return circle(x + side / 2, y + side / 2, side / 3.6);
  const points = (OUTLINES[sign] ?? OUTLINES[4] ?? []).map(
    ([right, up]) => `${n(x + (right * side) / 100)} ${n(y + (up * side) / 100)}`,
  );
  return `${points.map((point, index) => `${point} ${index === 0 ? 'm' : 'l'}`).join(' ')} h`;
}

/** Tells whether a mark has its own outline. */
export function isKnownMark(sign: string): boolean {
  return sign === CIRCLE || Object.hasOwn(OUTLINES, sign);
}

/** Returns the path of a circle. */
export function circle(x: number, y: number, radius: number): string {
  const k = radius * KAPPA;
  const at = (...numbers: number[]) => numbers.map(n).join(' ');
  return [
    `${at(x + radius, y)} m`,
    `${at(x + radius, y + k, x + k, y + radius, x, y + radius)} c`,
    `${at(x - k, y + radius, x - radius, y + k, x - radius, y)} c`,
    `${at(x - radius, y - k, x - k, y - radius, x, y - radius)} c`,
    `${at(x + k, y - radius, x + radius, y - k, x + radius, y)} c`,
  ].join(' ');
}

function crossOutline(): Point[] {
  const corner: Point[] = [
    [50, 60],
    [76, 86],
    [86, 76],
  ];
  // Rotate a quarter three times by a right angle.
  return [0, 1, 2, 3].flatMap((quarters) => corner.map((point) => turned(point, -quarters)));
}

function turned([x, y]: Point, quarters: number): Point {
  const angle = (quarters * Math.PI) / 2;
  const [dx, dy] = [x - 50, y - 50];
  return [50 + dx * Math.cos(angle) - dy * Math.sin(angle), 50 + dx * Math.sin(angle) + dy * Math.cos(angle)];
}

function starOutline(): Point[] {
  return Array.from({ length: 10 }, (_, index) => {
    const angle = Math.PI / 2 + (index * Math.PI) / 5;
    const radius = index % 2 === 0 ? 44 : 17;
    return [50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)] as const;
  });
}
