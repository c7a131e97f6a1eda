import { RawObject, Type } from '../../../src/plugin.ts';

const MAX_HTML_CHARACTERS = 30_000_000;
const MAX_SOURCE_CHARACTERS = 12_000_000;

/** The fields of a request that hold the source of its document. A request has exactly one of `html`, `template` and `react`. */
export const sourceFields = {
  html: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_HTML_CHARACTERS,
      expected: `a string of 1 to ${MAX_HTML_CHARACTERS} characters`,
      description: 'The HTML of the document. With `data` it is a Handlebars template.',
    }),
  ),
  template: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The id of a stored template, `tmpl_…`.' }),
  ),
  template_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The version of `template` to use; the current one when absent.',
    }),
  ),
  react: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SOURCE_CHARACTERS,
      expected: `a string of 1 to ${MAX_SOURCE_CHARACTERS} characters`,
      description: 'JSX or TSX whose default export is a component. `data` becomes its props.',
    }),
  ),
  data: Type.Optional(RawObject({ description: 'Values for the variables of the template.' })),
  styles: Type.Optional(
    Type.String({
      maxLength: MAX_SOURCE_CHARACTERS,
      description: "CSS that is added at the end of the document's head.",
    }),
  ),
};
