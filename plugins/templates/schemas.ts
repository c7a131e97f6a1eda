import { pageQuery, Type, CATEGORIES, MAX_TEMPLATE_CHARACTERS } from '../../src/plugin.ts';
import { MAX_NAME_CHARACTERS } from './exports.ts';
import { MARKED_TYPES, VARIABLE_TYPES } from './variable-types.ts';
import { CategoryText, SearchText } from './search.ts';
import { optionsAndSampleFields, optionsAndSampleProperties } from './options-and-sample.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  expected: `a string of 1 to ${MAX_NAME_CHARACTERS} characters`,
});

const Html = Type.String({
  minLength: 1,
  maxLength: MAX_TEMPLATE_CHARACTERS,
  expected: `a string of 1 to ${MAX_TEMPLATE_CHARACTERS} characters`,
  description: 'HTML with Handlebars syntax.',
});

const Category = Type.Union(
  CATEGORIES.map((name) => Type.Literal(name)),
  { description: 'The kind of document; other when absent.' },
);

const Partial = Type.Boolean({
  description: "Whether the account's templates can call it as `{{> name}}`; false when absent.",
});

const Schema = Type.Record(
  Type.String(),
  Type.Union(
    MARKED_TYPES.map((name) => Type.Literal(name)),
    { expected: `one of ${VARIABLE_TYPES.join(', ')}` },
  ),
  {
    expected: 'an object of variable names and their types',
    description:
      'The type of each variable by its name (`customer.name` is a path); at most 500. A type with `!` requires the variable, one with `?` makes it optional.',
  },
);

/** The body of `POST /v1/templates`. */
export const CreateBody = Type.Object(
  {
    name: Name,
    html_content: Html,
    schema: Type.Optional(Schema),
    category: Type.Optional(Category),
    partial: Type.Optional(Partial),
    ...optionsAndSampleFields,
  },
  { additionalProperties: false, title: 'CreateTemplateRequest' },
);

/** The body of `PUT /v1/templates/:id`. Absent fields keep their value. */
export const UpdateBody = Type.Partial(CreateBody, {
  additionalProperties: false,
  title: 'UpdateTemplateRequest',
});

/** The query of `GET /v1/templates/:id`. */
export const VersionQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The version whose HTML is returned; the current one when absent.',
    }),
  ),
});

/** The query of `GET /v1/templates/:id/versions`. */
export const VersionListQuery = pageQuery(50);

/** The query of `GET /v1/templates`. */
export const ListQuery = Type.Object({
  ...pageQuery(50).properties,
  search: Type.Optional(SearchText),
  category: Type.Optional(CategoryText),
});

const Timestamp = Type.String({ description: 'ISO 8601, UTC, milliseconds.' });

const listed = {
  id: Type.String(),
  name: Type.String(),
  category: Type.String(),
  schema: Type.Record(Type.String(), Type.String()),
  version: Type.Integer({ description: 'Starts at 1 and increases with each change of `html_content`.' }),
  is_public: Type.Boolean(),
  partial: Partial,
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** The response to the creation of a template. Section 4.2 of docs/spec.md fixes these fields. */
export const CreatedAnswer = Type.Object(
  {
    id: listed.id,
    name: listed.name,
    html_content: Type.String(),
    schema: listed.schema,
    version: listed.version,
    is_public: listed.is_public,
    partial: Type.Optional(Type.Boolean({ description: 'Present for a partial.' })),
    created_at: listed.created_at,
  },
  { title: 'CreatedTemplate' },
);

/** A template with its HTML. */
export const TemplateAnswer = Type.Object(
  { ...listed, html_content: Type.String(), ...optionsAndSampleProperties },
  { title: 'Template' },
);

/** A page of templates, newest first, without their HTML. */
export const TemplateList = Type.Object(
  {
    data: Type.Array(Type.Object(listed, { title: 'TemplateSummary' })),
    has_more: Type.Boolean(),
  },
  { title: 'TemplateList' },
);

/** A page of the versions of a template, newest first. */
export const VersionList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          version: Type.Integer(),
          created_at: Type.Union([Timestamp, Type.Null()], {
            description:
              'null for a version after the first that an early release created, which did not store these times.',
          }),
          current: Type.Boolean(),
        },
        { title: 'TemplateVersion' },
      ),
    ),
    has_more: Type.Boolean(),
  },
  { title: 'TemplateVersionList' },
);

/** The response to the deletion of a template. */
export const DeletedAnswer = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedTemplate' },
);
