import { AppError, type TaskClient, type TaskResult } from '../../src/plugin.ts';
import type { Archive } from '../render/contract.ts';
import { settle } from './exchange.ts';
import type { Archived } from './tasks.ts';

/** What a conversion to PDF/A may take: pages that are seen through are drawn. */
export const archiveLimits = { timeoutMs: 60_000 };

/** Gives the file of a conversion. @throws {AppError} VALIDATION_ERROR with a detail for each clause that it would break. */
export async function settleArchive(call: Promise<TaskResult<Archived>>): Promise<Uint8Array> {
  const archived = await settle('pdf', call, archiveLimits.timeoutMs);
  if ('pdf' in archived) return archived.pdf;
  const reasons = archived.violations.map(({ clause, message }) => `${clause}: ${message}`);
  throw new AppError('VALIDATION_ERROR', `pdf: cannot be made PDF/A-1b: ${reasons[0] ?? ''}`, {
    details: reasons.map((message) => ({ path: 'pdf', message })),
  });
}

/** Makes what the plugin `render` prints archival. */
export function createArchiver(tasks: TaskClient<typeof import('./tasks.ts')>): Archive {
  return async (pdf) => {
    const printed = await settleArchive(tasks.archivePrinted({ pdf }, archiveLimits));
    return Buffer.from(printed.buffer, printed.byteOffset, printed.length);
  };
}
