import { LongText, RawObject, Type, WebhookUrl, type Static } from '../../src/plugin.ts';
import { FORMAT_NAMES } from './formats.ts';
import { ReceiptAnswer } from './receipt/schema.ts';

const MAX_HTML_CHARACTERS = 30_000_000;
const MAX_MARGINAL_CHARACTERS = 100_000;

const Length = Type.String({
  minLength: 1,
  maxLength: 20,
  expected: 'a length such as "0.5in" (px, in, cm, mm, pt or pc)',
  description: 'A length with a unit: px, in, cm, mm, pt or pc. Without one: px.',
});

const Marginal = Type.String({
  maxLength: MAX_MARGINAL_CHARACTERS,
  expected: `a string of HTML of at most ${MAX_MARGINAL_CHARACTERS} characters`,
  description:
    'HTML without scripts. `{{pageNumber}}` and `{{totalPages}}` are replaced; with `data`, or a `template`, the rest is a Handlebars template too, which may become 400,000 characters. Images must be data: URIs.',
});

/** The options of a generation (docs/spec.md section 4.1). */
export const GenerateOptions = Type.Object(
  {
    format: Type.Optional(
      Type.Union(
        [
          ...FORMAT_NAMES.map((name) => Type.Literal(name)),
          Type.Object({ width: Length, height: Length }, { additionalProperties: false }),
        ],
        {
          expected: `${FORMAT_NAMES.map((name) => `"${name}"`).join(', ')} or { width, height }`,
          description: 'The paper format; A4 when absent.',
        },
      ),
    ),
    margin: Type.Optional(
      Type.Union(
        [
          Length,
          Type.Object(
            {
              top: Type.Optional(Length),
              right: Type.Optional(Length),
              bottom: Type.Optional(Length),
              left: Type.Optional(Length),
            },
            { additionalProperties: false },
          ),
        ],
        {
          expected: 'a length such as "0.5in" or { top, right, bottom, left }',
          description: 'Uniform, or by side; a side that is absent, and the whole, is 0.5in.',
        },
      ),
    ),
    orientation: Type.Optional(
      Type.Union([Type.Literal('portrait'), Type.Literal('landscape')], {
        description: 'portrait when absent.',
      }),
    ),
    header: Type.Optional(Marginal),
    footer: Type.Optional(Marginal),
    printBackground: Type.Optional(
      Type.Boolean({ description: 'Background colours and images; true when absent.' }),
    ),
    strict: Type.Optional(
      Type.Boolean({
        description:
          'Fail when an image, style sheet, font or other asset cannot be had, or a script throws; false when absent.',
      }),
    ),
    pdfa: Type.Optional(
      Type.Boolean({
        description: 'Make the PDF archival: PDF/A-1b, checked. false when absent.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The options of a generation, as a caller sends them. */
export type GenerateOptions = Static<typeof GenerateOptions>;

/** The fields of a document that every route takes in which documents are made. */
export const documentFields = {
  html: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_HTML_CHARACTERS,
      expected: `a string of 1 to ${MAX_HTML_CHARACTERS} characters`,
      description: 'Raw HTML. With `data` it is read as a Handlebars template.',
    }),
  ),
  template: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Id of a stored template, `tmpl_…`.' }),
  ),
  template_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The version of `template` to use; the current one when absent.',
    }),
  ),
  data: Type.Optional(RawObject({ description: 'Values for the variables of the template.' })),
  options: Type.Optional(GenerateOptions),
  output: Type.Optional(
    Type.Union([Type.Literal('url'), Type.Literal('base64')], { description: 'url when absent.' }),
  ),
};

/** The body of `POST /v1/generate`. */
export const GenerateBody = Type.Object(
  {
    ...documentFields,
    webhook: Type.Optional(WebhookUrl),
  },
  { additionalProperties: false },
);

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const base = {
  id: Type.String(),
  status: Type.String(),
  pages: nullable(Type.Integer()),
  file_size: nullable(Type.Integer({ description: 'Bytes.' })),
  generation_time_ms: nullable(Type.Integer()),
};

/** The answer of `POST /v1/generate`: `url`, or with `output: base64` `data`. */
export const GenerateAnswer = Type.Object({
  ...base,
  url: Type.Optional(nullable(Type.String())),
  data: Type.Optional(LongText({ expected: 'base64', description: 'The PDF in base64.' })),
});

const InputType = Type.Union([Type.Literal('html'), Type.Literal('template'), Type.Literal('react')]);

/** The filters of the list. */
export const generationFilters = {
  batch_id: Type.Optional(Type.String({ description: 'Only those of this batch.' })),
  status: Type.Optional(
    Type.Union(
      [Type.Literal('queued'), Type.Literal('processing'), Type.Literal('completed'), Type.Literal('failed')],
      { description: 'Only those in this state.' },
    ),
  ),
  input_type: Type.Optional(Type.Union(InputType.anyOf, { description: 'Only those made from this.' })),
};

const listed = {
  ...base,
  template_id: nullable(Type.String()),
  input_type: InputType,
  created_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
};

/** One generation. */
export const GenerationAnswer = Type.Object({
  ...listed,
  receipt: Type.Optional(nullable(ReceiptAnswer)),
  url: Type.Optional(nullable(Type.String())),
  data: Type.Optional(
    LongText({
      expected: 'base64',
      description: 'The PDF in base64, in place of `url`, when `output` was base64.',
    }),
  ),
  error: nullable(Type.String({ description: '`CODE: what happened`; null unless failed.' })),
});

/** A page of generations, newest first. */
export const GenerationList = Type.Object({
  data: Type.Array(Type.Object({ ...listed, url: nullable(Type.String()) })),
  has_more: Type.Boolean(),
});
