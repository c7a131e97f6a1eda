import { InputFault } from '../../objects/index.ts';

/** The types of fields that can be added. */
export type NewFieldType = 'text' | 'checkbox' | 'dropdown' | 'radio' | 'signature';

/** The definition of a new field. Radio buttons with the same name form one field. */
export interface FieldDefinition {
  /** The full name. Dots separate the levels of the field tree. */
  name: string;
  type: NewFieldType;
  /** The zero-based page index. It is validated against the document. */
  page: unknown;
  /** The lower left corner, in points from the lower left corner of the page as displayed. */
  x: number;
  y: number;
  width?: number | undefined;
  height?: number | undefined;
  /** The options of a dropdown. */
  options?: readonly string[] | undefined;
  /** The option of a radio button. */
  option?: string | undefined;
  defaultValue?: string | boolean | undefined;
  multiline?: boolean | undefined;
  required?: boolean | undefined;
  /** The font size in points. By default readers choose it. */
  fontSize?: number | undefined;
  tooltip?: string | undefined;
}

/** Returns the width and height in points, with defaults. */
export function sizeOf(definition: FieldDefinition): { width: number; height: number } {
  const { type, multiline } = definition;
  const standard = multiline === true ? STANDARD_SIZES.multiline : STANDARD_SIZES[type];
  return { width: definition.width ?? standard.width, height: definition.height ?? standard.height };
}

const STANDARD_SIZES: Readonly<
  Record<NewFieldType | 'multiline', { readonly width: number; readonly height: number }>
> = {
  text: { width: 200, height: 20 },
  multiline: { width: 200, height: 60 },
  dropdown: { width: 200, height: 20 },
  checkbox: { width: 14, height: 14 },
  radio: { width: 14, height: 14 },
  signature: { width: 200, height: 60 },
};

// oxlint-disable-next-line no-control-regex -- the expression matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
// oxlint-disable-next-line no-control-regex -- the expression matches control characters except tabs and line breaks
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * Validates a definition as far as possible without the PDF. `path` is its position in the request.
 * @throws {InputFault} naming the invalid property and the valid values.
 */
export function checkDefinition(definition: FieldDefinition, path: string): void {
  const refuse = (part: string, message: string): never => {
    throw new InputFault(`${path}.${part}`, message);
  };
  const { name, type, options = [], option, tooltip, multiline, fontSize } = definition;
  if (name.split('.').some((part) => part.trim() === ''))
    refuse('name', 'must consist of non-blank names separated by single dots');
  if (CONTROL.test(name) || !name.isWellFormed()) refuse('name', 'must be text without control characters');
  if (tooltip !== undefined && (CONTROL_IN_LINES.test(tooltip) || !tooltip.isWellFormed()))
    refuse('tooltip', 'must be text without control characters');
  if (type !== 'dropdown' && options.length > 0)
    refuse('options', `is only for fields of type dropdown, not ${type}`);
  if (type !== 'radio' && option !== undefined)
    refuse('option', `is only for fields of type radio, not ${type}`);
  if (type !== 'text' && multiline === true) refuse('multiline', 'is only for fields of type text');
  if (fontSize !== undefined && type !== 'text' && type !== 'dropdown')
    refuse('font_size', 'is only for fields of type text and dropdown');
  if (type === 'dropdown') checkOptions(options, refuse);
  if (type === 'radio') checkOption(option, refuse);
  checkDefault(definition, refuse);
}

type Refuse = (part: string, message: string) => never;

function checkOptions(options: readonly string[], refuse: Refuse): void {
  if (options.length === 0) refuse('options', 'must have at least one option for a dropdown');
  const seen = new Set<string>();
  for (const [index, option] of options.entries()) {
    if (CONTROL.test(option) || !option.isWellFormed())
      refuse(`options[${index}]`, 'must be text without control characters');
    if (seen.has(option)) refuse(`options[${index}]`, `${JSON.stringify(option)} occurs twice`);
    seen.add(option);
  }
}

function checkOption(option: string | undefined, refuse: Refuse): void {
  if (option === undefined || option.trim() === '')
    return refuse('option', 'must not be blank for a radio button');
  if (CONTROL.test(option) || !option.isWellFormed())
    refuse('option', 'must be text without control characters');
  // `Off` is the name of the off state.
  if (option === 'Off') refuse('option', 'must not be "Off", which is the name of the off state');
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
            : 'a single line of text unless multiline is true',
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
      refused('omitted for a signature');
  }
}
