import {
  Dict,
  encodeText,
  name,
  type Page,
  type PdfObject,
  PdfString,
  type Placement,
  Ref,
} from '../../objects/index.ts';
import { appearanceStream, n, readFrame, type WidgetFrame } from '../appearance/widget-frame.ts';
import { FLAG, type Widget } from '../fields/field.ts';
import type { FormFonts } from './default-resources.ts';
import type { FieldDefinition, NewFieldType } from './definition.ts';
import type { PlannedField } from './group-definitions.ts';
import type { Color } from '../appearance/default-appearance.ts';
import { circle, paintMark } from '../appearance/button-mark.ts';

/** The position of a new widget. */
export interface WidgetPlacement extends Placement {
  page: Page;
  /** The widget's rotation, counterclockwise in degrees. */
  rotation: number;
  /** The size of a user space unit in points. */
  unit: number;
}

/**
 * A new field and its widgets. Unless it is a radio field, the field and its only widget share a dictionary.
 */
export interface BuiltField {
  name: string;
  ref: Ref;
  dict: Dict;
  widgets: { page: Page; ref: Ref; widget: Widget }[];
  /** The text to display. */
  text: string;
}

const PRINT = 1 << 2;
const OFF = 'Off';
/** The on state that most writers use for checkboxes. */
const ON = 'Yes';

/** Builds a field. Draws buttons but not text. */
export function buildField(
  field: PlannedField,
  placements: readonly WidgetPlacement[],
  fonts: FormFonts,
): BuiltField {
  const [first] = field.parts;
  const [placement] = placements;
  if (!first || !placement) throw new Error('a field has at least one part');
  const { definition } = first;
  const dict = makeFieldDict(field, definition, { fonts, unit: placement.unit });
  const ref = Ref.to(dict);
  const { defaultValue, type } = definition;
  const isText = (type === 'text' || type === 'dropdown') && typeof defaultValue === 'string';
  const built: BuiltField = {
    name: field.name,
    ref,
    dict,
    widgets: [],
    text: isText ? withPlainLineEnds(defaultValue) : '',
  };
  const addWidget = ({ page, rect }: WidgetPlacement, widgetRef: Ref, widgetDict: Dict) => {
    const widget: Widget = { dict: widgetDict, ref: widgetRef, page: undefined, rect };
    built.widgets.push({ page, ref: widgetRef, widget });
    return widget;
  };
  if (type !== 'radio') {
    for (const [key, value] of makeWidget(placement).map) dict.set(key, value);
    setAppearance(addWidget(placement, ref, dict), type, { on: ON, isOn: defaultValue === true });
    return built;
  }
  for (const [index, part] of field.parts.entries()) {
    const partPlacement = placements[index];
    if (!partPlacement) continue;
    const { option } = part.definition;
    const widgetDict = makeWidget(partPlacement).set('Parent', ref);
    const widget = addWidget(partPlacement, Ref.to(widgetDict), widgetDict);
    setAppearance(widget, type, { on: stateOf(field, option), isOn: option === field.chosen });
  }
  const kids = built.widgets.map((widget) => widget.ref);
  dict.set('Kids', kids);
  return built;
}

const FIELD_TYPES = { text: 'Tx', checkbox: 'Btn', dropdown: 'Ch', radio: 'Btn', signature: 'Sig' } as const;

function makeFieldDict(
  field: PlannedField,
  definition: FieldDefinition,
  { fonts, unit }: { fonts: FormFonts; unit: number },
): Dict {
  const { type, defaultValue, options } = definition;
  const tooltip = field.parts.map((part) => part.definition.tooltip).find((text) => text !== undefined);
  const dict = Dict.of({
    FT: name(FIELD_TYPES[type]),
    // Set the flags even if they are 0, to override inherited flags.
    Ff: flagsOf(field, definition),
    TU: tooltip === undefined ? undefined : encodeText(tooltip),
  });
  const startWith = (value: PdfObject) => dict.set('V', value).set('DV', value);
  switch (type) {
    case 'text':
    case 'dropdown': {
      const encode = type === 'text' ? encodeText : encodeOption;
      dict.set('DA', appearanceString(fonts.text, (definition.fontSize ?? 0) / unit));
      if (type === 'dropdown') dict.set('Opt', (options ?? []).map(encodeOption));
      return typeof defaultValue === 'string' ? startWith(encode(withPlainLineEnds(defaultValue))) : dict;
    }
    case 'checkbox':
      dict.set('DA', appearanceString(fonts.marks, 0));
      return defaultValue === true ? startWith(name(ON)) : dict.set('V', name(OFF));
    case 'radio':
      dict.set('DA', appearanceString(fonts.marks, 0));
      if (!hasPlainOptions(field)) dict.set('Opt', optionsOf(field).map(encodeOption));
      return field.chosen === undefined
        ? dict.set('V', name(OFF))
        : startWith(name(stateOf(field, field.chosen)));
    case 'signature':
      return dict;
  }
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Encodes an option as ASCII or UTF-16, like most writers. Readers match option and value by their bytes. */
function encodeOption(option: string): PdfString {
  // oxlint-disable-next-line no-control-regex -- the expression matches all of ASCII
  if (/^[\u0000-\u007f]*$/.test(option)) return new PdfString(Buffer.from(option));
  return new PdfString(Buffer.from(`\ufeff${option}`, 'utf16le').swap16());
}

function flagsOf({ parts }: PlannedField, { type, multiline }: FieldDefinition): number {
  const required = parts.some(({ definition }) => definition.required === true) ? FLAG.required : 0;
  switch (type) {
    case 'text':
      return required | (multiline === true ? FLAG.multiline : 0);
    case 'dropdown':
      return required | FLAG.combo;
    case 'radio':
      return required | FLAG.radio | FLAG.noToggleToOff;
    case 'checkbox':
    case 'signature':
      return required;
  }
}

/** Builds a default appearance string. With size 0, readers choose the size (ISO 32000-1 12.7.3.3). */
function appearanceString(font: string, size: number): PdfString {
  return new PdfString(Buffer.from(`/${font} ${Math.round(size * 100) / 100} Tf 0 g`, 'latin1'));
}

function makeWidget({ page, rect, rotation }: WidgetPlacement): Dict {
  const look: Record<string, PdfObject> = { BC: [0], BG: [1] };
  if (rotation !== 0) look['R'] = rotation;
  return Dict.of({
    Type: name('Annot'),
    Subtype: name('Widget'),
    Rect: [...rect],
    P: page.ref,
    F: PRINT,
    MK: Dict.of(look),
    BS: Dict.of({ W: 1, S: name('S') }),
  });
}

/** The characters of ZapfDingbats with which readers redraw buttons. */
const MARKS = { checkbox: '4', radio: 'l' } as const;

/** Draws the appearance of a widget, or the appearances of all states of a button. */
function setAppearance(
  widget: Widget,
  type: NewFieldType,
  { on, isOn }: { on: string; isOn: boolean },
): void {
  const { dict } = widget;
  const frame = readFrame(widget);
  if (!frame) throw new Error('a widget has an area');
  if (type !== 'checkbox' && type !== 'radio') {
    dict.set('AP', Dict.of({ N: drawEmpty(frame, { marked: type !== 'signature' }) }));
    return;
  }
  const draw = (state: boolean) => drawButton(type, frame, state);
  const states = new Dict([
    [on, draw(true)],
    [OFF, draw(false)],
  ]);
  dict.set('AP', Dict.of({ N: states })).set('AS', name(isOn ? on : OFF));
  dict.dict('MK')?.set('CA', new PdfString(Buffer.from(MARKS[type])));
}

function drawButton(type: 'checkbox' | 'radio', frame: WidgetFrame, on: boolean): Ref {
  return type === 'checkbox' ? drawCheckbox(frame, { on }) : drawRadio(frame, { on });
}

/** State names that all readers accept. PDFium decodes other names as PDFDocEncoding. */
const PLAIN_STATE = /^[ -~]{1,127}$/;

function optionsOf({ parts }: PlannedField): string[] {
  return parts.map(({ definition }) => definition.option ?? '');
}

function hasPlainOptions(field: PlannedField): boolean {
  return optionsOf(field).every((option) => PLAIN_STATE.test(option));
}

/**
 * Returns the name of a button's state: the option, or its index in the list of options (ISO 32000-1
 * 12.7.4.2.3).
 */
function stateOf(field: PlannedField, option = ''): string {
  return hasPlainOptions(field) ? option : `${optionsOf(field).indexOf(option)}`;
}

const BLACK: Color = [0];

/** Draws an empty field. `marked` adds the marked-content operators that enclose text. */
function drawEmpty(frame: WidgetFrame, { marked }: { marked: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (marked ? '/Tx BMC\nEMC\n' : ''), new Dict());
}

function drawCheckbox(frame: WidgetFrame, { on }: { on: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (on ? paintMark(frame, '4', BLACK) : ''), new Dict());
}

/** Draws a radio button as a ring, as readers do for buttons with a dot. */
function drawRadio(frame: WidgetFrame, { on }: { on: boolean }): Ref {
  const { width, height, borderWidth } = frame;
  const radius = (Math.min(width, height) - borderWidth) / 2;
  const ring = `q 1 g 0 G ${n(borderWidth)} w ${circle(width / 2, height / 2, radius)} h B Q\n`;
  return appearanceStream(frame, ring + (on ? paintMark(frame, 'l', BLACK) : ''), new Dict());
}
