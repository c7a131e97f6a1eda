import { fieldGroup, Type } from '../../src/plugin.ts';
import { GenerateOptions } from './options.ts';
import { sourceFields } from './source-fields.ts';

/** The fields of a document, which all routes that make documents accept. */
export const documentFields = {
  ...fieldGroup('DocumentFields', {
    ...sourceFields,
    options: Type.Optional(
      Type.Union([GenerateOptions, Type.Null()], { description: 'null means no options.' }),
    ),
  }),
  output: Type.Optional(
    Type.Union([Type.Literal('url'), Type.Literal('base64')], { description: 'url when absent.' }),
  ),
};
