import { fieldGroup, nullable, pageOf, pageQuery, Timestamp, Type } from '../../src/plugin.ts';
import {
  CategoryText,
  SearchText,
  optionsAndSampleProperties,
  TemplateFormat,
  templateIdentity,
} from '../templates/exports.ts';

const listed = fieldGroup('PublicTemplateSummary', {
  ...templateIdentity,
  format: Type.Optional(TemplateFormat),
  updated_at: Timestamp,
});

/** The query of `GET /v1/marketplace`. */
export const ListQuery = Type.Object({
  ...pageQuery(20).properties,
  search: Type.Optional(SearchText),
  category: Type.Optional(CategoryText),
});

/** A page of public templates, newest first. */
export const PublicList = pageOf(
  Type.Object(listed, { title: 'PublicTemplateSummary' }),
  'PublicTemplateList',
);

/** A public template, without its owner. */
export const PublicResponse = Type.Object(
  {
    ...listed,
    html_content: nullable(Type.String({ description: 'Null for a template that is a file.' })),
    file_url: Type.Optional(
      nullable(Type.String({ description: 'A link to the file that needs no API key, valid for 30 days.' })),
    ),
    schema: Type.Record(Type.String(), Type.String()),
    ...optionsAndSampleProperties,
  },
  { title: 'PublicTemplate' },
);

/** A copy in the caller's account. */
export const CloneResponse = Type.Object(
  {
    ...templateIdentity,
    assets: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The assets of the template, by their names in the account. Absent if the template has no assets.',
      }),
    ),
  },
  { title: 'ClonedPublicTemplate' },
);

/** The visibility of a template. */
export const VisibilityResponse = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_public: Type.Boolean(),
    assets: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The assets that were published with the template. Absent if the template has no assets.',
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
        { description: 'References that clones cannot resolve. Absent if clones can resolve all of them.' },
      ),
    ),
  },
  { title: 'TemplateVisibility' },
);
