import { AppError, TimeSlice } from '../../src/plugin.ts';
import type { BackgroundGenerations, DocumentRequest, PlannedInput } from '../render/contract.ts';

/** Plans all items, or none. @throws {AppError} VALIDATION_ERROR that names the item and the field. */
export async function planAll(
  generations: BackgroundGenerations,
  items: readonly DocumentRequest[],
): Promise<PlannedInput[]> {
  const inputs: PlannedInput[] = [];
  const slice = new TimeSlice();
  for (const [index, item] of items.entries()) {
    inputs.push(planItem(generations, index, item));
    if (slice.isOver) await slice.next();
  }
  return inputs;
}

function planItem(generations: BackgroundGenerations, index: number, item: DocumentRequest): PlannedInput {
  try {
    return generations.plan(item);
  } catch (error) {
    throw error instanceof AppError ? ofItem(index, error) : error;
  }
}

/** Puts the item before the path of the field at fault. */
function ofItem(index: number, { code, message, details }: AppError): AppError {
  const [detail = { path: '', message }] = details;
  const path = `items[${index}]${detail.path ? `.${detail.path}` : ''}`;
  return new AppError(code, `${path}: ${detail.message}`, { details: [{ path, message: detail.message }] });
}
