/**
 * The values that other plugins import from the templates plugin. The types are in `contract.ts`.
 * @module
 */

/** The categories of templates, of the marketplace and of starters. */
export const CATEGORIES = [
  'invoice',
  'receipt',
  'report',
  'certificate',
  'letter',
  'resume',
  'other',
] as const;

/** The types of template variables. `date` is an ISO 8601 string or epoch milliseconds. */
export const VARIABLE_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'date',
  'any',
] as const;

/** The largest template in UTF-16 code units. */
export const MAX_HTML_CHARACTERS = 2_000_000;

/** The longest name of a template in UTF-16 code units. */
export const MAX_NAME_CHARACTERS = 200;

export { foldCase, SearchText } from './search.ts';
export { presentOptionsAndSample, optionsAndSampleProperties } from './options-and-sample.ts';
