import { InputFault } from '../../objects/index.ts';

/** The kinds of fields that can be added. */
export type AddedKind = 'text' | 'checkbox' | 'dropdown' | 'radio' | 'signature';

/** A field that is to be added, as the caller described it. Several radio buttons with one name are one field. */
export interface FieldDefinition {
  /** The full name: dots part the names of a tree. */
  name: string;
  type: AddedKind;
  /** From 0; whether it is a page's is checked where the PDF is open. */
  page: unknown;
  /** Points from the lower left corner of the page as it is shown. */
  x: number;
  y: number;
  width?: number | undefined;
  height?: number | undefined;
  /** What a dropdown offers. */
  options?: readonly string[] | undefined;
  /** What a radio button stands for. */
  option?: string | undefined;
  defaultValue?: string | boolean | undefined;
  multiline?: boolean | undefined;
  required?: boolean | undefined;
  /** Points; the readers choose where it is absent. */
  fontSize?: number | undefined;
  tooltip?: string | undefined;
}

/** Width and height in points of what says nothing of them. */
export function sizeOf(definition: FieldDefinition): { width: number; height: number } {
  const { type, multiline } = definition;
  const standard = multiline === true ? STANDARD_SIZES.multiline : STANDARD_SIZES[type];
  return { width: definition.width ?? standard.width, height: definition.height ?? standard.height };
}

const STANDARD_SIZES: Readonly<
  Record<AddedKind | 'multiline', { readonly width: number; readonly height: number }>
> = {
  text: { width: 200, height: 20 },
  multiline: { width: 200, height: 60 },
  dropdown: { width: 200, height: 20 },
  checkbox: { width: 14, height: 14 },
  radio: { width: 14, height: 14 },
  signature: { width: 200, height: 60 },
};

// oxlint-disable-next-line no-control-regex -- control characters are what is meant
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
// oxlint-disable-next-line no-control-regex -- all but tabs and ends of lines
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * Checks what can be checked of a definition without the PDF; `path` is where it stands in the request.
 * @throws {InputFault} naming the part that is wrong, and what it takes.
 */
export function checkDefinition(definition: FieldDefinition, path: string): void {
  const refuse = (part: string, message: string): never => {
    throw new InputFault(`${path}.${part}`, message);
  };
  const { name, type, options = [], option, tooltip, multiline, fontSize } = definition;
  if (name.split('.').some((part) => part.trim() === ''))
    refuse('name', 'must be a name, or names joined by single dots');
  if (CONTROL.test(name) || !name.isWellFormed()) refuse('name', 'must be text without control characters');
  if (tooltip !== undefined && (CONTROL_IN_LINES.test(tooltip) || !tooltip.isWellFormed()))
    refuse('tooltip', 'must be text without control characters');
  if (type !== 'dropdown' && options.length > 0)
    refuse('options', `are a dropdown's; a field of type ${type} has none`);
  if (type !== 'radio' && option !== undefined)
    refuse('option', `is what a radio button stands for; a field of type ${type} has none`);
  if (type !== 'text' && multiline === true) refuse('multiline', 'is for fields of type text');
  if (fontSize !== undefined && type !== 'text' && type !== 'dropdown')
    refuse('font_size', 'is for fields of type text and dropdown');
  if (type === 'dropdown') checkOptions(options, refuse);
  if (type === 'radio') checkOption(option, refuse);
  checkDefault(definition, refuse);
}

type Refuse = (part: string, message: string) => never;

function checkOptions(options: readonly string[], refuse: Refuse): void {
  if (options.length === 0) refuse('options', 'must be a list of at least one option for a dropdown');
  const seen = new Set<string>();
  for (const [index, option] of options.entries()) {
    if (CONTROL.test(option) || !option.isWellFormed())
      refuse(`options[${index}]`, 'must be text without control characters');
    if (seen.has(option)) refuse(`options[${index}]`, `${JSON.stringify(option)} is given twice`);
    seen.add(option);
  }
}

function checkOption(option: string | undefined, refuse: Refuse): void {
  if (option === undefined || option.trim() === '')
    return refuse('option', 'must be what the radio button stands for');
  if (CONTROL.test(option) || !option.isWellFormed())
    refuse('option', 'must be text without control characters');
  // A button that is off is in the state of this name.
  if (option === 'Off') refuse('option', 'must not be "Off", which means that nothing is chosen');
}

function checkDefault(
  { type, options = [], multiline, defaultValue }: FieldDefinition,
  refuse: Refuse,
): void {
  if (defaultValue === undefined) return;
  const refused = (expected: string) => refuse('defaultValue', `must be ${expected}`);
  switch (type) {
    case 'text':
      if (typeof defaultValue !== 'string') return refused('a string for a field of type text');
      if (
        (multiline === true ? CONTROL_IN_LINES : CONTROL).test(defaultValue) ||
        !defaultValue.isWellFormed()
      )
        refused(
          multiline === true
            ? 'text without control characters'
            : 'text of one line, unless multiline is true',
        );
      return;
    case 'dropdown':
      if (typeof defaultValue !== 'string' || !options.includes(defaultValue)) refused('one of the options');
      return;
    case 'checkbox':
      if (typeof defaultValue !== 'boolean') refused('true or false for a checkbox');
      return;
    case 'radio':
      return;
    case 'signature':
      refused('absent for a signature');
  }
}
