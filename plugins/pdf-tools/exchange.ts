import type { Result } from '@platen/pdf';
import {
  AppError,
  explainTaskFailure,
  LINK_LIFETIME_MS,
  newId,
  type FileStore,
  type Static,
} from '../../src/plugin.ts';
import type { FileAnswer } from './exchange-schemas.ts';

/** How a resulting PDF is to be handed over: stored, or inline. */
export type Output = 'url' | 'base64';

/** A PDF that an operation made: stored under an id, or its bytes, which an answer carries in base64. */
export type ResultFile = { sizeBytes: number } & ({ fileId: string } | { bytes: Uint8Array });

/** What a call may take in the tool process; the largest files need a fifth of it on a busy machine. */
const TASK_TIMEOUT_MS = 20_000;

/** The limits of a task that works on one PDF. */
export const taskLimits = { timeoutMs: TASK_TIMEOUT_MS };

/** 27,000,000 bytes are 36,000,000 characters of base64; line breaks in it, escaped, are some more. */
export const ONE_PDF_BYTES = 40_000_000;

const blame = {
  memory: 'needs more memory to work on than it may have; it may be damaged',
  waiting: 'PDFs',
  failed: 'the PDF could not be worked on',
};

/**
 * Gives a task's value; `field` is what is blamed when the tool process did not survive the task, which had so many milliseconds.
 * @throws {AppError} what the caller is to be told.
 */
export async function settle<T>(
  field: string,
  call: Promise<Result<T>>,
  timeoutMs = TASK_TIMEOUT_MS,
): Promise<T> {
  const deadline = `takes longer than ${timeoutMs / 1000} s to work on; it may be damaged`;
  const result = await call.catch((error: unknown) => {
    throw explainTaskFailure(error, { ...blame, deadline, path: field });
  });
  if (result.ok) return result.value;
  const { part: path = field, message, details = [message] } = result;
  throw new AppError('VALIDATION_ERROR', `${path}: ${message}`, {
    details: details.map((detail) => ({ path, message: detail })),
  });
}

/** Hands a PDF over as its caller wants it. */
export async function handOver(files: FileStore, pdf: Uint8Array, output: Output): Promise<ResultFile> {
  const sizeBytes = pdf.length;
  if (output === 'base64') return { sizeBytes, bytes: pdf };
  const fileId = newId('file_');
  await files.put(fileId, pdf);
  return { sizeBytes, fileId };
}

/** Makes a link to a stored result that holds 30 days. */
export function linkTo(files: FileStore, fileId: string): Promise<string> {
  return files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS });
}

/** Presents a PDF that an operation made: a link, or the file in base64. */
export async function presentFile(
  file: ResultFile,
  service: { link(fileId: string): Promise<string> },
): Promise<Static<typeof FileAnswer>> {
  const { sizeBytes } = file;
  if ('bytes' in file) return { data: file.bytes, file_size: sizeBytes };
  return { url: await service.link(file.fileId), file_size: sizeBytes };
}
