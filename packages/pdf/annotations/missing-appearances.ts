import {
  decodeText,
  Dict,
  name,
  PdfStream,
  readContent,
  Ref,
  resolve,
  type PdfObject,
} from '../objects/index.ts';

/** The types of annotations that need no appearance (ISO 19005-2 6.3.3). */
const WITHOUT_APPEARANCE = new Set(['Popup', 'Link']);
/**
 * The maximum number of characters that are drawn for one annotation. Its rectangle clips longer text anyway.
 */
const MAX_CHARACTERS = 20_000;
/** The side of an icon in user space. */
const ICON_SIDE = 18;
const MAX_COORDINATE = 1_000_000;
const DEFAULT_FONT_SIZE = 12;
/** The number of operands of the operators that set the fill colour. */
const FILLS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };

/** Tells whether an annotation must have an appearance (ISO 19005-2 6.3.3). */
export function needsAppearance(annotation: Dict): boolean {
  if (WITHOUT_APPEARANCE.has(annotation.name('Subtype') ?? '')) return false;
  const [left, bottom, right, top] = numbers(annotation.array('Rect'));
  // A rectangle that is damaged does not count as empty.
  return top === undefined || left !== right || bottom !== top;
}

/**
 * Draws the appearance of an annotation that has none, as readers do (ISO 32000-1 12.5.6). Returns
 * `undefined` if it has text that cannot be drawn in Helvetica.
 */
export function drawMissingAppearance(annotation: Dict): Ref | undefined {
  const rect = rectangleOf(annotation);
  const type = annotation.name('Subtype') ?? '';
  const isText = type === 'FreeText';
  const content = isText ? drawFreeText(annotation) : draw(type, annotation, rect);
  if (content === undefined) return undefined;
  const opacity = annotation.number('CA') ?? 1;
  const state = Dict.of({ Type: name('ExtGState'), ca: opacity, CA: opacity });
  if (type === 'Highlight') state.set('BM', name('Multiply'));
  const resources = Dict.of({ ExtGState: Dict.of({ G: state }) });
  if (isText) resources.set('Font', Dict.of({ F: Ref.to(helvetica()) }));
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: rect,
    Resources: resources,
  });
  return Ref.to(new PdfStream(dict, Buffer.from(`/G gs\n${content}`, 'latin1')));
}

type Rectangle = [left: number, bottom: number, right: number, top: number];

function rectangleOf(annotation: Dict): Rectangle {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(annotation.array('Rect'));
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function draw(type: string, annotation: Dict, rect: Rectangle): string {
  const stroke = colour(annotation.array('C'), 'G RG K') ?? '0 G';
  const width = borderWidth(annotation);
  const pen = `${stroke} ${width} w`;
  switch (type) {
    case 'Highlight': {
      const fill = colour(annotation.array('C'), 'g rg k') ?? '1 1 0 rg';
      return quads(annotation)
        .map((quad) => `${fill} ${area(quad)} f`)
        .join('\n');
    }
    case 'Underline':
    case 'Squiggly':
      return quads(annotation)
        .map((quad) => `${stroke} 1 w ${across(quad, 0.1)} S`)
        .join('\n');
    case 'StrikeOut':
      return quads(annotation)
        .map((quad) => `${stroke} 1 w ${across(quad, 0.45)} S`)
        .join('\n');
    case 'Square':
      return `${pen} ${outline(annotation, rectanglePath(inner(annotation, rect, width)), width)}`;
    case 'Circle':
      return `${pen} ${outline(annotation, ellipse(inner(annotation, rect, width)), width)}`;
    case 'Polygon':
      return `${pen} ${outline(annotation, `${path(numbers(annotation.array('Vertices')))} h`, width)}`;
    case 'PolyLine':
      return width > 0 ? `${pen} ${path(numbers(annotation.array('Vertices')))} S` : '';
    case 'Line':
      return width > 0 ? `${pen} ${path(numbers(annotation.array('L')))} S` : '';
    case 'Ink':
      return (annotation.array('InkList') ?? [])
        .map((list) => resolve(list))
        .map((list) => (Array.isArray(list) && width > 0 ? `${pen} ${path(numbers(list))} S` : ''))
        .join('\n');
    case 'Text':
    case 'FileAttachment':
      return icon(annotation, rect);
    default:
      return '';
  }
}

/** Draws a sheet of paper with lines. Readers draw icons of their own. */
function icon(annotation: Dict, [left, , , top]: Rectangle): string {
  const fill = colour(annotation.array('C'), 'g rg k') ?? '1 1 .6 rg';
  const bottom = top - ICON_SIDE;
  const lines = [5, 9, 13].map(
    (y) => `${left + 4} ${bottom + y} m ${left + ICON_SIDE - 4} ${bottom + y} l S`,
  );
  return `${fill} 0 G 1 w ${left + 1} ${bottom + 1} ${ICON_SIDE - 2} ${ICON_SIDE - 2} re B ${lines.join(' ')}`;
}

/** The lines of an annotation with text, and where readers draw them. */
export interface FreeTextLayout {
  lines: string[];
  /** The area of the text in user space: left, bottom, right, top. */
  box: Rectangle;
  /** The font size. */
  size: number;
}

/** Wraps the text of an annotation as {@link drawMissingAppearance} does, in any writing system. */
export function layOutFreeText(annotation: Dict): FreeTextLayout {
  const contents = annotation.string('Contents');
  const text = contents ? decodeText(contents).slice(0, MAX_CHARACTERS) : '';
  const { size } = readDefaultAppearance(annotation.string('DA')?.key ?? '');
  const box = inner(annotation, rectangleOf(annotation), borderWidth(annotation));
  return { lines: wrap(text, (box[2] - box[0] - 4) / size), box, size };
}

function drawFreeText(annotation: Dict): string | undefined {
  const { lines, box, size } = layOutFreeText(annotation);
  // The encodings agree for ASCII and the upper half of Latin-1.
  if (!lines.every((line) => /^[\t\n\r -~\u00a0-\u00ff]*$/.test(line))) return undefined;
  const { fill } = readDefaultAppearance(annotation.string('DA')?.key ?? '');
  const [left, bottom, right, top] = box;
  const background = colour(annotation.array('C'), 'g rg k');
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`).join('\n');
  const frame = background
    ? `${background} ${left} ${bottom} ${round(right - left)} ${round(top - bottom)} re f`
    : '';
  return `${frame} q ${left} ${bottom} ${round(right - left)} ${round(top - bottom)} re W n BT ${fill} /F ${size} Tf ${round(1.15 * size)} TL ${round(left + 2)} ${round(top - size - 1)} Td ${shown} ET Q`;
}

/** Reads the font size and the colour of a default appearance (ISO 32000-1 12.7.3.3). */
function readDefaultAppearance(appearance: string): { size: number; fill: string } {
  let [size, fill] = [DEFAULT_FONT_SIZE, '0 g'];
  for (const { operator, operands } of readContent(Buffer.from(appearance, 'latin1'))) {
    const values = operands.filter((operand) => typeof operand === 'number');
    if (operator === 'Tf') size = round(values.at(-1) ?? 0) || DEFAULT_FONT_SIZE;
    if (FILLS[operator] === values.length) fill = `${values.map(round).join(' ')} ${operator}`;
  }
  return { size, fill };
}

/** Wraps text to lines of a width in ems. */
function wrap(text: string, ems: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.replaceAll('\t', ' ').split(/\r\n|\r|\n/)) {
    let [line, used] = ['', 0];
    for (const word of paragraph.split(' ')) {
      const width = Array.from(`${word} `, characterWidth).reduce((sum, each) => sum + each, 0);
      if (line !== '' && used + width > ems) {
        lines.push(line.trimEnd());
        [line, used] = ['', 0];
      }
      line += `${word} `;
      used += width;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

function characterWidth(character: string): number {
  return /[il.,:;|! ']/.test(character) ? 0.28 : /[A-Zmw@%]/.test(character) ? 0.72 : 0.55;
}

function helvetica(): Dict {
  return Dict.of({
    Type: name('Font'),
    Subtype: name('Type1'),
    BaseFont: name('Helvetica'),
    Encoding: name('WinAnsiEncoding'),
  });
}

function outline(annotation: Dict, shape: string, width: number): string {
  const fill = colour(annotation.array('IC'), 'g rg k');
  if (fill !== undefined) return `${fill} ${shape} ${width > 0 ? 'B' : 'f'}`;
  return width > 0 ? `${shape} S` : '';
}

/** Returns the rectangle inside the differences of `RD` and half of the border. */
function inner(annotation: Dict, [left, bottom, right, top]: Rectangle, width: number): Rectangle {
  const [l = 0, b = 0, r = 0, t = 0] = numbers(annotation.array('RD'));
  const half = width / 2;
  return [round(left + l + half), round(bottom + b + half), round(right - r - half), round(top - t - half)];
}

function rectanglePath([left, bottom, right, top]: Rectangle): string {
  return `${left} ${bottom} ${round(right - left)} ${round(top - bottom)} re`;
}

/** Approximates an ellipse with four Bézier curves. */
function ellipse([left, bottom, right, top]: Rectangle): string {
  const [x, y] = [round((left + right) / 2), round((bottom + top) / 2)];
  const [k, l] = [0.276_15 * (right - left), 0.276_15 * (top - bottom)];
  return [
    `${right} ${y} m`,
    `${right} ${round(y + l)} ${round(x + k)} ${top} ${x} ${top} c`,
    `${round(x - k)} ${top} ${left} ${round(y + l)} ${left} ${y} c`,
    `${left} ${round(y - l)} ${round(x - k)} ${bottom} ${x} ${bottom} c`,
    `${round(x + k)} ${bottom} ${right} ${round(y - l)} ${right} ${y} c h`,
  ].join(' ');
}

function path(points: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at + 1 < points.length; at += 2)
    parts.push(`${points[at]} ${points[at + 1]} ${at === 0 ? 'm' : 'l'}`);
  return parts.length < 2 ? '0 0 m' : parts.join(' ');
}

/**
 * The corners of a quadrilateral in the order that writers use: the upper two from left to right, then the
 * lower two.
 */
function quads(annotation: Dict): number[][] {
  const points = numbers(annotation.array('QuadPoints'));
  return Array.from({ length: Math.floor(points.length / 8) }, (_, index) =>
    points.slice(8 * index, 8 * index + 8),
  );
}

function area([x1, y1, x2, y2, x3, y3, x4, y4]: readonly number[]): string {
  return `${x1} ${y1} m ${x2} ${y2} l ${x4} ${y4} l ${x3} ${y3} l h`;
}

/** Draws a line at a fraction of the height of a quadrilateral. */
function across(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: readonly number[],
  height: number,
): string {
  const at = (low: number, high: number) => round(low + (high - low) * height);
  return `${at(x3, x1)} ${at(y3, y1)} m ${at(x4, x2)} ${at(y4, y2)} l`;
}

function borderWidth(annotation: Dict): number {
  const border = numbers(annotation.array('Border'));
  return annotation.dict('BS')?.number('W') ?? border[2] ?? 1;
}

/**
 * Writes a colour with one of three operators: for one, three or four components. Returns `undefined` for a
 * transparent colour.
 */
function colour(components: PdfObject[] | undefined, operators: string): string | undefined {
  const values = numbers(components);
  const operator = operators.split(' ')[[1, 3, 4].indexOf(values.length)];
  return operator === undefined ? undefined : `${values.join(' ')} ${operator}`;
}

function numbers(array: readonly PdfObject[] | undefined): number[] {
  return (array ?? [])
    .map((item) => resolve(item))
    .filter((item) => typeof item === 'number')
    .map(round);
}

/** Limits a number and rounds it to thousandths, because PDF does not allow exponents. */
function round(value: number): number {
  return Number(Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, value)).toFixed(3));
}
