import {
  QpdfObjects,
  readQpdfJson,
  type QpdfDictionary,
  type QpdfJson,
  type QpdfValue,
} from '../support/pdf/qpdf-objects.ts';

export interface Widget {
  /** From 1; 0 for a widget that is on no page. */
  page: number;
  /** Left, bottom, right, top in units of the page. */
  rect: Rect;
  /**
   * The same box relative to the upper left corner of the displayed page: left, top, right, bottom. Poppler
   * and pdfium ignore `UserUnit`.
   */
  shown: Rect;
  /** Whether its flags allow display on screen and its box has an area. */
  visible: boolean;
  /** The value of a button when it is on. */
  onState: string | undefined;
}

/** A box by its sides. */
export type Rect = [number, number, number, number];

/** A field as qpdf reads it. Widgets with the same full name belong to one field. */
export interface QpdfField {
  name: string;
  /** The type of the field in the API's terms. */
  type: string;
  /** A string, a checkbox state, or the chosen options of a list. */
  value: string | boolean | string[];
  flags: number;
  maxLength: number | undefined;
  /** The options of a choice: the stored value and the displayed label. */
  options: { value: string; label: string }[];
  widgets: Widget[];
}

interface FieldJson {
  annotation: { object: string; annotationflags: number };
  fieldflags: number;
  fieldtype: string;
  fullname: string;
  ischeckbox: boolean;
  ischoice: boolean;
  isradiobutton: boolean;
  istext: boolean;
  object: string;
  pageposfrom1: number;
  value: QpdfValue;
}

interface Json extends QpdfJson {
  acroform: { fields: FieldJson[] };
}

const COMBO = 1 << 17;
const HIDDEN_FLAGS = (1 << 1) | (1 << 5);

/** Reads the fields of a file with qpdf. @throws {Error} if qpdf cannot read the file. */
export async function readFieldsWithQpdf(pdf: Uint8Array): Promise<QpdfField[]> {
  return gather((await readQpdfJson(pdf, ['acroform', 'pages', 'qpdf'])) as Json);
}

function gather(json: Json): QpdfField[] {
  const objects = new QpdfObjects(json);
  const fields = new Map<string, QpdfField>();
  for (const item of json.acroform.fields) {
    const dict = objects.dictionary(item.object);
    const widget = objects.dictionary(item.annotation.object);
    const options = objects.list(inherited(objects, dict, '/Opt')).map((option) => {
      const [value = option, label = value] = objects.list(option);
      return { value: text(objects.resolve(value)), label: text(objects.resolve(label)) };
    });
    const known = fields.get(item.fullname) ?? {
      name: item.fullname,
      type: typeOf(item),
      value: valueOf(item, objects, options),
      flags: item.fieldflags,
      maxLength: numberOf(inherited(objects, dict, '/MaxLen')),
      options,
      widgets: [],
    };
    fields.set(item.fullname, known);
    const described = readWidget(objects, widget, item);
    if (described.onState !== undefined) described.onState = valueOfState(described.onState, options);
    known.widgets.push(described);
  }
  return [...fields.values()];
}

function typeOf(item: FieldJson): string {
  if (item.ischeckbox) return 'checkbox';
  if (item.isradiobutton) return 'radio';
  if (item.istext) return 'text';
  if (item.ischoice) return (item.fieldflags & COMBO) === 0 ? 'option_list' : 'dropdown';
  return { '/Btn': 'button', '/Sig': 'signature' }[item.fieldtype] ?? 'unknown';
}

function valueOf(item: FieldJson, objects: QpdfObjects, options: QpdfField['options']): QpdfField['value'] {
  const value = objects.resolve(item.value);
  if (item.ischeckbox) return typeof value === 'string' && value.startsWith('/') && value !== '/Off';
  if (Array.isArray(value)) return value.map((each) => text(objects.resolve(each)));
  const plain = text(value);
  if (!item.isradiobutton) return plain;
  return plain === 'Off' ? '' : valueOfState(plain, options);
}

/**
 * Returns the value of a radio button's state. If the button has a list of values, its states are indexes of
 * the list.
 */
function valueOfState(state: string, options: QpdfField['options']): string {
  const option = /^\d+$/.test(state) ? options[Number(state)] : undefined;
  return option?.value ?? state;
}

/** Returns the text of a string or name in the JSON of qpdf, which marks both with prefixes. */
function text(value: QpdfValue | undefined): string {
  if (typeof value !== 'string') return '';
  if (value.startsWith('/')) return value.slice(1);
  if (value.startsWith('b:')) return Buffer.from(value.slice(2), 'hex').toString('latin1');
  return value.startsWith('u:') ? value.slice(2) : value;
}

function readWidget(objects: QpdfObjects, widget: QpdfDictionary, item: FieldJson): Widget {
  const rect = rectOf(objects, widget['/Rect']) ?? [0, 0, 0, 0];
  const page = item.pageposfrom1;
  const hasArea = rect[2] - rect[0] > 0.5 && rect[3] - rect[1] > 0.5;
  const states = Object.keys(objects.dictionary(objects.dictionary(widget['/AP'])['/N']));
  return {
    page,
    rect,
    shown: shownAt(objects, objects.pages[page - 1] ?? {}, rect),
    visible: page > 0 && hasArea && (item.annotation.annotationflags & HIDDEN_FLAGS) === 0,
    onState: item.fieldtype === '/Btn' ? states.find((state) => state !== '/Off')?.slice(1) : undefined,
  };
}

function shownAt(objects: QpdfObjects, page: QpdfDictionary, rect: Rect): Rect {
  const media = rectOf(objects, inherited(objects, page, '/MediaBox')) ?? [0, 0, 612, 792];
  const crop = rectOf(objects, inherited(objects, page, '/CropBox')) ?? media;
  const [left, bottom, right, top]: Rect = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const turned = (((numberOf(inherited(objects, page, '/Rotate')) ?? 0) % 360) + 360) % 360;
  const sides: Record<number, Rect> = {
    0: [rect[0] - left, top - rect[3], rect[2] - left, top - rect[1]],
    90: [rect[1] - bottom, rect[0] - left, rect[3] - bottom, rect[2] - left],
    180: [right - rect[2], rect[1] - bottom, right - rect[0], rect[3] - bottom],
    270: [top - rect[3], right - rect[2], top - rect[1], right - rect[0]],
  };
  return sides[turned] ?? rect;
}

function rectOf(objects: QpdfObjects, value: QpdfValue | undefined): Rect | undefined {
  const [a, b, c, d] = objects.list(value).map((side) => numberOf(objects.resolve(side)));
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function inherited(objects: QpdfObjects, from: QpdfDictionary, key: string): QpdfValue | undefined {
  let dict = from;
  for (let depth = 0; depth < 50; depth++) {
    const value = objects.resolve(dict[key]);
    if (value !== undefined && value !== null) return value;
    dict = objects.dictionary(dict['/Parent']);
  }
  return undefined;
}

function numberOf(value: QpdfValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
