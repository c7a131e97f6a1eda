import { pageQuery, Type } from '../../src/plugin.ts';
import { CategoryText, SearchText, optionsAndSampleProperties } from '../templates/exports.ts';

const Timestamp = Type.String({ description: 'ISO 8601, UTC, milliseconds.' });

const listed = {
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** The query of `GET /v1/marketplace`. */
export const ListQuery = Type.Object({
  ...pageQuery(20).properties,
  search: Type.Optional(SearchText),
  category: Type.Optional(CategoryText),
});

/** A page of public templates, newest first. */
export const PublicList = Type.Object(
  { data: Type.Array(Type.Object(listed, { title: 'PublicTemplateSummary' })), has_more: Type.Boolean() },
  { title: 'PublicTemplateList' },
);

/** A public template, without its owner. */
export const PublicAnswer = Type.Object(
  {
    ...listed,
    html_content: Type.String(),
    schema: Type.Record(Type.String(), Type.String()),
    ...optionsAndSampleProperties,
  },
  { title: 'PublicTemplate' },
);

/** A copy in the caller's account. */
export const CloneAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    version: Type.Integer(),
    created_at: Timestamp,
    assets: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The assets of the template, by their names in the account. Absent if the template has none.',
      }),
    ),
  },
  { title: 'ClonedPublicTemplate' },
);

/** The visibility of a template. */
export const VisibilityAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_public: Type.Boolean(),
    assets: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The assets that were published with the template. Absent if the template has none.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.Union([Type.Literal('ASSET_DYNAMIC'), Type.Literal('ASSET_MISSING')], {
            description:
              '`ASSET_DYNAMIC`: the name contains a variable, so the asset is unknown and was not published. `ASSET_MISSING`: the account has no asset of this name.',
          }),
          message: Type.String(),
          path: Type.String({ description: 'The reference in the template.' }),
        }),
        { description: 'References that clones cannot resolve. Absent if there are none.' },
      ),
    ),
  },
  { title: 'TemplateVisibility' },
);
