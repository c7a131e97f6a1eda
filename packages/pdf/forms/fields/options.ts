import { Dict, resolve, type Direct, type PdfObject, type PdfStream } from '../../objects/index.ts';
import { decodeName, readText, type Field } from './field.ts';

/** An option of a dropdown or option list. */
export interface Choice {
  /** The export value. */
  value: string;
  /** The displayed text. */
  label: string;
  /** The original objects in the file. */
  source: { value: PdfObject; label: PdfObject };
}

/** A state of a checkbox or radio button other than off. */
export interface OnState {
  /** The export value, if the form has one; otherwise the state's name. */
  value: string;
  /** The name of the appearance state, as a Latin-1 string. */
  state: string;
}

/** Decodes a stream that contains text. */
export type Unpack = (stream: PdfStream) => Uint8Array | undefined;

/** Reads the options of a dropdown or option list (ISO 32000-1 table 231). */
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
 * Reads the distinct states of a checkbox or radio field, in widget order. If the field has `Opt`, the state
 * names are keys into it (ISO 32000-1 12.7.4.2.3).
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
 * Returns the on state of each widget as a Latin-1 string, or `undefined` if a widget has none. If no widget
 * has one, assigns names: `Yes` for a checkbox, numbers for radio buttons.
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
