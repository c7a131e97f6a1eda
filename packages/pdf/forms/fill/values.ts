import { InputFault } from '../../objects/index.ts';
import type { Field } from '../fields/field.ts';
import { formatDate } from './date-format.ts';
import { readChoices, readOnStates, type Choice, type OnState, type Unpack } from '../fields/options.ts';
import { chosenState } from '../fields/list-fields.ts';

/** What a field is filled with, as its kind has it. */
export type FieldValue =
  | { kind: 'text'; text: string }
  /** The name of a state, in Latin-1 characters; `undefined` is off. */
  | { kind: 'state'; state: string | undefined }
  /** Indexes of what is chosen; or a text of one's own. */
  | { kind: 'choices'; choices: readonly Choice[]; chosen: number[]; own?: string };

/** A value for a field of the form. */
export interface Assignment {
  field: Field;
  value: FieldValue;
}

/** The value for a field: text, a tick, an option, or several options of an option list. */
export type SentValue = string | boolean | string[];

/** A field by its full name, and its value. */
export interface SentField {
  name: string;
  value: SentValue;
}

const MAX_NAMED = 20;
/** Longer texts are no values of forms. */
const MAX_CHARACTERS = 200_000;

/** Finds what each value is for, and checks that the field takes it. @throws {InputFault} naming the first that it does not take. */
export function readAssignments(
  fields: readonly Field[],
  sent: readonly SentField[],
  unpack: Unpack,
): Assignment[] {
  const byName = new Map<string, Field[]>();
  for (const field of fields) {
    const same = byName.get(field.name);
    if (same) same.push(field);
    else byName.set(field.name, [field]);
  }
  const seen = new Map<string, number>();
  return sent.map(({ name, value }, index) => {
    const path = `fields[${index}]`;
    const earlier = seen.get(name);
    if (earlier !== undefined)
      throw new InputFault(`${path}.name`, `${quote(name)} is filled already by fields[${earlier}]`);
    seen.set(name, index);
    const [field, ...others] = byName.get(name) ?? [];
    if (!field) throw new InputFault(`${path}.name`, unknownName(name, [...byName.keys()]));
    if (others.length > 0)
      throw new InputFault(
        `${path}.name`,
        `${quote(name)} is the name of ${others.length + 1} fields of different types or without a name, so it cannot be told which is meant`,
      );
    try {
      return { field, value: readValue(field, value, unpack) };
    } catch (error) {
      throw error instanceof Refusal ? new InputFault(`${path}.value`, error.message) : error;
    }
  });
}

class Refusal extends Error {}

function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no field ${quote(name)}: the PDF has no form fields`;
  const near = known.filter((each) => each.toLowerCase().includes(name.toLowerCase()) && name !== '');
  const names = (near.length > 0 ? near : known).slice(0, MAX_NAMED).map(quote).join(', ');
  const more = known.length > MAX_NAMED ? `, and others (${known.length} in all)` : '';
  return `there is no field ${quote(name)}; the PDF has ${names}${more}`;
}

function readValue(field: Field, value: SentValue, unpack: Unpack): FieldValue {
  if (field.kind === 'button') throw new Refusal(`${nameOf(field)} is a button, which has no value`);
  if (field.kind === 'signature')
    throw new Refusal(`${nameOf(field)} is a signature field, which only signing fills`);
  if (field.kind === 'unknown')
    throw new Refusal(`${nameOf(field)} has no type that is known, so it takes no value`);
  if (field.has('readOnly')) throw new Refusal(`${nameOf(field)} is read-only, so it takes no value`);
  switch (field.kind) {
    case 'text':
      return readTextValue(field, value, unpack);
    case 'checkbox':
      return { kind: 'state', state: readTick(field, value, readOnStates(field, unpack)) };
    case 'radio':
      return { kind: 'state', state: readButton(field, value, readOnStates(field, unpack)) };
    case 'dropdown':
    case 'option_list':
      return readChosen(field, value, readChoices(field, unpack));
  }
}

function readTextValue(field: Field, value: SentValue, unpack: Unpack): FieldValue {
  if (typeof value !== 'string') throw new Refusal(`${nameOf(field)} is a text field: it takes a string`);
  const text = formatDate(field, cleanText(field, value, field.has('multiline')), unpack);
  const { maxLength } = field;
  const length = countCharacters(text);
  if (maxLength !== undefined && maxLength > 0 && length > maxLength)
    throw new Refusal(
      `the text field ${nameOf(field)} takes at most ${maxLength} ${maxLength === 1 ? 'character' : 'characters'}, and this is ${length}`,
    );
  return { kind: 'text', text };
}

/** Counts characters as `MaxLen` does; what UTF-16 takes two units for is one. */
function countCharacters(text: string): number {
  return text.match(/./gsu)?.length ?? 0;
}

/** Line ends are one kind of character, and spaces where there is one line only. What no reader can show is refused. */
function cleanText(field: Field, value: string, severalLines: boolean): string {
  if (!value.isWellFormed())
    throw new Refusal(`the value for ${nameOf(field)} has half of a character (a lone surrogate) in it`);
  if (value.length > MAX_CHARACTERS)
    throw new Refusal(`the value for ${nameOf(field)} is longer than ${MAX_CHARACTERS} characters`);
  const text = value.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  // oxlint-disable-next-line no-control-regex -- control characters are what is meant
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw new Refusal(`the value for ${nameOf(field)} has the control character U+${code} in it`);
  }
  return severalLines ? text : text.replaceAll('\n', ' ');
}

function readTick(field: Field, value: SentValue, states: readonly OnState[]): string | undefined {
  const named = states.map(({ value: state }) => quote(state)).join(' or ');
  if (value === false || value === 'Off' || value === '') return undefined;
  const found = value === true ? states[0] : states.find((each) => each.value === value);
  if (found) return found.state;
  throw new Refusal(
    `${nameOf(field)} is a checkbox: it takes true or false${named === '' ? '' : `, or ${named}`}`,
  );
}

function readButton(field: Field, value: SentValue, states: readonly OnState[]): string | undefined {
  const found = states.find((each) => each.value === value);
  if (found) return found.state;
  const options = listed(states.map((each) => each.value));
  const isOff = value === '' || value === 'Off';
  if (isOff && !(field.has('noToggleToOff') && chosenState(field) !== undefined)) return undefined;
  throw new Refusal(
    `${nameOf(field)} is a radio group: it takes ${isOff ? 'no empty value but ' : ''}${options}`,
  );
}

function readChosen(field: Field, value: SentValue, choices: readonly Choice[]): FieldValue {
  const isList = field.kind === 'option_list';
  const several = isList && field.has('multiSelect');
  const what = `${nameOf(field)} is ${isList ? 'an option list' : 'a dropdown'}`;
  const takes = `it takes ${several ? 'a list of options, each ' : ''}${listed(choices.map((each) => each.value))}`;
  const values = typeof value === 'string' ? [value] : value;
  if (typeof values === 'boolean') throw new Refusal(`${what}: ${takes}, and no true or false`);
  if (values.length > 1 && !several) throw new Refusal(`${what} of which one option can be chosen: ${takes}`);
  const chosen = values.map((each) => indexOf(choices, each));
  const missing = chosen.indexOf(-1);
  if (missing < 0)
    return { kind: 'choices', choices, chosen: [...new Set(chosen)].toSorted((a, b) => a - b) };
  const unknown = values[missing] ?? '';
  if (unknown === '' && values.length === 1) return { kind: 'choices', choices, chosen: [] };
  if (field.kind === 'dropdown' && field.has('edit'))
    return { kind: 'choices', choices, chosen: [], own: cleanText(field, unknown, false) };
  throw new Refusal(`${what} without the option ${quote(unknown)}: ${takes}`);
}

/** What a caller calls an option: its export value, else what is shown. */
function indexOf(choices: readonly Choice[], sent: string): number {
  const byValue = choices.findIndex(({ value }) => value === sent);
  return byValue >= 0 ? byValue : choices.findIndex(({ label }) => label === sent);
}

function listed(options: readonly string[]): string {
  if (options.length === 0) return 'nothing, for it has no options';
  const more = options.length > MAX_NAMED ? `, or another of ${options.length}` : '';
  return `${options.slice(0, MAX_NAMED).map(quote).join(', ')}${more}`;
}

function nameOf(field: Field): string {
  return quote(field.name);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text);
}
