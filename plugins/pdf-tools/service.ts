import {
  AppError,
  invalid,
  LINK_LIFETIME_MS,
  newId,
  ToolTaskError,
  type FileStore,
  type TaskClient,
  type TaskResult,
} from '../../src/plugin.ts';
import type { Output, PdfToolsService, ResultFile } from './contract.ts';

/** What a call may take in the tool process; the largest files need a fifth of it on a busy machine. */
const TASK_TIMEOUT_MS = 20_000;

/** The tasks of `tasks.ts`, called in the tool process. */
export type PdfTasks = TaskClient<typeof import('./tasks.ts')>;

/** Makes the operations over the tool process and the file store. */
export function createPdfToolsService({
  tasks,
  files,
}: {
  tasks: PdfTasks;
  files: FileStore;
}): PdfToolsService {
  async function hand(pdf: Uint8Array, output: Output): Promise<ResultFile> {
    const sizeBytes = pdf.length;
    if (output === 'base64')
      return { sizeBytes, base64: Buffer.from(pdf.buffer, pdf.byteOffset, sizeBytes).toString('base64') };
    const fileId = newId('file_');
    await files.put(fileId, pdf);
    return { sizeBytes, fileId };
  }

  return {
    async merge(pdfs, output) {
      return hand(await settle('pdfs', tasks.merge({ pdfs: [...pdfs] }, limits)), output);
    },
    async split(pdf, ranges, output) {
      const parts = await settle(
        'pdf',
        tasks.split({ pdf, ranges: ranges?.map((range) => [...range]) }, limits),
      );
      const handed: ResultFile[] = [];
      for (const part of parts) handed.push(await hand(part, output));
      return handed;
    },
    info: (pdf) => settle('pdf', tasks.info({ pdf }, limits)),
    link: (fileId) => files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS }),
  };
}

const limits = { timeoutMs: TASK_TIMEOUT_MS };

/** Gives a task's value, or throws what the caller is to be told; `field` is what is blamed when the tool process did not survive. */
async function settle<T>(field: string, call: Promise<TaskResult<T>>): Promise<T> {
  const result = await call.catch((error: unknown) => {
    throw error instanceof ToolTaskError ? toAppError(field, error) : error;
  });
  if (!result.ok) throw invalid(result.part ?? field, result.message);
  return result.value;
}

function toAppError(field: string, error: ToolTaskError): AppError {
  switch (error.reason) {
    case 'deadline':
      return invalid(field, `takes longer than ${TASK_TIMEOUT_MS / 1000} s to work on; it may be damaged`);
    case 'memory':
    case 'crash':
      return invalid(field, 'needs more memory to work on than it may have; it may be damaged');
    case 'busy':
    case 'aborted':
      return new AppError('RATE_LIMITED', 'the service is busy: too many PDFs wait', {
        retryAfterSeconds: 2,
      });
    case 'error':
      return new AppError('INTERNAL_ERROR', 'the PDF could not be worked on', { cause: error });
  }
}
