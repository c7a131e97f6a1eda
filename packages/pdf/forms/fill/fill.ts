import { decodeStream, Dict, type PdfDocument, type PdfStream } from '../../objects/index.ts';
import type { BrowserText } from '../appearance/browser-text.ts';
import type { ListRows } from '../appearance/list-rows.ts';
import { TextPainter, type DisplayedValue } from '../appearance/widget-appearance.ts';
import { readText, type Field } from '../fields/field.ts';
import { readChoices, type Unpack } from '../fields/options.ts';
import { readForm } from '../fields/read-fields.ts';
import { flattenForm } from '../flatten/flatten.ts';
import { Edits } from './edits.ts';
import { requirePermission } from './permission.ts';
import { setValue } from './set-value.ts';
import { finishForm } from './finish-form.ts';
import { readAssignments, type FieldInput } from './assignments.ts';

/** A request to fill a form. */
export interface FillFormRequest {
  fields: readonly FieldInput[];
  flatten: boolean;
  /** The PDFs drawn for the texts that an earlier call returned in `toDraw`. */
  drawn?: readonly Uint8Array[] | undefined;
}

/** The new PDF, or the texts that a browser must draw before the call is repeated. */
export type FormResult = { pdf: Uint8Array } | { toDraw: BrowserText[] };

/**
 * Fills a form, all fields or none.
 * @throws {InputFault} if a field does not accept its value, or a signature would become invalid.
 */
export function fillForm(
  document: PdfDocument,
  { fields: sent, flatten, drawn }: FillFormRequest,
): FormResult {
  const form = readForm(document);
  const unpack: Unpack = (stream: PdfStream) => decodeStream(stream, document.budget);
  const assignments = readAssignments(form.fields, sent, unpack);
  const { signed } = requirePermission(document, form, { assignments, flatten });
  const edits = new Edits(document);
  for (const assignment of assignments) setValue(assignment, edits, unpack);

  const painter = new TextPainter(form.dict, drawn);
  const filledFields = new Set(assignments.map(({ field }) => field));
  const redrawAll = !signed && form.dict?.get('NeedAppearances') === true;
  for (const field of form.fields) {
    if (field.kind !== 'text' && field.kind !== 'dropdown' && field.kind !== 'option_list') continue;
    const isFilled = filledFields.has(field);
    if (!isFilled && !redrawAll && !flatten) continue;
    const shown = displayedValue(field, unpack);
    if (isFilled && 'rows' in shown) bringIntoView(field, shown, { painter, edits });
    for (const widget of field.widgets) {
      if (!isFilled && !redrawAll && widget.dict.dict('AP')?.map.has('N')) continue;
      // An empty field that was not filled keeps its appearance.
      if (!isFilled && 'text' in shown && shown.text === '') continue;
      const appearance = painter.paint(field, widget, shown);
      if (appearance) edits.touch(widget).set('AP', Dict.of({ N: appearance }));
    }
  }
  if (painter.toDraw.length > 0 && !drawn) return { toDraw: painter.toDraw };
  if (!signed) finishForm(document, form, [...filledFields], edits);
  if (flatten) flattenForm(document, form, edits);
  return { pdf: edits.write({ signed, rewrite: flatten }) };
}

/** Returns the current value of a field as displayed. */
function displayedValue(field: Field, unpack: Unpack): DisplayedValue {
  const [node] = field.nodes;
  const value = node?.dict.get('V') ?? field.get('V');
  if (field.kind === 'text') return { text: readText(value, unpack)?.replaceAll(/\r\n?/g, '\n') ?? '' };
  const choices = readChoices(field, unpack);
  const values = (Array.isArray(value) ? value : [value]).flatMap((item) => readText(item, unpack) ?? []);
  if (field.kind === 'dropdown') {
    const [text = ''] = values;
    return { text: choices.find((choice) => choice.value === text)?.label ?? text };
  }
  const chosen = choices.flatMap((choice, index) => (values.includes(choice.value) ? [index] : []));
  const top = node?.dict.number('TI') ?? 0;
  const rows: ListRows = { rows: choices.map(({ label }) => label), chosen, top: 0 };
  return { ...rows, top: Number.isInteger(top) && top > 0 && top < choices.length ? top : 0 };
}

/** Scrolls a list to the first selected row, as readers do. */
function bringIntoView(
  field: Field,
  shown: ListRows,
  { painter, edits }: { painter: TextPainter; edits: Edits },
): void {
  const [first] = shown.chosen;
  const [widget] = field.widgets;
  if (first === undefined || !widget) return;
  const seen = painter.countWholeRows(field, widget);
  if (first >= shown.top && first < shown.top + seen) return;
  shown.top = Math.max(0, Math.min(first, shown.rows.length - seen));
  for (const node of field.nodes) edits.touch(node).set('TI', shown.top);
}
