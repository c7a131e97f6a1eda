import { decodeStream, Dict, type PdfDocument, type PdfStream } from '../../objects/index.ts';
import type { DrawnText } from '../appearance/drawn-text.ts';
import type { ListRows } from '../appearance/list-rows.ts';
import { TextPainter, type Shown } from '../appearance/widget-appearance.ts';
import { readText, type Field } from '../fields/field.ts';
import { readChoices, type Unpack } from '../fields/options.ts';
import { readForm } from '../fields/read-fields.ts';
import { flattenForm } from '../flatten/flatten.ts';
import { Edits } from './edits.ts';
import { requirePermission } from './permission.ts';
import { setValue } from './set-value.ts';
import { finishForm } from './finish-form.ts';
import { readAssignments, type SentField } from './values.ts';

/** What is done with a form. */
export interface FillOrder {
  fields: readonly SentField[];
  flatten: boolean;
  /** What the browser drew of what an earlier call wanted. */
  drawn?: readonly Uint8Array[] | undefined;
}

/** A filled form; or what the browser is to draw first. */
export type Filled = { pdf: Uint8Array } | { wanted: DrawnText[] };

/**
 * Fills a form. Nothing is changed when one value is refused.
 * @throws {InputFault} naming the field for a value that it does not take, and for a signature that would not hold.
 */
export function fillForm(document: PdfDocument, { fields: sent, flatten, drawn }: FillOrder): Filled {
  const form = readForm(document);
  const unpack: Unpack = (stream: PdfStream) => decodeStream(stream, document.budget);
  const assignments = readAssignments(form.fields, sent, unpack);
  const { signed } = requirePermission(document, form, { assignments, flatten });
  const edits = new Edits(document);
  for (const assignment of assignments) setValue(assignment, edits, unpack);

  const painter = new TextPainter(form.dict, drawn);
  const filled = new Set(assignments.map(({ field }) => field));
  const stale = !signed && form.dict?.get('NeedAppearances') === true;
  for (const field of form.fields) {
    if (field.kind !== 'text' && field.kind !== 'dropdown' && field.kind !== 'option_list') continue;
    const isFilled = filled.has(field);
    if (!isFilled && !stale && !flatten) continue;
    const shown = shownOf(field, unpack);
    if (isFilled && 'rows' in shown) bringIntoView(field, shown, { painter, edits });
    for (const widget of field.widgets) {
      if (!isFilled && !stale && widget.dict.dict('AP')?.map.has('N')) continue;
      // What was not filled keeps its look where nothing is to be seen.
      if (!isFilled && 'text' in shown && shown.text === '') continue;
      const appearance = painter.paint(field, widget, shown);
      if (appearance) edits.touch(widget).set('AP', Dict.of({ N: appearance }));
    }
  }
  if (painter.wanted.length > 0 && !drawn) return { wanted: painter.wanted };
  if (!signed) finishForm(document, form, [...filled], edits);
  if (flatten) flattenForm(document, form, edits);
  return { pdf: edits.write({ signed, anew: flatten }) };
}

/** The value that a field has by now, as it is shown. */
function shownOf(field: Field, unpack: Unpack): Shown {
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

/** Moves a list so that the first chosen row is seen, as readers do when a row is chosen. */
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
