import { addRecordRoutes, AppError, invalid, type Routes, type Static } from '../../src/plugin.ts';
import type { FilesService } from '../files/contract.ts';
import type { DocumentRequest } from '../render/contract.ts';
import { readLocale, readSource, readTranslations } from '../render/exports.ts';
import type { TemplateSource } from '../templates/contract.ts';
import type { Batch, BatchService } from './contract.ts';
import { acceptedExample, batchExample, batchExamples, canceledExample, listedExample } from './examples.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { presentAccepted, presentBatch, presentSummary } from './present.ts';
import {
  AcceptedResponse,
  BatchResponse,
  BatchBody,
  BatchHeaders,
  BatchList,
  BatchQuery,
  MAX_BODY_BYTES,
} from './schemas.ts';
import { isCanceled } from './is-canceled.ts';

type Item = Static<typeof BatchBody>['items'][number];

/** Maps the batch routes of docs/internals/spec.md section 4.1 to the service. */
export function mountRoutes(
  routes: Routes,
  {
    batches,
    files,
    templates,
  }: {
    batches: BatchService;
    files: Pick<FilesService, 'readProperties'>;
    templates: TemplateSource | undefined;
  },
): void {
  routes.post(
    '/v1/generate/batch',
    {
      scope: 'batches',
      audit: null,
      summary: 'Make up to 100 PDFs in the background',
      operationId: 'createBatch',
      idempotency: 'own',
      description:
        'Responds as soon as the batch is stored. From then on every item is made exactly once, even if the service restarts. An item that fails does not affect the others; the `error` of its generation says why it failed.',
      body: BatchBody,
      maxBodyBytes: MAX_BODY_BYTES,
      onlyStores: true,
      usesQuota: true,
      requestHeaders: BatchHeaders,
      examples: batchExamples,
      response: { status: 202, schema: AcceptedResponse, example: acceptedExample },
      errors: ['USAGE_LIMIT_EXCEEDED'],
      // A known key gets its response regardless of the body (docs/internals/spec.md section 4.1), even if
      // the body is invalid.
      async beforeBody({ account, isTest, request, headers, digest }) {
        const key = readIdempotencyKey(request.headers, { isTest });
        const batch = key === null ? null : await batches.findByKey(account.id, key);
        return batch ? replay(batch, headers, await digest()) : undefined;
      },
    },
    async ({ account, isTest, body, request, headers, digest }) => {
      const items: DocumentRequest[] = [];
      for (const [index, item] of body.items.entries())
        items.push({
          ...(await readItem(item, { index, templates })),
          properties: files.readProperties(item, account, { path: `items[${index}].` }),
        });
      const { batch, replayed } = await batches.submit({
        account,
        items,
        webhook: body.webhook ?? null,
        idempotencyKey: readIdempotencyKey(request.headers, { isTest }),
        requestDigest: digest,
      });
      return replayed ? replay(batch, headers, digest ?? null) : presentAccepted(batch);
    },
  );

  addRecordRoutes(routes, {
    path: '/v1/batches',
    scope: 'batches',
    noun: { one: 'batch', many: 'batches' },
    records: batches,
    list: {
      summary: 'List batches, newest first, without their generations',
      query: BatchQuery,
      schema: BatchList,
      examples: [listedExample],
      present: presentSummary,
    },
    get: {
      summary: 'Read the progress of a batch',
      schema: BatchResponse,
      example: batchExample,
      present: presentBatch,
    },
  });

  routes.post(
    '/v1/batches/:id/cancel',
    {
      scope: 'batches',
      audit: 'batch.canceled',
      freesSpace: true,
      operationId: 'cancelBatch',
      idempotency: { ignored: 'a batch is canceled only once' },
      summary: 'Cancel the queued items of a batch',
      description:
        'Items that are being made are finished. Canceled items do not count against the quota. Canceling a batch that has ended or is canceled changes nothing.',
      response: { schema: BatchResponse, example: canceledExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, audit, params }) => {
      const { batch } = await batches.get(account.id, params.id);
      if (batch.status !== 'open' || isCanceled(batch)) await audit.describe();
      return presentBatch(await batches.cancel(account.id, params.id));
    },
  );
}

/**
 * Presents a batch again. `digest` is the hash of the repeated request; `null` if its body could not be read.
 */
function replay(batch: Batch, headers: Headers, digest: string | null) {
  headers.set('Idempotent-Replayed', 'true');
  const { requestDigest = null } = batch;
  if (requestDigest !== null && requestDigest !== digest) headers.set('Platen-Idempotency-Mismatch', 'true');
  return presentAccepted(batch);
}

async function readItem(
  item: Item,
  { index, templates }: { index: number; templates: TemplateSource | undefined },
): Promise<DocumentRequest> {
  const { data, styles, options, output = 'url' } = item;
  return nameItem(index, async () => ({
    source: readItemSource(item),
    data,
    locale: readLocale(item),
    translationsJson: await readTranslations(item, { templates }),
    styles,
    options: options ?? undefined,
    output,
  }));
}

/**
 * Reads the source of an item. Of `html`, `react` and `template`, the first is used (docs/internals/spec.md
 * section 4.1).
 */
function readItemSource({ template, template_version, ...item }: Item): DocumentRequest['source'] {
  const { html, react, ...others } = item;
  const used = html === undefined ? (react === undefined ? {} : { react }) : { html };
  const isSkipped = template !== undefined && (html !== undefined || react !== undefined);
  return readSource({ ...others, ...used, ...(!isSkipped && { template, template_version }) });
}

/** Names the item in an error about a field. An error about several fields concerns the item. */
async function nameItem<T>(index: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [{ path, message } = { path: '', message: error.message }, ...others] = error.details;
    throw invalid(`items[${index}]${others.length === 0 && path ? `.${path}` : ''}`, message);
  }
}
