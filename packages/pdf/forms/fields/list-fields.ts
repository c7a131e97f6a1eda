import {
  type Box,
  decodeStream,
  geometryOf,
  Name,
  type PageGeometry,
  type PdfDocument,
  type PdfStream,
  resolve,
} from '../../objects/index.ts';
import { type Field, type FieldKind, readText, type Widget } from './field.ts';
import { readChoices, readOnStates, type Unpack } from './options.ts';
import { type Form, readForm } from './read-fields.ts';

/** The page and rectangle of a widget, in points from the lower left corner of the page as displayed. */
export interface WidgetLocation {
  /** The zero-based page index, or `null` if no page lists the widget. */
  page: number | null;
  /** `null` if the widget has no area or no page. */
  rect: { x: number; y: number; width: number; height: number } | null;
}

/** The description of a field. */
export interface ListedField extends WidgetLocation {
  name: string;
  kind: FieldKind;
  value: string | boolean | string[] | null;
  readOnly: boolean;
  required: boolean;
  /** The options of a choice, radio or multi-state checkbox field. */
  options?: string[];
  /** The displayed labels, if they differ from the options. */
  labels?: string[];
  multiline?: boolean;
  maxLength?: number | null;
  /** All widgets, if the field has several. */
  widgets?: WidgetLocation[];
}

/** The fields of a document. */
export interface ListedForm {
  fields: ListedField[];
  xfa: boolean;
}

/** Lists the fields of a document. @throws {PdfError} if there are too many fields, or no pages. */
export function listFields(document: PdfDocument): ListedForm {
  const form = readForm(document);
  const unpack = (stream: PdfStream) => decodeStream(stream, document.budget);
  return { fields: form.fields.map((field) => describeField(field, form, unpack)), xfa: form.xfa };
}

function describeField(field: Field, form: Form, unpack: Unpack): ListedField {
  const locations = field.widgets.map((widget) => locationOf(widget, form));
  const listed: ListedField = {
    name: field.name,
    kind: field.kind,
    value: null,
    page: locations[0]?.page ?? null,
    rect: locations[0]?.rect ?? null,
    readOnly: field.has('readOnly'),
    required: field.has('required'),
  };
  if (locations.length > 1) listed.widgets = locations;
  describeValue(listed, field, unpack);
  return listed;
}

function describeValue(listed: ListedField, field: Field, unpack: Unpack): void {
  switch (field.kind) {
    case 'text':
      listed.value = readText(field.get('V'), unpack) ?? '';
      listed.multiline = field.has('multiline');
      listed.maxLength = field.maxLength ?? null;
      return;
    case 'checkbox': {
      const states = readOnStates(field, unpack);
      listed.value = chosenState(field) !== undefined;
      if (states.length > 1) listed.options = states.map(({ value }) => value);
      return;
    }
    case 'radio': {
      const states = readOnStates(field, unpack);
      const chosen = chosenState(field);
      listed.options = states.map(({ value }) => value);
      listed.value = states.find(({ state }) => state === chosen)?.value ?? chosen ?? null;
      return;
    }
    case 'dropdown':
    case 'option_list': {
      const choices = readChoices(field, unpack);
      listed.options = choices.map(({ value }) => value);
      if (choices.some(({ value, label }) => value !== label))
        listed.labels = choices.map(({ label }) => label);
      const values = chosenValues(field, unpack).filter(
        (value) => value !== '' || choices.some((choice) => choice.value === ''),
      );
      listed.value = field.has('multiSelect') && field.kind === 'option_list' ? values : (values[0] ?? null);
      return;
    }
    case 'button':
    case 'signature':
    case 'unknown':
  }
}

/** Returns the selected state of a checkbox or radio field, or `undefined` if it is off. */
export function chosenState(field: Field): string | undefined {
  const value = field.get('V');
  const own = value instanceof Name ? value.value : undefined;
  // Without a value, readers use the state of the widgets.
  const state =
    own ?? field.widgets.map(({ dict }) => dict.name('AS')).find((name) => name && name !== 'Off');
  return state === undefined || state === 'Off' || state === '' ? undefined : state;
}

function chosenValues(field: Field, unpack: Unpack): string[] {
  const value = field.get('V');
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => readText(resolve(item), unpack) ?? []);
}

function locationOf({ page, rect }: Widget, { pages }: Form): WidgetLocation {
  const shown = page === undefined ? undefined : pages[page];
  if (page === undefined || !shown) return { page: null, rect: null };
  if (!rect) return { page, rect: null };
  const [left, bottom, right, top] = toDisplayedBox(geometryOf(shown), rect);
  const rounded = (points: number) => Math.round(points * 100) / 100;
  return {
    page,
    rect: {
      x: rounded(left),
      y: rounded(bottom),
      width: rounded(right - left),
      height: rounded(top - bottom),
    },
  };
}

/** Converts a rectangle in user space to points from the lower left corner of the page as displayed. */
function toDisplayedBox({ visible, unit, rotation }: PageGeometry, box: Box): Box {
  const [left, bottom, right, top] = visible;
  const [x1, y1, x2, y2] = box;
  const turned: Record<PageGeometry['rotation'], Box> = {
    0: [x1 - left, y1 - bottom, x2 - left, y2 - bottom],
    90: [y1 - bottom, right - x2, y2 - bottom, right - x1],
    180: [right - x2, top - y2, right - x1, top - y1],
    270: [top - y2, x1 - left, top - y1, x2 - left],
  };
  const [a, b, c, d] = turned[rotation];
  return [a * unit, b * unit, c * unit, d * unit];
}
