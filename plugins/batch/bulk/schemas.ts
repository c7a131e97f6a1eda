import { fieldGroup, nullable, pageOf, Timestamp, Type, WebhookUrl } from '../../../src/plugin.ts';
import { documentFields, GenerateOptions } from '../../documents/exports.ts';

/** The largest body of `POST /v1/batches`. */
export const MAX_BULK_BYTES = 100_000_000;

/** How the documents of a batch are delivered. */
export const BulkResult = Type.Union([Type.Literal('links'), Type.Literal('zip'), Type.Literal('pdf')], {
  title: 'BulkResult',
  description:
    '`links` (default): a link to each document. `zip`, `pdf`: also one archive or one merged PDF, when the batch has ended.',
});

const OnInvalid = Type.Union([Type.Literal('reject'), Type.Literal('skip')], {
  title: 'OnInvalidLine',
  description: '`reject` (default): an invalid line is a 400. `skip`: the other lines are made.',
});

/** The settings of a bulk batch, after the options have been read as JSON. */
export const BulkFields = Type.Object(
  {
    template: Type.Required(Type.Object({ template: documentFields.template })).properties.template,
    locale: documentFields.locale,
    options: Type.Optional(Type.Union([GenerateOptions, Type.Null()])),
    result: Type.Optional(BulkResult),
    file_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, expected: 'a text or template of 1 to 1000 characters' }),
    ),
    on_invalid: Type.Optional(OnInvalid),
    webhook: Type.Optional(WebhookUrl),
  },
  { additionalProperties: false },
);

const settings = fieldGroup('BulkSettings', {
  template: Type.Optional(
    Type.String({ description: 'The id of a stored template, or its alias. Required.' }),
  ),
  options: Type.Optional(Type.String({ description: 'The options of `POST /v1/generate`, as JSON.' })),
  locale: documentFields.locale,
  result: Type.Optional(Type.String({ description: '`links` (default), `zip` or `pdf`.' })),
  file_name: Type.Optional(
    Type.String({
      description:
        'The name of each file, such as `Invoice {{number}}`: a template with the data of the item. A second file of the same name gets ` (2)`.',
    }),
  ),
  on_invalid: Type.Optional(
    Type.String({ description: '`reject` (default): an invalid line is a 400. `skip`: it is left out.' }),
  ),
  webhook: Type.Optional(Type.String({ description: 'A URL that receives `batch.completed`.' })),
});

/** The query of `POST /v1/batches`. */
export const BulkQuery = Type.Object(settings);

/** The parts of a multipart body. */
export const BulkForm = Type.Object(
  {
    ...settings,
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description: 'The items: NDJSON, or CSV with a file name that ends in `.csv`.',
    }),
  },
  { title: 'BulkForm' },
);

const InvalidLine = Type.Object(
  { line: Type.Integer({ minimum: 1 }), message: Type.String() },
  { title: 'InvalidLine' },
);

/** The response of `POST /v1/batches`. */
export const AcceptedBulk = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer(),
    skipped: Type.Integer({ description: 'The number of invalid lines that were left out.' }),
    invalid_lines: Type.Array(InvalidLine, { description: 'The first 100 of them.' }),
    status: Type.Literal('queued'),
  },
  { title: 'AcceptedBulkBatch' },
);

/** What a bulk batch has in addition. */
export const bulkProgress = fieldGroup('BulkProgress', {
  skipped: Type.Optional(
    Type.Integer({ description: 'The number of invalid lines that were left out; bulk batches only.' }),
  ),
  result: Type.Optional(BulkResult),
  result_url: Type.Optional(
    nullable(Type.String({ description: 'A link to the archive or PDF, once the batch has ended.' })),
  ),
  result_error: Type.Optional(
    nullable(Type.String({ description: 'Why there is no archive or PDF: `CODE: message`.' })),
  ),
  documents_per_second: Type.Optional(
    nullable(Type.Number({ description: 'Ended items per second since the batch was accepted.' })),
  ),
  expected_end: Type.Optional(nullable(Timestamp)),
});

/** The query of `GET /v1/batches/:id/items`. */
export const ItemsQuery = Type.Object({
  status: Type.Optional(
    Type.Union(
      [
        Type.Literal('queued'),
        Type.Literal('processing'),
        Type.Literal('completed'),
        Type.Literal('failed'),
        Type.Literal('canceled'),
        Type.Literal('deleted'),
      ],
      { title: 'BatchItemStatus' },
    ),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The number of items to return, 1 to 100.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'The number of items to skip.',
  }),
});

/** A page of items, in the order of the file. */
export const ItemsPage = pageOf(
  Type.Object(
    {
      id: Type.String({ description: 'The id of the generation.' }),
      index: Type.Integer({ description: 'The place in the file, from 0.' }),
      status: Type.String({
        description: 'queued, processing, completed, failed, canceled, or deleted.',
      }),
      error: nullable(Type.String({ description: '`CODE: message`; null unless the item failed.' })),
      url: nullable(Type.String({ description: 'A link that needs no API key.' })),
      file_name: nullable(Type.String()),
      warnings: Type.Integer({
        description: 'The number of warnings about the document, which `GET /v1/generations/{id}` lists.',
      }),
    },
    { title: 'BatchListItem' },
  ),
  'BatchItemList',
);
