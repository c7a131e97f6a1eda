import { MARKED_TYPES, VARIABLE_TYPES } from '@platen/templates/check-data';
import { Type } from '../../src/plugin.ts';
import { MAX_TEMPLATE_CHARACTERS } from '../documents/exports.ts';
import { optionsAndSampleFields } from './options-and-sample.ts';

/** The content of a template that is HTML. */
export const Html = Type.String({
  minLength: 1,
  maxLength: MAX_TEMPLATE_CHARACTERS,
  expected: `a string of 1 to ${MAX_TEMPLATE_CHARACTERS} characters`,
  description: 'HTML with Handlebars syntax.',
});

/** The types of the variables of a template. */
export const Schema = Type.Record(
  Type.String(),
  Type.Union(
    MARKED_TYPES.map((name) => Type.Literal(name)),
    { title: 'VariableType', expected: `one of ${VARIABLE_TYPES.join(', ')}` },
  ),
  {
    expected: 'an object of variable names and their types',
    description:
      'The type of each variable by its name (`customer.name` is a path); at most 500. A type with `!` requires the variable, one with `?` makes it optional.',
  },
);

/** The fields of the content of a template that is HTML, for the schema of a request. */
export const contentFields = {
  html: Html,
  schema: Type.Optional(Schema),
  ...optionsAndSampleFields,
};
