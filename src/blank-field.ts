import { RawJson } from './json/raw-json.ts';

/** The text of an empty object with some white space is not longer. */
const MAX_BLANK_BYTES = 100;

/**
 * Tells whether an optional field says nothing: it is absent, or an empty list or object, which generated
 * clients send for an absent field.
 */
export function isBlankField(value: unknown): boolean {
  if (value === undefined) return true;
  if (value instanceof RawJson)
    return value.sizeBytes <= MAX_BLANK_BYTES && value.text.replaceAll(/[ \t\r\n]/g, '') === '{}';
  if (Array.isArray(value)) return value.length === 0;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}
