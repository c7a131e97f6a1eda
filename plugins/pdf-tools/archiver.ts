import { unwrapTaskResult, type Tools } from '../../src/plugin.ts';
import type { Archive } from '../render/contract.ts';

const TIMEOUT_MS = 60_000;

/** Makes the conversion to PDF/A that the plugin `render` offers as an option. */
export function createArchiver(tools: Tools): Archive {
  const tasks = tools.load<typeof import('@platen/pdf/pdfa-task')>(
    new URL(import.meta.resolve('@platen/pdf/pdfa-task')),
  );
  return async (pdf) => {
    const call = tasks.convert({ pdf }, { timeoutMs: TIMEOUT_MS });
    const converted = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
    return Buffer.from(converted.buffer, converted.byteOffset, converted.length);
  };
}
