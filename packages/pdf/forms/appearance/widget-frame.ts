import { Dict, name, PdfStream, Ref, resolve, type PdfObject } from '../../objects/index.ts';
import type { Widget } from '../fields/field.ts';
import { colorOperator, type Color } from './default-appearance.ts';

/** The size, rotation, background and border of a widget. */
export interface WidgetFrame {
  /** The size of the upright widget in points. */
  width: number;
  height: number;
  /** The matrix that rotates upright content into the widget's rectangle. */
  matrix: readonly number[];
  /** The operators that paint background and border. */
  paint: string;
  /** The distance of content from the edge. At least 1, as in readers. */
  inset: number;
  borderWidth: number;
  borderColor: Color | undefined;
}

const GREY: Color = [0.75];
const WHITE: Color = [1];
const DARK: Color = [0.5];

/**
 * Reads the frame of a widget from its appearance characteristics and border style (ISO 32000-1 tables 189
 * and 166).
 */
export function readFrame({ dict, rect }: Widget): WidgetFrame | undefined {
  if (!rect) return undefined;
  const [across, up] = [rect[2] - rect[0], rect[3] - rect[1]];
  const characteristics = dict.dict('MK');
  const turn = (((characteristics?.number('R') ?? 0) % 360) + 360) % 360;
  const isSideways = turn === 90 || turn === 270;
  const [width, height] = isSideways ? [up, across] : [across, up];
  const color = readColor(characteristics?.array('BC'));
  const background = readColor(characteristics?.array('BG'));
  const { borderWidth, style, dash } = readBorder(dict);
  const hasBevel = style === 'B' || style === 'I';
  const inset = Math.min(Math.max(1, borderWidth) * (hasBevel ? 2 : 1), width / 4, height / 4);
  let paint = '';
  if (background) paint += `${colorOperator(background, 'fill')} 0 0 ${n(width)} ${n(height)} re f\n`;
  if (hasBevel && borderWidth > 0) paint += paintBevel(style, { width, height }, borderWidth);
  if (color && borderWidth > 0) paint += paintBorder({ style, dash, color, borderWidth }, { width, height });
  return {
    width,
    height,
    matrix: rotationMatrix(turn, across, up),
    paint,
    inset,
    borderWidth,
    borderColor: color,
  };
}

interface Size {
  width: number;
  height: number;
}

function readBorder(dict: Dict): { borderWidth: number; style: string; dash: string } {
  const border = dict.dict('BS');
  const old = dict.array('Border')?.map((item) => resolve(item));
  const width = border?.number('W') ?? (border ? 1 : old?.[2]) ?? 1;
  const dashes = numbers(border?.array('D') ?? (Array.isArray(old?.[3]) ? old[3] : undefined));
  return {
    borderWidth: typeof width === 'number' && width >= 0 && width < 100 ? width : 1,
    style: border?.name('S') ?? (Array.isArray(old?.[3]) ? 'D' : 'S'),
    dash: dashes.some((dash) => dash > 0) ? dashes.join(' ') : '3',
  };
}

function readColor(value: readonly PdfObject[] | undefined): Color | undefined {
  const color = numbers(value).map((part) => Math.min(Math.max(part, 0), 1));
  return color.length === 1 || color.length === 3 || color.length === 4 ? color : undefined;
}

function numbers(value: readonly PdfObject[] | undefined): number[] {
  return (value ?? []).flatMap((item) => {
    const number = resolve(item);
    return typeof number === 'number' && number >= 0 ? [number] : [];
  });
}

function paintBorder(
  { style, dash, color, borderWidth }: { style: string; dash: string; color: Color; borderWidth: number },
  { width, height }: Size,
): string {
  const half = borderWidth / 2;
  const line =
    style === 'U'
      ? `0 ${n(half)} m ${n(width)} ${n(half)} l S`
      : `${n(half)} ${n(half)} ${n(width - borderWidth)} ${n(height - borderWidth)} re S`;
  const dashed = style === 'D' ? `[${dash}] 0 d ` : '';
  return `q ${colorOperator(color, 'line')} ${n(borderWidth)} w ${dashed}${line} Q\n`;
}

/** Paints the light and dark edges of a beveled (B) or inset (I) border. */
function paintBevel(style: string, { width, height }: Size, by: number): string {
  const [lit, dark] = style === 'B' ? [WHITE, GREY] : [DARK, GREY];
  const [right, top] = [width - by, height - by];
  const points = (...at: number[]) => at.map(n).join(' ');
  const upper = `${points(by, by)} m ${points(by, top)} l ${points(right, top)} l ${points(right - by, top - by)} l ${points(2 * by, top - by)} l ${points(2 * by, 2 * by)} l f`;
  const lower = `${points(right, top)} m ${points(right, by)} l ${points(by, by)} l ${points(2 * by, 2 * by)} l ${points(right - by, 2 * by)} l ${points(right - by, top - by)} l f`;
  return `${colorOperator(lit, 'fill')} ${upper}\n${colorOperator(dark, 'fill')} ${lower}\n`;
}

function rotationMatrix(turn: number, width: number, height: number): readonly number[] {
  switch (turn) {
    case 90:
      return [0, 1, -1, 0, width, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, height];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** Formats a number for a content stream. */
export function n(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Makes an appearance stream with the size of a frame (ISO 32000-1 12.5.5). */
export function appearanceStream(frame: WidgetFrame, content: string, resources: Dict): Ref {
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, round(frame.width), round(frame.height)],
    Matrix: frame.matrix.map(round),
    Resources: resources,
  });
  return Ref.to(new PdfStream(dict, Buffer.from(content, 'latin1')));
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
