import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, Ref, type Placement } from '../../../src/pdf/pdf.ts';

/** How large a widget is as it is read, in units of the page. */
export interface Size {
  width: number;
  height: number;
}

/** Black, one unit wide, on white: as the `MK` and `BS` of the widget say it. */
const BORDER = 1;

/** Draws an empty field, whose text would stand between the marks. */
export function drawBox(size: Size, { marked }: { marked: boolean }): string {
  const { width, height } = size;
  const half = BORDER / 2;
  const background = `1 g 0 0 ${width} ${height} re f`;
  const border = `0 G ${BORDER} w ${half} ${half} ${width - BORDER} ${height - BORDER} re S`;
  return `q ${background} ${border} Q${marked ? ' /Tx BMC EMC' : ''}`;
}

/** Draws a checkbox. The tick needs no font. */
export function drawCheckbox(size: Size, { ticked }: { ticked: boolean }): string {
  const box = drawBox(size, { marked: false });
  if (!ticked) return box;
  const { side, left, bottom } = square(size);
  const at = (x: number, y: number) => `${rounded(left + x * side)} ${rounded(bottom + y * side)}`;
  return `${box} q 0 G ${rounded(side * 0.12)} w 1 J 1 j ${at(0.22, 0.5)} m ${at(0.42, 0.27)} l ${at(0.79, 0.75)} l S Q`;
}

/** Draws a radio button. */
export function drawRadio(size: Size, { chosen }: { chosen: boolean }): string {
  const { side, left, bottom } = square(size);
  const middle = { x: left + side / 2, y: bottom + side / 2 };
  const ring = `1 g 0 G ${BORDER} w ${circle(middle, (side - BORDER) / 2)} B`;
  return `q ${ring}${chosen ? ` 0 g ${circle(middle, side * 0.24)} f` : ''} Q`;
}

/** The largest square in the middle. */
function square({ width, height }: Size): { side: number; left: number; bottom: number } {
  const side = Math.min(width, height);
  return { side, left: (width - side) / 2, bottom: (height - side) / 2 };
}

/** How far the handles of a quarter of a circle are from its ends, in radii. */
const HANDLE = 0.5523;

function circle({ x, y }: { x: number; y: number }, radius: number): string {
  const at = (across: number, up: number) => `${rounded(x + across * radius)} ${rounded(y + up * radius)}`;
  const quarter = (from: [number, number], to: [number, number]) => {
    const handle = (end: [number, number], other: [number, number]) =>
      at(end[0] + HANDLE * other[0], end[1] + HANDLE * other[1]);
    return `${handle(from, to)} ${handle(to, from)} ${at(...to)} c`;
  };
  const [right, top, left, bottom]: [number, number][] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  if (!right || !top || !left || !bottom) return '';
  const quarters = [quarter(right, top), quarter(top, left), quarter(left, bottom), quarter(bottom, right)];
  return `${at(...right)} m ${quarters.join(' ')}`;
}

/** Makes the appearance of a widget of what is drawn upright, for a page that may be turned. */
export function appearanceOf(content: string, { width, height }: Size, { matrix }: Placement): Ref {
  const [a = 1, b = 0, c = 0, d = 1] = matrix;
  // The corner that is lowest and leftmost after the turn is the origin.
  const across = Math.min(0, a * width, c * height, a * width + c * height);
  const up = Math.min(0, b * width, d * height, b * width + d * height);
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [0, 0, width, height],
    Matrix: [a, b, c, d, 0 - across, 0 - up],
    Resources: new Dict(),
    Filter: name('FlateDecode'),
  });
  return Ref.to(new PdfStream(dict, deflateSync(Buffer.from(content, 'latin1'))));
}

function rounded(length: number): number {
  return Math.round(length * 1000) / 1000;
}
