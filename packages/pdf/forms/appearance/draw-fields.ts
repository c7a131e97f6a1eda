import { Dict, name, PdfStream } from '../../objects/index.ts';
import { readText, type Field, type Widget } from '../fields/field.ts';
import { readChoices, stateNames, type Unpack } from '../fields/options.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Edits } from '../edits/edits.ts';
import { drawStates } from './button-states.ts';
import type { ListRows } from './list-rows.ts';
import type { DisplayedValue, TextPainter } from './widget-appearance.ts';
import { readFrame } from './widget-frame.ts';

export interface FieldDrawing {
  painter: TextPainter;
  edits: Edits;
  unpack: Unpack;
  /** Fields with a new value, which are always drawn. */
  filled: ReadonlySet<Field>;
  /**
   * The other widgets to draw: none, widgets with a value but without an appearance, or all, as
   * `NeedAppearances` requires.
   */
  others: 'none' | 'missing' | 'all';
}

/**
 * Draws the appearances of fields from their values. Adds texts that the browser must draw first to the
 * painter's `toDraw`. Returns whether it drew any appearance.
 */
export function drawFields(form: Form, drawing: FieldDrawing): boolean {
  let count = 0;
  for (const field of form.fields) {
    switch (field.kind) {
      case 'text':
      case 'dropdown':
      case 'option_list':
        count += drawText(field, drawing);
        break;
      case 'checkbox':
      case 'radio':
        if (drawing.others !== 'none') count += completeButton(field, drawing);
        break;
      case 'button':
        if (drawing.others === 'all') count += drawCaptions(field, drawing);
        break;
      case 'signature':
      case 'unknown':
    }
  }
  return count > 0;
}

function drawText(field: Field, { painter, edits, unpack, filled, others }: FieldDrawing): number {
  const isFilled = filled.has(field);
  if (!isFilled && others === 'none') return 0;
  const shown = displayedValue(field, unpack);
  if (isFilled && 'rows' in shown) bringIntoView(field, shown, { painter, edits });
  const isEmpty = 'text' in shown && shown.text === '';
  let count = 0;
  for (const widget of field.widgets) {
    if (!isFilled && others === 'missing' && (isEmpty || hasAppearance(widget))) continue;
    // An empty widget without a frame needs no appearance.
    if (isEmpty && !hasAppearance(widget) && readFrame(widget)?.paint === '') continue;
    count += draw(field, widget, shown, { painter, edits });
  }
  return count;
}

function draw(
  field: Field,
  widget: Widget,
  shown: DisplayedValue,
  { painter, edits }: Pick<FieldDrawing, 'painter' | 'edits'>,
): number {
  const appearance = painter.paint(field, widget, shown);
  if (!appearance) return 0;
  edits.touch(widget).set('AP', Dict.of({ N: appearance }));
  return 1;
}

/** Draws the states of check boxes and radio buttons without appearances, and selects the current one. */
function completeButton(field: Field, { edits, others }: FieldDrawing): number {
  let count = 0;
  const names = stateNames(field);
  const [node] = field.nodes;
  const value = node?.dict.name('V') ?? 'Off';
  for (const [index, widget] of field.widgets.entries()) {
    if (hasAppearance(widget)) continue;
    // Without a state, a check box takes the value of the field, and a radio button only if the value is its
    // name.
    const isSelected = field.kind === 'checkbox' || value === names[index];
    const state = widget.dict.name('AS') ?? (isSelected ? value : 'Off');
    const onState = state === 'Off' ? (names[index] ?? 'Yes') : state;
    if (state === 'Off' && others === 'missing') continue;
    const dict = edits.touch(widget);
    dict.set('AS', name(state));
    drawStates(field, widget, onState);
    if (widget.rect) count++;
  }
  return count;
}

/** Draws the captions of push buttons without appearances. */
function drawCaptions(field: Field, { painter, edits, unpack }: FieldDrawing): number {
  let count = 0;
  for (const widget of field.widgets) {
    if (hasAppearance(widget)) continue;
    const text = readText(widget.dict.dict('MK')?.raw('CA'), unpack) ?? '';
    if (text === '' && (readFrame(widget)?.paint ?? '') === '') continue;
    count += draw(field, widget, { text }, { painter, edits });
  }
  return count;
}

function hasAppearance({ dict }: Widget): boolean {
  const normal = dict.dict('AP')?.get('N');
  return normal instanceof PdfStream || (normal instanceof Dict && normal.map.size > 0);
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
  { painter, edits }: Pick<FieldDrawing, 'painter' | 'edits'>,
): void {
  const [first] = shown.chosen;
  const [widget] = field.widgets;
  if (first === undefined || !widget) return;
  const visibleRows = painter.countWholeRows(field, widget);
  if (first >= shown.top && first < shown.top + visibleRows) return;
  shown.top = Math.max(0, Math.min(first, shown.rows.length - visibleRows));
  for (const node of field.nodes) edits.touch(node).set('TI', shown.top);
}
