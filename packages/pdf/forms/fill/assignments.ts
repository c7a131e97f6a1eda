import { InputFault } from '../../objects/index.ts';
import type { Field } from '../fields/field.ts';
import { formatDate } from './date-format.ts';
import { readChoices, readOnStates, type Choice, type OnState, type Unpack } from '../fields/options.ts';
import { chosenState } from '../fields/list-fields.ts';

/** A validated value, in a form that depends on the type of the field. */
type FieldValue =
  | { kind: 'text'; text: string }
  /** The name of a state as a Latin-1 string, or `undefined` for off. */
  | { kind: 'state'; state: string | undefined }
  /** Indexes of the selected options, or custom text. */
  | { kind: 'choices'; choices: readonly Choice[]; chosen: number[]; customText?: string };

/** A field and its new value. */
export interface Assignment {
  field: Field;
  value: FieldValue;
}

/** A value from a caller: text, a checkbox state, an option, or several options of an option list. */
export type FieldInputValue = string | boolean | string[];

/** The full name of a field, and its value. */
export interface FieldInput {
  name: string;
  value: FieldInputValue;
}

/** The maximum number of fields or options that a message names. */
const MAX_NAMED = 20;
/** The maximum length of a value. */
const MAX_CHARACTERS = 200_000;

/**
 * Finds the field of each value, and validates the value.
 * @throws {InputFault} naming the first invalid value.
 */
export function readAssignments(
  fields: readonly Field[],
  sent: readonly FieldInput[],
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
      throw new InputFault(`${path}.name`, `${quote(name)} is already set by fields[${earlier}]`);
    seen.set(name, index);
    const [field, ...others] = byName.get(name) ?? [];
    if (!field) throw new InputFault(`${path}.name`, unknownName(name, [...byName.keys()]));
    if (others.length > 0)
      throw new InputFault(
        `${path}.name`,
        `${quote(name)} is ambiguous: ${others.length + 1} fields with different types or without a name match`,
      );
    try {
      return { field, value: readValue(field, value, unpack) };
    } catch (error) {
      throw error instanceof InvalidValue ? new InputFault(`${path}.value`, error.message) : error;
    }
  });
}

class InvalidValue extends Error {}

function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no field ${quote(name)}: the PDF has no form fields`;
  const near = known.filter((each) => each.toLowerCase().includes(name.toLowerCase()) && name !== '');
  const names = (near.length > 0 ? near : known).slice(0, MAX_NAMED).map(quote).join(', ');
  const more = known.length > MAX_NAMED ? ` and others (${known.length} in total)` : '';
  return `there is no field ${quote(name)}; the fields of the PDF include ${names}${more}`;
}

function readValue(field: Field, value: FieldInputValue, unpack: Unpack): FieldValue {
  if (field.kind === 'button')
    throw new InvalidValue(`${nameOf(field)} is a push button, which has no value`);
  if (field.kind === 'signature')
    throw new InvalidValue(`${nameOf(field)} is a signature field, which cannot be filled`);
  if (field.kind === 'unknown') throw new InvalidValue(`${nameOf(field)} has an unknown field type`);
  if (field.has('readOnly')) throw new InvalidValue(`${nameOf(field)} is read-only`);
  switch (field.kind) {
    case 'text':
      return readTextValue(field, value, unpack);
    case 'checkbox':
      return { kind: 'state', state: readCheckboxState(field, value, readOnStates(field, unpack)) };
    case 'radio':
      return { kind: 'state', state: readRadioState(field, value, readOnStates(field, unpack)) };
    case 'dropdown':
    case 'option_list':
      return readChoiceValue(field, value, readChoices(field, unpack));
  }
}

function readTextValue(field: Field, value: FieldInputValue, unpack: Unpack): FieldValue {
  if (typeof value !== 'string')
    throw new InvalidValue(`${nameOf(field)} is a text field: the value must be a string`);
  const text = formatDate(field, cleanText(field, value, field.has('multiline')), unpack);
  const { maxLength } = field;
  const length = countCharacters(text);
  if (maxLength !== undefined && maxLength > 0 && length > maxLength)
    throw new InvalidValue(
      `the text field ${nameOf(field)} accepts at most ${maxLength} ${maxLength === 1 ? 'character' : 'characters'}; the value has ${length}`,
    );
  return { kind: 'text', text };
}

/** Counts code points, as `MaxLen` does. */
function countCharacters(text: string): number {
  return text.match(/./gsu)?.length ?? 0;
}

/**
 * Normalizes line breaks, and replaces them with spaces in single-line fields. Rejects control characters.
 */
function cleanText(field: Field, value: string, severalLines: boolean): string {
  if (!value.isWellFormed())
    throw new InvalidValue(`the value for ${nameOf(field)} contains an unpaired surrogate`);
  if (value.length > MAX_CHARACTERS)
    throw new InvalidValue(`the value for ${nameOf(field)} is longer than ${MAX_CHARACTERS} characters`);
  const text = value.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw new InvalidValue(`the value for ${nameOf(field)} contains the control character U+${code}`);
  }
  return severalLines ? text : text.replaceAll('\n', ' ');
}

function readCheckboxState(
  field: Field,
  value: FieldInputValue,
  states: readonly OnState[],
): string | undefined {
  if (value === false || value === 'Off' || value === '') return undefined;
  const found = value === true ? states[0] : states.find((each) => each.value === value);
  if (found) return found.state;
  const accepted = ['true', 'false', ...states.map((each) => quote(each.value))];
  throw new InvalidValue(
    `${nameOf(field)} is a checkbox: the value must be ${accepted.slice(0, -1).join(', ')} or ${accepted.at(-1)}`,
  );
}

function readRadioState(
  field: Field,
  value: FieldInputValue,
  states: readonly OnState[],
): string | undefined {
  const found = states.find((each) => each.value === value);
  if (found) return found.state;
  const options = listed(states.map((each) => each.value));
  const isOff = value === '' || value === 'Off';
  if (isOff && !(field.has('noToggleToOff') && chosenState(field) !== undefined)) return undefined;
  throw new InvalidValue(
    `${nameOf(field)} is a radio group: the value must be ${options}${isOff ? ' and cannot be cleared' : ''}`,
  );
}

function readChoiceValue(field: Field, value: FieldInputValue, choices: readonly Choice[]): FieldValue {
  const isList = field.kind === 'option_list';
  const several = isList && field.has('multiSelect');
  const what = `${nameOf(field)} is ${isList ? 'an option list' : 'a dropdown'}`;
  const expected = `the value must be ${several ? 'a list of options, each ' : ''}${listed(choices.map((each) => each.value))}`;
  const values = typeof value === 'string' ? [value] : value;
  if (typeof values === 'boolean') throw new InvalidValue(`${what}: ${expected}`);
  if (values.length > 1 && !several) throw new InvalidValue(`${what} that accepts one option: ${expected}`);
  const chosen = values.map((each) => indexOf(choices, each));
  const missing = chosen.indexOf(-1);
  if (missing < 0)
    return { kind: 'choices', choices, chosen: [...new Set(chosen)].toSorted((a, b) => a - b) };
  const unknown = values[missing] ?? '';
  if (unknown === '' && values.length === 1) return { kind: 'choices', choices, chosen: [] };
  if (field.kind === 'dropdown' && field.has('edit'))
    return { kind: 'choices', choices, chosen: [], customText: cleanText(field, unknown, false) };
  throw new InvalidValue(`${what} without the option ${quote(unknown)}: ${expected}`);
}

/** Finds an option by its export value, or else by its label. */
function indexOf(choices: readonly Choice[], sent: string): number {
  const byValue = choices.findIndex(({ value }) => value === sent);
  return byValue >= 0 ? byValue : choices.findIndex(({ label }) => label === sent);
}

function listed(options: readonly string[]): string {
  if (options.length === 0) return 'empty, because the field has no options';
  const more = options.length > MAX_NAMED ? ` or another of ${options.length} options` : '';
  return `one of ${options.slice(0, MAX_NAMED).map(quote).join(', ')}${more}`;
}

function nameOf(field: Field): string {
  return quote(field.name);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text);
}
