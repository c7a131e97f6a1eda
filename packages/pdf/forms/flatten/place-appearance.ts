import {
  Dict,
  name,
  PdfStream,
  Ref,
  resolve,
  type Box,
  type PageGeometry,
  type PdfObject,
} from '../../objects/index.ts';

/** ISO 32000-1 table 165. */
const NO_ROTATE = 1 << 4;

/** An appearance as page content. */
export interface PlacedAppearance {
  form: Ref;
  /** The matrix from the form to the page. */
  matrix: number[];
}

/**
 * Returns the appearance of an annotation as a form XObject, and the matrix that maps it to the annotation's
 * rectangle (ISO 32000-1 12.5.5) on a rotated page. Returns `undefined` if it shows nothing.
 */
export function placeAppearance(
  dict: Dict,
  rotation: PageGeometry['rotation'],
  forms: SharedForms,
): PlacedAppearance | undefined {
  const appearance = currentAppearance(dict);
  const rect = readRect(dict);
  if (!appearance || !rect) return undefined;
  const box = numbers(appearance.dict.array('BBox'), 4) ?? [0, 0, rect[2] - rect[0], rect[3] - rect[1]];
  const turn = numbers(appearance.dict.array('Matrix'), 6) ?? [1, 0, 0, 1, 0, 0];
  const bounds = boundsOf(box, turn);
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  if (!(width > 0) || !(height > 0)) return undefined;
  const across = (rect[2] - rect[0]) / width;
  const up = (rect[3] - rect[1]) / height;
  const [x, y] = [rect[0] - bounds[0] * across, rect[1] - bounds[1] * up];
  const keepsUpright = ((dict.number('F') ?? 0) & NO_ROTATE) !== 0 && rotation !== 0;
  return {
    form: forms.formOf(appearance, box, dict.raw('OC')),
    matrix: keepsUpright ? rotateUpright([across, up, x, y], rect, rotation) : [across, 0, 0, up, x, y],
  };
}

/**
 * Makes form XObjects from appearances. Annotations that share an appearance and a layer share the form
 * XObject.
 */
export class SharedForms {
  readonly #made = new Map<PdfStream, Map<PdfObject | undefined, Ref>>();

  formOf(appearance: PdfStream, box: readonly number[], layers: PdfObject | undefined): Ref {
    const ofLayers = this.#made.get(appearance) ?? new Map<PdfObject | undefined, Ref>();
    this.#made.set(appearance, ofLayers);
    const made = ofLayers.get(layers);
    if (made) return made;
    const entries = appearance.dict.copy();
    entries
      .set('Type', name('XObject'))
      .set('Subtype', name('Form'))
      .set('BBox', [...box]);
    if (layers !== undefined) entries.set('OC', layers);
    // A form XObject without resources would inherit the resources of the page.
    if (!entries.dict('Resources')) entries.set('Resources', new Dict());
    const form = Ref.to(new PdfStream(entries, () => appearance.raw));
    ofLayers.set(layers, form);
    return form;
  }
}

/**
 * Keeps an annotation upright on a rotated page, fixed at the upper left corner of its rectangle (ISO 32000-1
 * table 165, NoRotate).
 */
function rotateUpright(
  [across, up, x, y]: readonly [across: number, up: number, x: number, y: number],
  [left, , , top]: Box,
  rotation: 90 | 180 | 270,
): number[] {
  const [cos, sin] = ({ 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const)[rotation];
  const [right, above] = [x - left, y - top];
  return [
    across * cos,
    across * sin,
    -up * sin,
    up * cos,
    left + right * cos - above * sin,
    top + right * sin + above * cos,
  ];
}

/** Returns the rectangle of an annotation; `undefined` if it is missing or has no area. */
export function readRect(dict: Dict): Box | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = numbers(dict.array('Rect'), 4) ?? [];
  const rect: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return rect[2] > rect[0] && rect[3] > rect[1] ? rect : undefined;
}

/** Returns the normal appearance that readers show. */
export function currentAppearance(widget: Dict): PdfStream | undefined {
  const normal = widget.dict('AP')?.get('N');
  if (normal instanceof PdfStream) return normal;
  const state = widget.name('AS');
  const appearance = normal instanceof Dict && state !== undefined ? normal.get(state) : undefined;
  return appearance instanceof PdfStream ? appearance : undefined;
}

function numbers(value: readonly PdfObject[] | undefined, count: number): number[] | undefined {
  const found = (value ?? []).map((item) => resolve(item)).filter((item) => typeof item === 'number');
  return found.length === count ? found : undefined;
}

function boundsOf(box: readonly number[], matrix: readonly number[]): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const corners = [
    [x1, y1],
    [x1, y2],
    [x2, y1],
    [x2, y2],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
