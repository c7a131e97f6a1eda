import { Dict, name, Name, PdfStream, Ref, resolve, type Box, type PdfObject } from '../../objects/index.ts';
import { colorOperator, type Color } from './default-appearance.ts';
import { n } from './widget-frame.ts';

/** The distance of the control points of a quarter of an ellipse. */
const KAPPA = 0.5523;
/** The maximum length of arrays of numbers other than coordinates, such as colours. */
const MAX_SHORT = 100;

/** The limits on drawing the annotations of a document. Annotations beyond them are not drawn. */
export interface DrawingBudget {
  /** Coordinates to read. */
  coordinates: number;
  /** Bytes to write. */
  bytes: number;
}

/**
 * Gives an annotation without an appearance the appearance that readers draw from its properties (ISO 32000-1
 * 12.5.6): shapes, ink and text markup. Changes its rectangle to the area of the drawing. Returns whether it
 * drew anything.
 */
export function drawAnnotation(annotation: Dict, budget: DrawingBudget): boolean {
  const drawn = budget.bytes > 0 ? drawingOf(annotation, budget) : undefined;
  if (!drawn || drawn.content === '') return false;
  const { box, content, blend } = drawn;
  const opacity = Math.min(Math.max(annotation.number('CA') ?? 1, 0), 1);
  const state = Dict.of({ Type: name('ExtGState'), CA: opacity, ca: opacity });
  if (blend) state.set('BM', name(blend));
  const isPlain = opacity === 1 && blend === undefined;
  const resources = isPlain ? new Dict() : Dict.of({ ExtGState: Dict.of({ G: state }) });
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [...box],
    Resources: resources,
    // Opacity applies to fill and stroke together.
    Group: isPlain ? undefined : Dict.of({ Type: name('Group'), S: name('Transparency') }),
  });
  const bytes = Buffer.from(`${isPlain ? '' : '/G gs\n'}${content}`, 'latin1');
  annotation.set('Rect', [...box]).set('AP', Dict.of({ N: Ref.to(new PdfStream(dict, bytes)) }));
  budget.bytes -= bytes.length;
  return true;
}

interface Drawing {
  box: Box;
  content: string;
  blend?: string;
}

type Points = readonly (readonly [x: number, y: number])[];

function drawingOf(annotation: Dict, budget: DrawingBudget): Drawing | undefined {
  const pointsAt = (key: string) => readPoints(annotation.array(key), budget);
  const rect = numbersOf(annotation.array('Rect'));
  const type = annotation.name('Subtype') ?? '';
  const line = readLine(annotation);
  const fill = readColor(annotation.array('IC'));
  switch (type) {
    case 'Square':
    case 'Circle': {
      const [a, b, c, d] = rect;
      if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
      const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
      const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(annotation.array('RD'));
      const half = line.width / 2;
      const inner: Box = [
        box[0] + left + half,
        box[1] + bottom + half,
        box[2] - right - half,
        box[3] - top - half,
      ];
      if (inner[2] <= inner[0] || inner[3] <= inner[1]) return undefined;
      return { box, content: painted(type === 'Square' ? rectangle(inner) : ellipse(inner), line, fill) };
    }
    case 'Line': {
      const points = pointsAt('L');
      return points.length === 2 && !hasEndings(annotation) ? stroked([points], line, undefined) : undefined;
    }
    case 'Polygon':
    case 'PolyLine': {
      const points = pointsAt('Vertices');
      if (points.length < 2 || (type === 'PolyLine' && hasEndings(annotation))) return undefined;
      return stroked([points], line, type === 'Polygon' ? fill : undefined, type === 'Polygon');
    }
    case 'Ink': {
      const strokes = strokesOf(annotation.array('InkList') ?? [], budget);
      return strokes && stroked(strokes, line, undefined);
    }
    case 'Highlight':
    case 'Underline':
    case 'StrikeOut':
    case 'Squiggly':
      return markup(type, pointsAt('QuadPoints'), line.color);
    default:
      return undefined;
  }
}

/** Returns the strokes of ink; `undefined` if they exceed the budget. */
function strokesOf(list: readonly PdfObject[], budget: DrawingBudget): Points[] | undefined {
  const strokes: Points[] = [];
  for (const item of list) {
    const value = resolve(item);
    const points = readPoints(Array.isArray(value) ? value : undefined, budget);
    if (budget.coordinates <= 0) return undefined;
    if (points.length > 1) strokes.push(points);
  }
  return strokes;
}

interface Line {
  color: Color | undefined;
  width: number;
  dash: string;
}

function readLine(annotation: Dict): Line {
  const style = annotation.dict('BS');
  const border = annotation.array('Border')?.map((item) => resolve(item));
  const width = style?.number('W') ?? border?.[2] ?? 1;
  const old = border?.[3];
  const dashes = numbersOf(
    style?.name('S') === 'D' ? (style.array('D') ?? [3]) : Array.isArray(old) ? old : [],
  );
  const valid = dashes.length > 0 && dashes.every((dash) => dash >= 0) && dashes.some((dash) => dash > 0);
  return {
    color: readColor(annotation.array('C')),
    width: typeof width === 'number' && width >= 0 && width < 100 ? width : 1,
    dash: valid ? `[${dashes.map(n).join(' ')}] 0 d ` : '',
  };
}

function hasEndings(annotation: Dict): boolean {
  const ending = annotation.get('LE');
  const names = Array.isArray(ending) ? ending : [ending];
  return names.some((item) => {
    const value = resolve(item);
    return value instanceof Name && value.value !== 'None';
  });
}

function readColor(value: readonly PdfObject[] | undefined): Color | undefined {
  const parts = numbersOf(value).map((part) => Math.min(Math.max(part, 0), 1));
  return [1, 3, 4].includes(parts.length) ? parts : undefined;
}

function painted(path: string, { color, width, dash }: Line, fill: Color | undefined): string {
  const isStroked = color !== undefined && width > 0;
  if (!isStroked && !fill) return '';
  const setUp = `${fill ? `${colorOperator(fill, 'fill')} ` : ''}${isStroked ? `${colorOperator(color, 'line')} ${n(width)} w ${dash}` : ''}`;
  return `${setUp}${path} ${isStroked ? (fill ? 'B' : 'S') : 'f'}\n`;
}

function stroked(
  strokes: readonly Points[],
  line: Line,
  fill: Color | undefined,
  isClosed = false,
): Drawing | undefined {
  const box = boundsOf(strokes.flat(), line.width);
  if (!box) return undefined;
  const path = strokes.map((points) => polyline(points) + (isClosed ? ' h' : '')).join(' ');
  return { box, content: painted(path, line, fill) };
}

/**
 * Draws text markup on quadrilaterals, whose points are in the order of readers: upper left, upper right,
 * lower left, lower right.
 */
function markup(type: string, points: Points, color: Color | undefined): Drawing | undefined {
  const box = boundsOf(points, 2);
  if (!box || !color) return undefined;
  let path = '';
  for (let index = 0; index + 3 < points.length; index += 4) {
    const [a, b, c, d] = points.slice(index, index + 4);
    if (!a || !b || !c || !d) continue;
    if (type === 'Highlight') path += `${polyline([a, b, d, c])} h `;
    else if (type === 'Squiggly') path += `${squiggle(c, d)} `;
    else {
      // A strike-out is in the middle, an underline just above the lower edge.
      const up = type === 'StrikeOut' ? 0.5 : 0.07;
      path += `${polyline([between(c, a, up), between(d, b, up)])} `;
    }
  }
  if (path === '') return undefined;
  return type === 'Highlight'
    ? { box, content: `${colorOperator(color, 'fill')} ${path}f\n`, blend: 'Multiply' }
    : { box, content: `${colorOperator(color, 'line')} 1 w ${path}S\n` };
}

type Point = readonly [x: number, y: number];

function between([x1, y1]: Point, [x2, y2]: Point, part: number): Point {
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
}

function squiggle(from: Point, to: Point): string {
  const steps = Math.min(Math.max(Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / 2), 1), 400);
  return polyline(
    Array.from({ length: steps + 1 }, (_, step) => {
      const [x, y] = between(from, to, step / steps);
      return [x, y + (step % 2 === 0 ? 1 : 2)] as const;
    }),
  );
}

function polyline(points: Points): string {
  return points.map(([x, y], index) => `${n(x)} ${n(y)} ${index === 0 ? 'm' : 'l'}`).join(' ');
}

function rectangle([left, bottom, right, top]: Box): string {
  return `${n(left)} ${n(bottom)} ${n(right - left)} ${n(top - bottom)} re`;
}

function ellipse([left, bottom, right, top]: Box): string {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  const [a, b] = [(right - left) / 2, (top - bottom) / 2];
  const [ka, kb] = [a * KAPPA, b * KAPPA];
  const at = (...numbers: number[]) => numbers.map(n).join(' ');
  return [
    `${at(right, y)} m`,
    `${at(right, y + kb, x + ka, top, x, top)} c`,
    `${at(x - ka, top, left, y + kb, left, y)} c`,
    `${at(left, y - kb, x - ka, bottom, x, bottom)} c`,
    `${at(x + ka, bottom, right, y - kb, right, y)} c h`,
  ].join(' ');
}

function boundsOf(points: Points, margin: number): Box | undefined {
  if (points.length === 0) return undefined;
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x - margin);
    box[1] = Math.min(box[1], y - margin);
    box[2] = Math.max(box[2], x + margin);
    box[3] = Math.max(box[3], y + margin);
  }
  return box;
}

function numbersOf(value: readonly PdfObject[] | undefined): number[] {
  return (value ?? []).slice(0, MAX_SHORT).flatMap((item) => {
    const number = resolve(item);
    return typeof number === 'number' ? [number] : [];
  });
}

/** Reads pairs of coordinates. Returns an empty list if they exceed the budget. */
function readPoints(value: readonly PdfObject[] | undefined, budget: DrawingBudget): Points {
  budget.coordinates -= (value?.length ?? 0) + 1;
  if (!value || budget.coordinates <= 0) return [];
  const points: Point[] = [];
  for (let index = 0; index + 1 < value.length; index += 2) {
    const [x, y] = [resolve(value[index]), resolve(value[index + 1])];
    if (typeof x === 'number' && typeof y === 'number') points.push([x, y]);
  }
  return points;
}
