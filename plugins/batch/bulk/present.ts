import type { Static } from '../../../src/plugin.ts';
import { isCanceled } from '../is-canceled.ts';
import type { BatchItem, BatchSummary, BulkBatch } from '../contract.ts';
import type { BatchList } from '../schemas.ts';
import type { ReceivedItems } from './body/received-items.ts';
import type { AcceptedBulk, ItemsPage } from './schemas.ts';

type Summary = Static<typeof BatchList>['data'][number];

/** Presents the response of `POST /v1/batches`. */
export function presentAcceptedBulk(
  batchId: string,
  { total, faultCount, faults }: Pick<ReceivedItems, 'total' | 'faultCount' | 'faults'>,
): Static<typeof AcceptedBulk> {
  return {
    batch_id: batchId,
    total,
    skipped: faultCount,
    invalid_lines: faults.map(({ line, message }) => ({ line, message })),
    status: 'queued',
  };
}

/** Presents the fields that only a bulk batch has. */
export function presentBulk(
  { batch, completed, failed, resultUrl }: BatchSummary,
  { total, skipped, result }: BulkBatch,
): Partial<Summary> {
  const ended = completed + failed;
  const isOpen = batch.status === 'open' && !isCanceled(batch);
  const seconds = ((batch.completedAt ?? Date.now()) - batch.createdAt) / 1000;
  const rate = ended > 0 && seconds > 0 ? ended / seconds : null;
  const expectedEnd = isOpen && rate !== null ? Date.now() + ((total - ended) / rate) * 1000 : null;
  return {
    skipped,
    result,
    result_url: resultUrl,
    result_error: batch.resultError ?? null,
    documents_per_second: rate === null ? null : Math.round(rate * 100) / 100,
    expected_end: expectedEnd === null ? null : new Date(expectedEnd).toISOString(),
  };
}

/** Presents an item of `GET /v1/batches/:id/items`. */
export function presentItem({
  id,
  index,
  status,
  error,
  url,
  fileName,
  warnings,
}: BatchItem): Static<typeof ItemsPage>['data'][number] {
  return { id, index, status, error, url, file_name: fileName, warnings };
}
