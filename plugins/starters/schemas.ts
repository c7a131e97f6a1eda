import { fieldGroup, LongText, nullable, Type } from '../../src/plugin.ts';
import { SearchText, TemplateFormat, templateIdentity, translationProperties } from '../templates/exports.ts';

const listed = fieldGroup('StarterTemplateSummary', {
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  format: Type.Optional(TemplateFormat),
  sample_data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Sample values to send as `data`.',
  }),
});

/** The query of `GET /v1/starter-templates`. */
export const StarterQuery = Type.Object({ search: Type.Optional(SearchText) });

/** All starters, ordered by slug, without their HTML. */
export const StarterList = Type.Object(
  {
    data: Type.Array(Type.Object(listed, { title: 'StarterTemplateSummary' })),
    has_more: Type.Boolean({ description: 'Always false: the list has no pages.' }),
  },
  { title: 'StarterTemplateList' },
);

/** A starter with its HTML. */
export const StarterResponse = Type.Object(
  {
    ...listed,
    html_content: nullable(Type.String({ description: 'Null for a starter that is a file.' })),
    file: Type.Optional(
      LongText({ expected: 'base64', description: 'The file in base64, for a starter that is one.' }),
    ),
    schema: Type.Record(Type.String(), Type.String()),
    options: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The options of `POST /v1/generate` that the starter is designed for.',
    }),
    ...translationProperties,
    cases: Type.Array(
      Type.Object({
        name: Type.String(),
        data: Type.Record(Type.String(), Type.Unknown(), { description: 'Values to send as `data`.' }),
      }),
      { description: 'Data to try the starter with: `typical` is the sample, `hard` tests the layout.' },
    ),
  },
  { title: 'StarterTemplate' },
);

/** The template that was created. */
export const CloneResponse = Type.Object(
  {
    ...templateIdentity,
    cases: Type.Array(Type.String(), {
      description:
        'The cases of the starter that were stored with the template. A case that could not be stored is absent.',
    }),
  },
  { title: 'ClonedTemplate' },
);
