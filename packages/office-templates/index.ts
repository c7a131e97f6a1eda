/**
 * Fills docx, xlsx and pptx files whose text has tags of Handlebars. Works on the XML in the files, so that
 * everything else in them stays as it is. Files and data are untrusted: load this module in a process that
 * can run out of time or memory without harm to others.
 * @module
 */
export {
  checkOfficeTemplate,
  fillOfficeTemplate,
  type Filled,
  type FillInput,
  type OfficeResult,
} from './office-templates.ts';
export type { MissingVariable } from './fill-part.ts';
export type { OfficeFormat } from './opc.ts';
