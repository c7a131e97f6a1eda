import { fieldGroup, FileInput, nullable, pageOf, pageQuery, Timestamp, Type } from '../../src/plugin.ts';
import { MAX_FILE_BYTES } from './office/limits.ts';
import { CATEGORIES, translationFields, versionChoice } from '../documents/exports.ts';
import { MAX_NAME_CHARACTERS } from './exports.ts';
import { CategoryText, MAX_TAG_CHARACTERS, SearchText, TagText } from './search.ts';
import { TemplateFormat, templateIdentity } from './template-identity.ts';
import { Html, Schema } from './content-fields.ts';
import { translationProperties } from './translations.ts';
import { optionsAndSampleFields, optionsAndSampleProperties } from './options-and-sample.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  expected: `a string of 1 to ${MAX_NAME_CHARACTERS} characters`,
  description: 'The name that lists show.',
});

const Category = Type.Union(
  CATEGORIES.map((name) => Type.Literal(name)),
  { title: 'TemplateCategory', description: 'The kind of document; other when absent.' },
);

const Partial = Type.Boolean({
  description: "Whether the account's templates can call it as `{{> name}}`; false when absent.",
});

const RequireChecks = Type.Boolean({
  description:
    'Whether a new version becomes current only if its cases pass (docs/template-tests.md). Otherwise it is stored as a draft, which becomes current when its cases are accepted. false when absent.',
});

const MAX_TAGS = 20;

/** A lower-case name that cannot be taken for an id. */
const ALIAS_PATTERN = '^(?!tmpl_)[a-z0-9][a-z0-9_-]{0,63}$';
/** Matches an alias. */
export const ALIAS = new RegExp(ALIAS_PATTERN);

const Alias = nullable(
  Type.String({
    pattern: ALIAS_PATTERN,
    expected:
      '1 to 64 lower-case letters, digits, - and _, beginning with a letter or digit and not with tmpl_',
    description:
      "A name that stands for the id in every request of the account, such as `invoice`. It is unique among the account's templates; null removes it.",
  }),
);

const Tags = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: MAX_TAG_CHARACTERS,
    expected: `a string of 1 to ${MAX_TAG_CHARACTERS} characters`,
  }),
  {
    maxItems: MAX_TAGS,
    expected: `at most ${MAX_TAGS} strings`,
    description: `Words by which lists are filtered; at most ${MAX_TAGS}, each only once.`,
  },
);

const File = FileInput({
  expected: 'a docx, xlsx or pptx file',
  description: `In place of \`html_content\`: a docx, xlsx or pptx file with tags, at most ${MAX_FILE_BYTES} bytes; in JSON as base64. All versions of a template have the same format.`,
});

/** The body of `POST /v1/templates`. */
export const CreateBody = Type.Object(
  {
    name: Name,
    html_content: Type.Optional(nullable(Html)),
    file: Type.Optional(File),
    format: Type.Optional({
      ...TemplateFormat,
      description: 'The format that the content must have; that of the content when absent.',
    }),
    ...fieldGroup('TemplateFields', {
      schema: Type.Optional(Schema),
      category: Type.Optional(Category),
      partial: Type.Optional(Partial),
      alias: Type.Optional(Alias),
      tags: Type.Optional(Tags),
      require_checks: Type.Optional(RequireChecks),
      ...optionsAndSampleFields,
      ...translationFields,
    }),
  },
  { additionalProperties: false, title: 'CreateTemplateRequest' },
);

/** The body of `PUT /v1/templates/:id`. Absent fields keep their value. */
export const UpdateBody = Type.Object(
  {
    ...Type.Partial(CreateBody).properties,
    draft: Type.Optional(
      Type.Boolean({
        description:
          'Stores `html_content` or `file`, `schema`, `options`, `sample_data` and `translations` as a draft, which replaces an earlier draft. The current version does not change. false when absent.',
      }),
    ),
    expected_etag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        expected: 'the etag of the template as you read it',
        description:
          'The `etag` of the template as you read it; with `draft: true` that of its draft, if it has one. If the template has changed since, the status is 409 and nothing changes.',
      }),
    ),
  },
  { additionalProperties: false, title: 'UpdateTemplateRequest' },
);

/** The query of `GET /v1/templates/:id`. */
export const VersionQuery = Type.Object({
  version: Type.Optional(versionChoice('The version to read, or `draft`; the current one when absent.')),
});

/** The query of `GET /v1/templates/:id/versions`. */
export const VersionListQuery = pageQuery(50);

/** The query of `GET /v1/templates`. */
export const ListQuery = Type.Object({
  ...pageQuery(50).properties,
  search: Type.Optional(SearchText),
  category: Type.Optional(CategoryText),
  tag: Type.Optional(TagText),
});

const htmlContent = nullable(Type.String({ description: 'Null for a template that is a file.' }));

const listed = fieldGroup('TemplateSummary', {
  id: templateIdentity.id,
  name: templateIdentity.name,
  category: Type.String(),
  format: TemplateFormat,
  schema: Type.Record(Type.String(), Type.String()),
  version: Type.Integer({
    description:
      'The current version, or the one that was asked for. Starts at 1 and increases with each change of `html_content` or `file`.',
  }),
  current_version: Type.Integer({ description: 'The version that documents are made from.' }),
  draft_version: nullable(Type.Integer({ description: 'The version that is a draft.' })),
  is_public: Type.Boolean(),
  partial: Partial,
  alias: nullable(Type.String({ description: 'The name that stands for the id.' })),
  tags: Type.Array(Type.String()),
  require_checks: RequireChecks,
  created_at: templateIdentity.created_at,
  updated_at: Timestamp,
});

/** The response to the creation of a template. Section 4.2 of docs/internals/spec.md fixes these fields. */
export const CreatedResponse = Type.Object(
  {
    id: listed.id,
    name: listed.name,
    html_content: htmlContent,
    format: Type.Optional({ ...TemplateFormat, description: 'Present for a template that is a file.' }),
    schema: listed.schema,
    version: listed.version,
    is_public: listed.is_public,
    partial: Type.Optional(Type.Boolean({ description: 'Present for a partial.' })),
    alias: Type.Optional(Type.String({ description: 'Present for a template with an alias.' })),
    tags: Type.Optional(Type.Array(Type.String(), { description: 'Present for a template with tags.' })),
    require_checks: Type.Optional(
      Type.Boolean({ description: 'Present for a template that requires checks.' }),
    ),
    created_at: listed.created_at,
  },
  { title: 'CreatedTemplate' },
);

/** A template with its HTML. */
export const TemplateResponse = Type.Object(
  {
    ...listed,
    html_content: htmlContent,
    etag: Type.String({
      description: 'Changes whenever a field that its author sets changes; send it as `expected_etag`.',
    }),
    file_url: Type.Optional(
      nullable(Type.String({ description: 'A link to the file that needs no API key, valid for 30 days.' })),
    ),
    file_size: Type.Optional(Type.Integer({ description: 'Bytes of the file.' })),
    ...optionsAndSampleProperties,
    ...translationProperties,
    check: Type.Optional(
      Type.Object(
        {
          passed: Type.Boolean(),
          stored_as: Type.Union([Type.Literal('version'), Type.Literal('draft')]),
          cases: Type.Array(Type.Object({ name: Type.String(), status: Type.String() })),
        },
        {
          title: 'VersionCheck',
          description:
            'The check of a change of a template that requires checks. A version with differences is stored as a draft: the response is the draft.',
        },
      ),
    ),
  },
  { title: 'Template' },
);

/** A template without its HTML. */
export const TemplateSummary = Type.Object(listed, { title: 'TemplateSummary' });

/** A page of templates, newest first, without their HTML. */
export const TemplateList = pageOf(TemplateSummary, 'TemplateList');

/** A page of the versions of a template, newest first. */
export const VersionList = pageOf(
  Type.Object(
    {
      version: Type.Integer(),
      created_at: Timestamp,
      current: Type.Boolean(),
      draft: Type.Boolean(),
    },
    { title: 'TemplateVersion' },
  ),
  'TemplateVersionList',
);

/** The response to the deletion of a template. */
export const DeletedResponse = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedTemplate' },
);
