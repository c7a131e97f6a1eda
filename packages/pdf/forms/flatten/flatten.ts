import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  geometryOf,
  name,
  PdfStream,
  Ref,
  resolve,
  type Box,
  type Page,
  type PageGeometry,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { n } from '../appearance/widget-frame.ts';
import type { Field, Widget } from '../fields/field.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Edits } from '../fill/edits.ts';
import { dropUsageRights } from '../fill/finish-form.ts';
import { balance } from './balance.ts';

// ISO 32000-1 table 165.
const HIDDEN = 1 << 1;
const PRINT = 1 << 2;
const NO_ROTATE = 1 << 4;
const NO_VIEW = 1 << 5;

/** Turns the appearances of a form's fields into page content, and removes the fields, the widgets and the form. */
export function flattenForm(document: PdfDocument, form: Form, edits: Edits): void {
  const byPage = new Map<Page, { field: Field; widget: Widget }[]>();
  for (const field of form.fields)
    for (const widget of field.widgets) {
      const page = widget.page === undefined ? undefined : form.pages[widget.page];
      if (!page) continue;
      const known = byPage.get(page);
      if (known) known.push({ field, widget });
      else byPage.set(page, [{ field, widget }]);
    }
  const removed = new Set(form.fields.flatMap(({ widgets }) => widgets.map(({ dict }) => dict)));
  const changed = new Set<Dict>();
  for (const page of form.pages) {
    // Change a page object only once, even if it occurs twice.
    if (changed.has(page.dict)) continue;
    changed.add(page.dict);
    const visible = (byPage.get(page) ?? []).filter(isVisible);
    if (visible.length > 0) addContent(document, page, visible, edits);
    removeWidgets(page, removed, edits);
  }
  for (const { nodes, widgets } of form.fields)
    for (const { ref } of [...nodes, ...widgets]) if (ref) edits.remove(ref);
  edits.touchCatalog().delete('AcroForm');
  dropUsageRights(document, edits);
}

function isVisible({ field, widget }: { field: Field; widget: Widget }): boolean {
  const flags = widget.dict.number('F') ?? 0;
  if ((flags & (HIDDEN | NO_VIEW)) !== 0) return false;
  // A push button has no value, but a printed one may be an image.
  return field.kind !== 'button' || (flags & PRINT) !== 0;
}

function nodeOf({ ref, dict }: Page): { ref: Ref | undefined; dict: Dict } {
  return { ref, dict };
}

function removeWidgets(page: Page, removed: ReadonlySet<Dict>, edits: Edits): void {
  const annotations = page.dict.array('Annots');
  if (!annotations) return;
  const kept = annotations.filter((annotation) => {
    const dict = resolve(annotation);
    return !(dict instanceof Dict) || !removed.has(dict);
  });
  if (kept.length === annotations.length) return;
  edits.touch(nodeOf(page)).set('Annots', kept.length > 0 ? kept : undefined);
}

function addContent(
  document: PdfDocument,
  page: Page,
  visible: readonly { widget: Widget }[],
  edits: Edits,
): void {
  const own = page.dict.get('Resources') ?? resolve(page.inherited.get('Resources'));
  const resources = own instanceof Dict ? own.copy() : new Dict();
  const objects = resources.dict('XObject')?.copy() ?? new Dict();
  let operators = '';
  let number = 0;
  const { rotation } = geometryOf(page);
  for (const { widget } of visible) {
    const drawn = drawWidget(widget, rotation);
    if (!drawn) continue;
    while (objects.map.has(`Field${number}`)) number++;
    objects.set(`Field${number}`, drawn.form);
    operators += `q ${drawn.matrix.map(n6).join(' ')} cm /Field${number} Do Q\n`;
  }
  if (operators === '') return;
  const dict = edits.touch(nodeOf(page));
  dict.set('Resources', resources.set('XObject', objects));
  dict.set('Contents', appendContent(document, dict.raw('Contents'), operators));
}

function n6(value: number): string {
  return n(value * 1e3) === '0' ? '0' : String(Math.round(value * 1e6) / 1e6);
}

/** Appends operators to a page's content, in the initial graphics state. */
function appendContent(document: PdfDocument, contents: PdfObject | undefined, operators: string): PdfObject {
  const value = resolve(contents);
  const parts = value instanceof PdfStream ? [contents ?? null] : Array.isArray(value) ? value : [];
  const decoded = parts.map((part) => {
    const stream = resolve(part);
    return stream instanceof PdfStream ? decodeStream(stream, document.budget) : new Uint8Array();
  });
  const known = decoded.flatMap((part) => (part ? [part, Buffer.from('\n')] : []));
  const whole = known.length === 2 * decoded.length ? balance(Buffer.concat(known)) : undefined;
  const before = Buffer.concat(known);
  // Keep the original streams if they are balanced.
  const same = !whole || Buffer.compare(before, whole.content) === 0;
  const end = 'Q\n'.repeat((whole?.open ?? 0) + 1);
  const kept = same ? parts : [streamOf(whole.content)];
  return [streamOf(Buffer.from('q\n')), ...kept, streamOf(Buffer.from(`\n${end}${operators}`, 'latin1'))];
}

function streamOf(content: Uint8Array): Ref {
  if (content.length < 100) return Ref.to(new PdfStream(new Dict(), content));
  return Ref.to(new PdfStream(Dict.of({ Filter: name('FlateDecode') }), deflateSync(content)));
}

/**
 * Returns the appearance of a widget as a form XObject, and the matrix that maps it to the widget's rectangle (ISO
 * 32000-1 12.5.5) on a rotated page.
 */
function drawWidget(
  { dict, rect }: Widget,
  rotation: PageGeometry['rotation'],
): { form: Ref; matrix: number[] } | undefined {
  const appearance = currentAppearance(dict);
  if (!appearance || !rect) return undefined;
  const box = numbers(appearance.dict.array('BBox'), 4) ?? [0, 0, rect[2] - rect[0], rect[3] - rect[1]];
  const turn = numbers(appearance.dict.array('Matrix'), 6) ?? [1, 0, 0, 1, 0, 0];
  const bounds = boundsOf(box, turn);
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  if (!(width > 0) || !(height > 0)) return undefined;
  const across = (rect[2] - rect[0]) / width;
  const up = (rect[3] - rect[1]) / height;
  const entries = appearance.dict.copy();
  entries
    .set('Type', name('XObject'))
    .set('Subtype', name('Form'))
    .set('BBox', [...box]);
  if (dict.map.has('OC')) entries.set('OC', dict.raw('OC'));
  // A form XObject without resources would inherit the resources of the page.
  if (!entries.dict('Resources')) entries.set('Resources', new Dict());
  const [x, y] = [rect[0] - bounds[0] * across, rect[1] - bounds[1] * up];
  const keepsUpright = ((dict.number('F') ?? 0) & NO_ROTATE) !== 0 && rotation !== 0;
  return {
    form: Ref.to(new PdfStream(entries, () => appearance.raw)),
    matrix: keepsUpright ? rotateUpright([across, up, x, y], rect, rotation) : [across, 0, 0, up, x, y],
  };
}

/**
 * Keeps a widget upright on a rotated page, fixed at the upper left corner of its rectangle (ISO 32000-1 table 165,
 * NoRotate).
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

function currentAppearance(widget: Dict): PdfStream | undefined {
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
