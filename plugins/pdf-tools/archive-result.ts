import type { Result } from '@platen/pdf';
import type { TaskClient } from '../../src/plugin.ts';
import type { Archive } from '../render/contract.ts';
import { settle } from './exchange.ts';

/** What a conversion to PDF/A may take: pages that are seen through are drawn. */
export const archiveLimits = { timeoutMs: 60_000 };

/** Gives the file of a conversion. @throws {AppError} VALIDATION_ERROR with a detail for each clause that it would break. */
export function settleArchive(call: Promise<Result<Uint8Array>>): Promise<Uint8Array> {
  return settle('pdf', call, archiveLimits.timeoutMs);
}

/** Makes what the plugin `render` prints archival. */
export function createArchiver(tasks: TaskClient<typeof import('./tasks.ts')>): Archive {
  return async (pdf) => {
    const printed = await settleArchive(tasks.archivePrinted({ pdf }, archiveLimits));
    return Buffer.from(printed.buffer, printed.byteOffset, printed.length);
  };
}
