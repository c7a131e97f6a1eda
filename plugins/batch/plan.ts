import { AppError, TimeSlice } from '../../src/plugin.ts';
import type { DocumentRequest, PlannedInput, QueuedGenerations } from '../render/contract.ts';

/** Plans all items. @throws {AppError} VALIDATION_ERROR that names the first invalid item and the field. */
export async function planAll(
  items: Pick<QueuedGenerations, 'plan'>,
  accountId: string,
  requests: readonly DocumentRequest[],
): Promise<PlannedInput[]> {
  const inputs: PlannedInput[] = [];
  const slice = new TimeSlice();
  for (const [index, request] of requests.entries()) {
    try {
      inputs.push(await items.plan(accountId, request));
    } catch (error) {
      throw error instanceof AppError ? withItemPath(index, error) : error;
    }
    if (slice.isOver) await slice.next();
  }
  return inputs;
}

/** Prefixes the path of the invalid field with the item. */
function withItemPath(index: number, { code, message, details }: AppError): AppError {
  const [detail = { path: '', message }] = details;
  const path = `items[${index}]${detail.path ? `.${detail.path}` : ''}`;
  return new AppError(code, `${path}: ${detail.message}`, { details: [{ path, message: detail.message }] });
}
