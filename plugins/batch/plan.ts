import { AppError } from '../../src/plugin.ts';
import type { BackgroundGenerations, DocumentRequest, PlannedInput } from '../render/contract.ts';

/** Characters of JSON that are made before other requests have their turn. */
const PLANNED_AT_ONCE = 1_000_000;

/** Plans all items, or none. @throws {AppError} VALIDATION_ERROR that names the item and the field. */
export async function planAll(
  generations: BackgroundGenerations,
  items: readonly DocumentRequest[],
): Promise<PlannedInput[]> {
  const inputs: PlannedInput[] = [];
  let planned = 0;
  for (const [index, item] of items.entries()) {
    const input = planItem(generations, index, item);
    inputs.push(input);
    planned += input.input.length;
    if (planned < PLANNED_AT_ONCE) continue;
    planned = 0;
    await Bun.sleep(0);
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
