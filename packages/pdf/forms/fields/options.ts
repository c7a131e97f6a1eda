import { Dict, resolve, type Direct, type PdfObject, type PdfStream } from '../../objects/index.ts';
import { decodeName, readText, type Field } from './field.ts';

/** An entry of a list that can be chosen from. */
export interface Choice {
  /** What the field's value is then. */
  value: string;
  /** What is shown. */
  label: string;
  /** The objects that stand for value and label in the file. */
  source: { value: PdfObject; label: PdfObject };
}

/** A state that a check box or radio button can be in, beside off. */
export interface OnState {
  /** What it stands for: the export value where the form has one, else the state's name. */
  value: string;
  /** The name of the appearance, in Latin-1 characters. */
  state: string;
}

/** Unpacks the stream that a text may be. */
export type Unpack = (stream: PdfStream) => Uint8Array | undefined;

/** Reads what a dropdown or option list offers (ISO 32000-1 table 231). */
export function readChoices(field: Field, unpack: Unpack): Choice[] {
  return listOf(field.get('Opt')).flatMap((item) => {
    const entry = resolve(item);
    const pair = Array.isArray(entry) ? entry : [item, item];
    const value = readText(pair[0], unpack);
    const label = readText(pair[1], unpack);
    if (value === undefined) return [];
    const first = pair[0] ?? null;
    return [{ value, label: label ?? value, source: { value: first, label: pair[1] ?? first } }];
  });
}

/**
 * Reads the states of a field of check boxes or radio buttons, one for each name that a widget has, in the order of the widgets.
 * With `Opt` the names are only keys, and `Opt` has what they stand for (ISO 32000-1 12.7.4.2.3).
 */
export function readOnStates(field: Field, unpack: Unpack): OnState[] {
  const exports = listOf(field.get('Opt'));
  const states = new Map<string, OnState>();
  for (const [index, state] of stateNames(field).entries()) {
    if (state === undefined || states.has(state)) continue;
    const named = /^\d+$/.test(state) && Number(state) < exports.length ? Number(state) : index;
    states.set(state, { value: readText(exports[named], unpack) ?? decodeName(state), state });
  }
  return [...states.values()];
}

/**
 * The name of the appearance in which each widget of a field is on, in Latin-1 characters; `undefined` for one that has none. When
 * none of them has one, they get names: a checkbox `Yes`, radio buttons their numbers.
 */
export function stateNames(field: Field): (string | undefined)[] {
  const names = field.widgets.map(({ dict }) => onStateOf(dict));
  if (names.some((state) => state !== undefined)) return names;
  return names.map((_, index) => (field.kind === 'radio' ? String(index) : 'Yes'));
}

function onStateOf(widget: Dict): string | undefined {
  const appearances = widget.dict('AP');
  for (const key of ['N', 'D']) {
    const states = appearances?.get(key);
    if (!(states instanceof Dict)) continue;
    for (const state of states.map.keys()) if (state !== 'Off') return state;
  }
  return undefined;
}

function listOf(value: Direct | undefined): PdfObject[] {
  return Array.isArray(value) ? value : [];
}
