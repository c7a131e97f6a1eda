import type { QpdfField } from './qpdf-fields.ts';

/** The value to fill into a field, and how to check it. */
export interface Choice {
  value: string | boolean;
  /** A different value for a file to compare with; `undefined` compares with the original file. */
  other: string | boolean | undefined;
  /** The text that must be visible in the box; `undefined` for a button or a password. */
  text: string | undefined;
}

/** Bits of the flags of fields, and of text fields (ISO 32000-1 tables 221 and 228). */
export const READ_ONLY = 1;
const PASSWORD = 1 << 13;

/**
 * Chooses a value for a field; `undefined` if the field accepts no value. The index makes text values unique.
 */
export function chooseValue(field: QpdfField, index: number): Choice | undefined {
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
