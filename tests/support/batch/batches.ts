import type { ApiResponse, TestService } from '../service/service.ts';

/** How long `completed` waits without an item ending. A benchmark on a busy machine sets a longer one. */
const PATIENCE_MS = Number(process.env['BATCH_PATIENCE_MS'] ?? 50_000);

/** Creates items of one page. */
export const onePagers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ html: `<p>Page ${index}</p>` }));

/** Submits a batch with the service's key or with the given one. */
export function submit(
  service: TestService,
  items: unknown,
  { key, headers = {}, webhook }: { key?: string; headers?: Record<string, string>; webhook?: string } = {},
): Promise<ApiResponse> {
  const body = { items, ...(webhook !== undefined && { webhook }) };
  return service.request('POST', '/v1/generate/batch', { body, headers, ...(key !== undefined && { key }) });
}

/**
 * Waits until an accepted batch is completed, and returns it.
 * @throws {Error} when no further item ends within the time limit.
 */
export async function completed(
  service: TestService,
  { body }: ApiResponse,
  key?: string,
): Promise<ApiResponse['body']> {
  for (let ended = 0, endedAt = performance.now(); ;) {
    const read = await service.get(`/v1/batches/${body.batch_id}`, key);
    if (read.body.status === 'completed') return read.body;
    const count = read.body.completed + read.body.failed;
    if (count > ended) [ended, endedAt] = [count, performance.now()];
    if (performance.now() > endedAt + PATIENCE_MS)
      throw new Error(`the batch is not completed: ${JSON.stringify(read.body)}`);
    await Bun.sleep(20);
  }
}

/** Lists the statuses of a batch's items in order. */
export const statusesOf = (batch: ApiResponse['body']): string[] =>
  batch.generations.map(({ status }: { status: string }) => status);
