import { fieldGroup, pageOf, pageQuery, Timestamp, Type, WebhookUrl } from '../../src/plugin.ts';
import { resultFields, testFilter } from '../files/exports.ts';
import { documentFields, translationFields } from '../documents/exports.ts';
import { bulkProgress } from './bulk/schemas.ts';

/** Enough for 100 items of 650 kB, or for five of 12 MB. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

const MAX_ITEMS = 100;

const Item = Type.Object(
  {
    ...documentFields,
    ...translationFields,
    ...resultFields,
  },
  { additionalProperties: false, title: 'BatchItem' },
);

/** The body of `POST /v1/generate/batch`. */
export const BatchBody = Type.Object(
  {
    items: Type.Array(Item, {
      minItems: 1,
      maxItems: MAX_ITEMS,
      expected: `an array of 1 to ${MAX_ITEMS} items`,
      description:
        'Each item has one source: `html`, `template`, `react`, `markdown` or `url`. Of `html`, `react` and `template`, the first is used.',
    }),
    webhook: Type.Optional(WebhookUrl),
    locale: Type.Optional(
      Type.Never({
        expected: 'a field of each item: items[].locale',
        description: 'Not allowed: each item has its own.',
      }),
    ),
  },
  { additionalProperties: false, title: 'BatchRequest' },
);

/** The request headers of `POST /v1/generate/batch`. */
export const BatchHeaders = Type.Object({
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'For 24 hours, a request with the same key gets the response of the first batch that was accepted with it, regardless of its body, with `Idempotent-Replayed: true`. If the body differs, the response has `Platen-Idempotency-Mismatch: true`.',
  }),
});

const Status = Type.Union(
  [Type.Literal('queued'), Type.Literal('processing'), Type.Literal('completed'), Type.Literal('canceled')],
  { title: 'BatchStatus' },
);

/** The response of `POST /v1/generate/batch`. */
export const AcceptedResponse = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer(),
    generations: Type.Array(Type.Object({ id: Type.String(), index: Type.Integer() })),
    status: Type.Literal('queued'),
  },
  { title: 'AcceptedBatch' },
);

const summary = fieldGroup('BatchSummary', {
  batch_id: Type.String(),
  status: Status,
  total: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  canceled: Type.Integer(),
  created_at: Timestamp,
  test: Type.Boolean({ description: 'Whether it was submitted with a test key.' }),
  ...bulkProgress,
});

/** The query of `GET /v1/batches`. */
export const BatchQuery = Type.Object({ ...pageQuery(50).properties, ...testFilter });

/** A page of batches, newest first, without their generations. */
export const BatchList = pageOf(Type.Object(summary, { title: 'BatchSummary' }), 'BatchList');

/** The response of `GET /v1/batches/:id`. */
export const BatchResponse = Type.Object(
  {
    ...summary,
    generations: Type.Array(
      Type.Object({
        id: Type.String(),
        index: Type.Integer(),
        status: Type.String({
          description: 'queued, processing, completed, failed, canceled, or deleted.',
        }),
        error: Type.Union([
          Type.String({ description: '`CODE: message`; null unless the item failed.' }),
          Type.Null(),
        ]),
      }),
      { description: 'Empty for a bulk batch, whose items are at `GET /v1/batches/{id}/items`.' },
    ),
  },
  { title: 'Batch' },
);
