/**
 * The values that other plugins import from the templates plugin. The types are in `contract.ts`.
 * @module
 */

/** The longest name of a template in UTF-16 code units. */
export const MAX_NAME_CHARACTERS = 200;

export { foldCase, CategoryText, SearchText } from './search.ts';
export {
  optionsAndSampleFields,
  optionsAndSampleProperties,
  presentOptionsAndSample,
  readOptionsAndSample,
} from './options-and-sample.ts';
export { contentFields } from './content-fields.ts';
export { TemplateFormat, templateIdentity } from './template-identity.ts';
export { translationProperties } from './translations.ts';
export { MARKED_TYPES, VARIABLE_TYPES } from '@platen/templates/check-data';
