import { colorOperator, type Color } from './default-appearance.ts';
import { n, type Frame } from './frame.ts';

type Point = readonly [x: number, y: number];

// By the characters of ZapfDingbats that forms name them with, in a square of 100.
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
/** The control points of a quarter of a circle. */
const KAPPA = 0.5523;

/** Writes the operators that paint the sign of a button that is on, in the middle of its face. */
export function paintTick(frame: Frame, sign: string, color: Color): string {
  const side = Math.max(Math.min(frame.width, frame.height) - 2 * frame.inset, 1);
  const [x, y] = [(frame.width - side) / 2, (frame.height - side) / 2];
  return `q ${colorOperator(color, 'fill')} ${drawSign(sign, { x, y, side })} f Q\n`;
}

/** Writes the outline of a sign in a square: a tick where the sign is not known. */
export function drawSign(sign: string, { x, y, side }: { x: number; y: number; side: number }): string {
  if (sign === CIRCLE) return circle(x + side / 2, y + side / 2, side / 3.6);
  const points = (OUTLINES[sign] ?? OUTLINES[4] ?? []).map(
    ([right, up]) => `${n(x + (right * side) / 100)} ${n(y + (up * side) / 100)}`,
  );
  return `${points.map((point, index) => `${point} ${index === 0 ? 'm' : 'l'}`).join(' ')} h`;
}

/** Tells whether a sign is one of those that are drawn. */
export function isKnownSign(sign: string): boolean {
  return sign === CIRCLE || Object.hasOwn(OUTLINES, sign);
}

/** Writes the path of a circle. */
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
  // A quarter, turned three times by a right angle.
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
