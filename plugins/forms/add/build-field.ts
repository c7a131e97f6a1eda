import {
  Dict,
  encodeText,
  name,
  PdfString,
  Ref,
  type Page,
  type PdfObject,
  type Placement,
} from '../../../src/pdf/pdf.ts';
import { FLAG } from '../fields/field.ts';
import { appearanceOf, drawBox, drawCheckbox, drawRadio, type Size } from './appearance.ts';
import type { FormFonts } from './default-resources.ts';
import type { FieldDefinition } from './definition.ts';
import type { PlannedField } from './group.ts';

/** Where a widget is to be. */
export interface Spot extends Placement {
  page: Page;
  /** As it is read, in units of the page. */
  size: Size;
  /** Degrees against the clock, by which it is turned on the page. */
  turn: number;
  /** Points in a unit of the page. */
  unit: number;
}

/** A field that was built: its node, and the widgets on their pages. A field with one widget is one object with it. */
export interface BuiltField {
  ref: Ref;
  dict: Dict;
  widgets: { page: Page; ref: Ref }[];
}

const PRINT = 1 << 2;
const OFF = 'Off';
/** What a checkbox is in when it is ticked, as most readers call it. */
const ON = 'Yes';

/** Builds a field without its value, which is filled in afterwards; a button is in the state that its default says. */
export function buildField(field: PlannedField, spots: readonly Spot[], fonts: FormFonts): BuiltField {
  const [first] = field.parts;
  const [spot] = spots;
  if (!first || !spot) throw new Error('a field has at least one part');
  const { definition } = first;
  const dict = describe(field, definition, fonts, spot.unit);
  const ref = Ref.to(dict);
  if (definition.type !== 'radio') {
    for (const [key, value] of widgetOf(definition, spot).map) dict.set(key, value);
    return { ref, dict, widgets: [{ page: spot.page, ref }] };
  }
  const widgets = field.parts.flatMap((part, index) => {
    const own = spots[index];
    if (!own) return [];
    const state = stateOf(field, part.definition.option);
    const isOn = part.definition.option === field.chosen;
    const widget = Ref.to(radioWidget(own, state, isOn).set('Parent', ref));
    return [{ page: own.page, ref: widget }];
  });
  dict.set(
    'Kids',
    widgets.map((widget) => widget.ref),
  );
  return { ref, dict, widgets };
}

const FIELD_TYPES = { text: 'Tx', checkbox: 'Btn', dropdown: 'Ch', radio: 'Btn', signature: 'Sig' } as const;

function describe(field: PlannedField, definition: FieldDefinition, fonts: FormFonts, unit: number): Dict {
  const { type, defaultValue, options } = definition;
  const tooltip = field.parts.map((part) => part.definition.tooltip).find((text) => text !== undefined);
  const dict = Dict.of({
    FT: name(FIELD_TYPES[type]),
    // Also when there are none: a node above may have some.
    Ff: flagsOf(field, definition),
    TU: tooltip === undefined ? undefined : encodeText(tooltip),
  });
  switch (type) {
    case 'text':
    case 'dropdown':
      dict.set('DA', appearanceString(fonts.text, (definition.fontSize ?? 0) / unit));
      if (type === 'dropdown') dict.set('Opt', (options ?? []).map(encodeText));
      if (typeof defaultValue === 'string') dict.set('DV', encodeText(defaultValue));
      return dict;
    case 'checkbox':
      dict.set('DA', appearanceString(fonts.marks, 0));
      if (defaultValue === true) dict.set('V', name(ON)).set('DV', name(ON));
      else dict.set('V', name(OFF));
      return dict;
    case 'radio': {
      dict.set('DA', appearanceString(fonts.marks, 0));
      if (field.chosen === undefined) dict.set('V', name(OFF));
      else {
        const state = name(stateOf(field, field.chosen));
        dict.set('V', state).set('DV', state);
      }
      if (!hasPlainOptions(field)) dict.set('Opt', optionsOf(field).map(encodeText));
      return dict;
    }
    case 'signature':
      return dict;
  }
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

/** A size of 0 lets readers choose (ISO 32000-1 12.7.3.3). */
function appearanceString(font: string, size: number): PdfString {
  return new PdfString(Buffer.from(`/${font} ${Math.round(size * 100) / 100} Tf 0 g`, 'latin1'));
}

function widgetOf(definition: FieldDefinition, spot: Spot): Dict {
  const { size } = spot;
  if (definition.type === 'checkbox') {
    const ticked = definition.defaultValue === true;
    return toggle(spot, {
      caption: '4',
      on: ON,
      isOn: ticked,
      draw: (own) => drawCheckbox(size, { ticked: own }),
    });
  }
  const content = drawBox(size, { marked: definition.type !== 'signature' });
  return bareWidget(spot).set('AP', Dict.of({ N: appearanceOf(content, size, spot) }));
}

function radioWidget(spot: Spot, on: string, isOn: boolean): Dict {
  const draw = (own: boolean) => drawRadio(spot.size, { chosen: own });
  return toggle(spot, { caption: 'l', on, isOn, draw });
}

/** A widget with an appearance for on and one for off. The caption is what readers draw when they draw it anew. */
function toggle(
  spot: Spot,
  button: { caption: string; on: string; isOn: boolean; draw: (on: boolean) => string },
): Dict {
  const { caption, on, isOn, draw } = button;
  const [ticked, empty] = [true, false].map((state) => appearanceOf(draw(state), spot.size, spot));
  const states = new Dict([
    [on, ticked ?? null],
    [OFF, empty ?? null],
  ]);
  const widget = bareWidget(spot).set('AP', Dict.of({ N: states }));
  widget.dict('MK')?.set('CA', new PdfString(Buffer.from(caption)));
  return widget.set('AS', name(isOn ? on : OFF));
}

function bareWidget({ page, rect, turn }: Spot): Dict {
  const look: Record<string, PdfObject> = { BC: [0], BG: [1] };
  if (turn !== 0) look['R'] = turn;
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

/** What names of states readers take as they are: pdfium mistakes others for PDFDocEncoding. */
const PLAIN_STATE = /^[ -~]{1,127}$/;

function optionsOf({ parts }: PlannedField): string[] {
  return parts.map(({ definition }) => definition.option ?? '');
}

function hasPlainOptions(field: PlannedField): boolean {
  return optionsOf(field).every((option) => PLAIN_STATE.test(option));
}

/** The name of a button's state: its option, or the option's place in the list of them (ISO 32000-1 12.7.4.2.3). */
function stateOf(field: PlannedField, option = ''): string {
  return hasPlainOptions(field) ? option : `${optionsOf(field).indexOf(option)}`;
}
