import type { Result } from '@platen/pdf';
import { Type, type Static } from '@sinclair/typebox';
import { AppError } from './errors.ts';
import { LINK_LIFETIME_MS, type FileStore } from './files/files.ts';
import { LongText } from './http/body/long-text.ts';
import { newId } from './ids.ts';
import { explainTaskFailure } from './sandbox/explain-failure.ts';

// How routes take PDFs, and how they return them: in base64, or as a link to the stored file.

/** A PDF in the body of a request. */
export const PdfInput = LongText({
  expected: 'a PDF as a string in base64',
  description:
    'A PDF in base64, at most 27,000,000 bytes decoded. The prefix `data:application/pdf;base64,` is accepted.',
});

/** The largest body with one PDF: 27,000,000 bytes are 36,000,000 characters of base64, and escaped line breaks add to them. */
export const ONE_PDF_BODY_BYTES = 40_000_000;

/** The `output` of a request: how the result is returned. */
export const OutputChoice = Type.Optional(
  Type.Union([Type.Literal('url'), Type.Literal('base64')], {
    description: 'A link to the stored file (url, when absent), or the file itself.',
  }),
);

/** The properties of an answer that carries a PDF. */
export const pdfAnswerProperties = {
  url: Type.Optional(Type.String({ description: 'A link that needs no key, with output url.' })),
  data: Type.Optional(
    LongText({ expected: 'base64', description: 'The PDF in base64, with output base64.' }),
  ),
  file_size: Type.Integer({ description: 'Bytes.' }),
};

/** An answer that carries a PDF. */
export const PdfAnswer = Type.Object(pdfAnswerProperties);

/** Returns a PDF in an answer: stored, with a link that is valid for 30 days, or as bytes that the answer has in base64. */
export async function deliverPdf(
  files: FileStore,
  pdf: Uint8Array,
  output: 'url' | 'base64' = 'url',
): Promise<Static<typeof PdfAnswer>> {
  if (output === 'base64') return { data: pdf, file_size: pdf.length };
  const fileId = newId('file_');
  await files.put(fileId, pdf);
  const url = await files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS });
  return { url, file_size: pdf.length };
}

const TASK_TIMEOUT_MS = 20_000;

/** The limits of a task that works on one PDF. The largest files need a fifth of the time on a busy machine. */
export const pdfTaskLimits = { timeoutMs: TASK_TIMEOUT_MS };

const blame = {
  memory: 'needs more memory to work on than it may have; it may be damaged',
  waiting: 'PDFs',
  failed: 'the PDF could not be worked on',
};

/**
 * Returns the value of a task on PDFs. `field` is at fault when the task did not survive; the task had `timeoutMs`.
 * @throws {AppError} VALIDATION_ERROR for a failed result; what `explainTaskFailure` makes of a call without a result.
 */
export async function unwrapTaskResult<T>(
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
