import { fieldGroup, LongText, nullable, pageOf, Timestamp, Type, WebhookUrl } from '../../src/plugin.ts';
import { referenceFilter, resultResponseProperties, resultFields, testFilter } from '../files/exports.ts';
import { documentFields, HeaderFooter, OFFICE_MEDIA_TYPES, translationFields } from '../documents/exports.ts';
import { ReceiptResponse } from './receipt/schema.ts';
import { Warnings } from './receipt/warnings.ts';

/** The field with which a caller does not wait for the result. */
export const asyncField = {
  async: Type.Optional(
    Type.Boolean({
      description:
        'true: the response is 202 with a generation that is `queued`. Read the result with `GET /v1/generations/:id`, or receive it at the `webhook`.',
    }),
  ),
};

const generateFields = {
  ...documentFields,
  ...translationFields,
  output: Type.Optional(
    Type.Union([Type.Literal('url'), Type.Literal('base64'), Type.Literal('binary')], {
      title: 'Output',
      description:
        'How the PDF is returned: JSON with a link (url, the default) or with the file in base64, or the file itself as the response (binary). By default, a request whose Accept header prefers application/pdf to JSON gets the file.',
    }),
  ),
  type: Type.Optional(
    Type.Union([Type.Literal('pdf'), Type.Literal('docx'), Type.Literal('xlsx'), Type.Literal('pptx')], {
      title: 'DocumentType',
      description:
        'What is made: a PDF (pdf, the default), or the filled file of a template that is a docx, xlsx or pptx file. It must be the type of the template.',
    }),
  ),
  ...resultFields,
  webhook: Type.Optional(WebhookUrl),
  ...asyncField,
};

/** The body of `POST /v1/generate`. */
export const GenerateBody = Type.Object(generateFields, {
  additionalProperties: false,
  title: 'GenerateRequest',
});

/**
 * The parts of a multipart request to `POST /v1/generate`: the header and the footer can be separate files.
 */
export const GenerateForm = Type.Object(
  {
    ...generateFields,
    header: Type.Optional({ ...HeaderFooter, description: '`options.header` as text or a file.' }),
    footer: Type.Optional({ ...HeaderFooter, description: '`options.footer` as text or a file.' }),
  },
  { additionalProperties: false, title: 'GenerateRequest' },
);

const Status = Type.Union(
  [
    Type.Literal('queued'),
    Type.Literal('processing'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('canceled'),
  ],
  { title: 'GenerationStatus' },
);

const pagesField = {
  pages: nullable(Type.Integer({ description: 'Null for an image and for a filled office file.' })),
};

export const resultFieldsOfResponse = fieldGroup('RenderedProperties', {
  id: Type.String(),
  status: Status,
  file_size: nullable(Type.Integer({ description: 'Bytes.' })),
  generation_time_ms: nullable(Type.Integer()),
  ...resultResponseProperties,
});

const base = { ...resultFieldsOfResponse, ...pagesField };

/** The response of `POST /v1/generate`: with `url`, or with `data` for `output: base64`. */
export const GenerateResponse = Type.Object(
  {
    ...base,
    url: Type.Optional(nullable(Type.String())),
    data: Type.Optional(LongText({ expected: 'base64', description: 'The PDF in base64.' })),
    warnings: Warnings,
  },
  { title: 'GenerateResponse' },
);

const InputType = Type.Union(
  [
    Type.Literal('html'),
    Type.Literal('template'),
    Type.Literal('react'),
    Type.Literal('markdown'),
    Type.Literal('url'),
  ],
  { title: 'InputType' },
);

/** The media type of a result. */
export const ContentType = Type.Union(
  [
    Type.Literal('application/pdf'),
    Type.Literal('image/png'),
    Type.Literal('image/jpeg'),
    Type.Literal('image/webp'),
    Type.Literal('application/zpl'),
    ...Object.values(OFFICE_MEDIA_TYPES).map((mediaType) => Type.Literal(mediaType)),
  ],
  { title: 'ContentType', description: 'The media type of the result.' },
);

export const generationFilters = {
  batch_id: Type.Optional(Type.String({ description: 'Only generations of this batch.' })),
  status: Type.Optional({ ...Status, description: 'Only generations with this status.' }),
  input_type: Type.Optional({ ...InputType, description: 'Only generations with this source.' }),
  template_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only generations from this template.' }),
  ),
  created_after: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only generations that were created at this time or later: a date, which means its midnight in UTC, or a time with its offset (RFC 3339).',
    }),
  ),
  created_before: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Only generations that were created before this time, in the format of `created_after`.',
    }),
  ),
  ...referenceFilter,
  ...testFilter,
};

const listed = fieldGroup('GenerationProperties', {
  ...base,
  template_id: nullable(Type.String()),
  input_type: InputType,
  content_type: ContentType,
  created_at: Timestamp,
  batch_id: Type.Optional(Type.String({ description: 'Only for an item of a batch.' })),
  index: Type.Optional(Type.Integer({ description: 'The index of the item in its batch, from 0.' })),
});

export const GenerationResponse = Type.Object(
  {
    ...listed,
    receipt: Type.Optional(nullable(ReceiptResponse)),
    url: Type.Optional(nullable(Type.String())),
    data: Type.Optional(
      LongText({
        expected: 'base64',
        description: 'The PDF in base64 instead of `url`, when `output` was base64.',
      }),
    ),
    error: nullable(Type.String({ description: '`CODE: message`; null unless the generation failed.' })),
    warnings: Warnings,
  },
  { title: 'Generation' },
);

/** The `data` of a webhook message about a generation. */
export const FinishedGeneration = Type.Object(
  {
    ...listed,
    url: nullable(
      Type.String({
        description: 'A link to the PDF, whatever `output` was; null when the generation failed.',
      }),
    ),
    error: nullable(Type.String({ description: '`CODE: message`; null unless the generation failed.' })),
    warnings: Warnings,
  },
  { title: 'FinishedGeneration' },
);

/** A page of generations, newest first. */
export const GenerationList = pageOf(
  Type.Object({ ...listed, url: nullable(Type.String()) }, { title: 'GenerationSummary' }),
  'GenerationList',
);
