import type { QpdfField } from './qpdf-fields.ts';

/** What a field is to be filled with, and what it is compared with. */
export interface Wish {
  value: string | boolean;
  /** Another value, in which the field looks otherwise; `undefined` for what is compared with the file as it was. */
  other: string | boolean | undefined;
  /** What is to be read in the box; `undefined` for what is no text. */
  text: string | undefined;
}

/** Bits of the flags of fields, and of text fields (ISO 32000-1 tables 221 and 228). */
export const READ_ONLY = 1;
const PASSWORD = 1 << 13;

/** Chooses a value of a field's kind; `undefined` for fields that have none. The index tells values of texts apart. */
export function wishFor(field: QpdfField, index: number): Wish | undefined {
  const { type, flags, maxLength = Number.POSITIVE_INFINITY, options, widgets } = field;
  switch (type) {
    case 'text': {
      const value = `V${index.toString(36)}z`.slice(0, maxLength);
      return { value, other: undefined, text: (flags & PASSWORD) === 0 ? value : undefined };
    }
    case 'dropdown':
    case 'option_list': {
      const option = options.findLast(({ value, label }) => value !== '' && label.trim() !== '');
      return option && { value: option.value, other: undefined, text: option.label };
    }
    case 'checkbox':
      return { value: true, other: false, text: undefined };
    case 'radio': {
      const states = [...new Set(widgets.flatMap(({ onState }) => onState ?? []))];
      const value = states.at(-1);
      return value === undefined ? undefined : { value, other: states.at(-2), text: undefined };
    }
    default:
      return undefined;
  }
}
