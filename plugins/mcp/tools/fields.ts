import { Type } from '../../../src/plugin.ts';

/** The id of a document in the arguments of a tool. */
export const DocumentId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The id of a generation (gen_…) or of a file (file_…).',
});

/** The id of a template in the arguments of a tool. */
export const TemplateId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The id of a template (tmpl_…), or its alias.',
});

/** The arguments that select a page of a list. */
export const listFields = {
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'The length of the list.' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'How many entries to skip; to continue a list with `has_more`.',
  }),
};
