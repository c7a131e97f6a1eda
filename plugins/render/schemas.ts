import {
  LongText,
  nullable,
  referenceFilter,
  resultAnswerProperties,
  resultFields,
  Type,
  WebhookUrl,
  documentFields,
  HeaderFooter,
} from '../../src/plugin.ts';
import { ReceiptAnswer } from './receipt/schema.ts';
import { Warnings } from './receipt/warnings.ts';

const generateFields = {
  ...documentFields,
  output: Type.Optional(
    Type.Union([Type.Literal('url'), Type.Literal('base64'), Type.Literal('binary')], {
      description:
        'How the PDF is returned: JSON with a link (url, the default) or with the file in base64, or the file itself as the response (binary). By default, a request whose Accept header prefers application/pdf to JSON gets the file.',
    }),
  ),
  ...resultFields,
  webhook: Type.Optional(WebhookUrl),
};

/** The body of `POST /v1/generate`. */
export const GenerateBody = Type.Object(generateFields, {
  additionalProperties: false,
  title: 'GenerateRequest',
});

/** The parts of a multipart request to `POST /v1/generate`: the header and the footer can be separate files. */
export const GenerateForm = Type.Object(
  {
    ...generateFields,
    header: Type.Optional({ ...HeaderFooter, description: '`options.header` as text or a file.' }),
    footer: Type.Optional({ ...HeaderFooter, description: '`options.footer` as text or a file.' }),
  },
  { additionalProperties: false },
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
  pages: nullable(Type.Integer({ description: 'Null for an image.' })),
};

/** The fields of all results. */
export const resultFieldsOfAnswer = {
  id: Type.String(),
  status: Status,
  file_size: nullable(Type.Integer({ description: 'Bytes.' })),
  generation_time_ms: nullable(Type.Integer()),
  ...resultAnswerProperties,
};

const base = { ...resultFieldsOfAnswer, ...pagesField };

/** The response of `POST /v1/generate`: with `url`, or with `data` for `output: base64`. */
export const GenerateAnswer = Type.Object(
  {
    ...base,
    url: Type.Optional(nullable(Type.String())),
    data: Type.Optional(LongText({ expected: 'base64', description: 'The PDF in base64.' })),
    warnings: Warnings,
  },
  { title: 'GenerateResponse' },
);

const InputType = Type.Union([
  Type.Literal('html'),
  Type.Literal('template'),
  Type.Literal('react'),
  Type.Literal('markdown'),
  Type.Literal('url'),
]);

/** The media type of a result. */
export const ContentType = Type.Union(
  [
    Type.Literal('application/pdf'),
    Type.Literal('image/png'),
    Type.Literal('image/jpeg'),
    Type.Literal('image/webp'),
  ],
  { description: 'The media type of the result.' },
);

/** The filters of the list. */
export const generationFilters = {
  batch_id: Type.Optional(Type.String({ description: 'Only generations of this batch.' })),
  status: Type.Optional(Type.Union(Status.anyOf, { description: 'Only generations with this status.' })),
  input_type: Type.Optional(
    Type.Union(InputType.anyOf, { description: 'Only generations with this source.' }),
  ),
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
};

const listed = {
  ...base,
  template_id: nullable(Type.String()),
  input_type: InputType,
  content_type: ContentType,
  created_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
  batch_id: Type.Optional(Type.String({ description: 'Only for an item of a batch.' })),
  index: Type.Optional(Type.Integer({ description: 'The index of the item in its batch, from 0.' })),
};

/** One generation. */
export const GenerationAnswer = Type.Object(
  {
    ...listed,
    receipt: Type.Optional(nullable(ReceiptAnswer)),
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
export const GenerationList = Type.Object(
  {
    data: Type.Array(
      Type.Object({ ...listed, url: nullable(Type.String()) }, { title: 'GenerationSummary' }),
    ),
    has_more: Type.Boolean(),
  },
  { title: 'GenerationList' },
);
