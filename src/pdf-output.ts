import type { Result } from '@platen/pdf';
import { Type, type Static } from '@sinclair/typebox';
import { AppError } from './errors.ts';
import { LINK_LIFETIME_MS, type FileStore } from './files/files.ts';
import { FileInput } from './http/body/file-input.ts';
import { LongText } from './http/body/long-text.ts';
import { newId } from './ids.ts';
import { explainTaskFailure } from './sandbox/explain-failure.ts';

// How routes receive PDFs (in base64) and return them (in base64, or as a link to the stored file).

/** A PDF in a request body. */
export const PdfInput = FileInput({
  expected: 'a PDF as a base64 string',
  description:
    'A PDF in base64, at most 27,000,000 bytes decoded. The prefix `data:application/pdf;base64,` is accepted.',
});

/** The largest body with one PDF: 27,000,000 bytes become 36,000,000 characters of base64, plus escaped line breaks. */
export const ONE_PDF_BODY_BYTES = 40_000_000;

/** The `output` of a request: how the result is returned. */
export const OutputChoice = Type.Optional(
  Type.Union([Type.Literal('url'), Type.Literal('base64')], {
    description:
      'How the PDF is returned: a link to the stored file (url, the default), or the file itself (base64).',
  }),
);

/** The properties of a response that contains a PDF. */
export const pdfAnswerProperties = {
  url: Type.Optional(Type.String({ description: 'A link that needs no API key; present with output url.' })),
  data: Type.Optional(
    LongText({ expected: 'base64', description: 'The PDF in base64; present with output base64.' }),
  ),
  file_size: Type.Integer({ description: 'Bytes.' }),
};

/** A response that contains a PDF. */
export const PdfAnswer = Type.Object(pdfAnswerProperties, { title: 'PdfResult' });

/** Returns the response for a PDF: a 30-day link to the stored file, or the bytes, which the response encodes in base64. */
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

/** The limits of a task that processes one PDF. The largest files need a fifth of the time on a busy machine. */
export const pdfTaskLimits = { timeoutMs: TASK_TIMEOUT_MS };

const TASK_FAILURES = {
  memory: 'processing the PDF exceeds the memory limit; the file may be damaged',
  waiting: 'PDFs',
  failed: 'the PDF could not be processed',
};

/**
 * Returns the value of a task on PDFs. When the task fails or exceeds `timeoutMs`, the error names `field`.
 * @throws {AppError} VALIDATION_ERROR for a failed result; the error of `explainTaskFailure` for a call without a result
 */
export async function unwrapTaskResult<T>(
  field: string,
  call: Promise<Result<T>>,
  timeoutMs = TASK_TIMEOUT_MS,
): Promise<T> {
  const deadline = `processing the PDF takes longer than ${timeoutMs / 1000} s; the file may be damaged`;
  const result = await call.catch((error: unknown) => {
    throw explainTaskFailure(error, { ...TASK_FAILURES, deadline, path: field });
  });
  if (result.ok) return result.value;
  const { part: path = field, message, details = [message] } = result;
  throw new AppError('VALIDATION_ERROR', `${path}: ${message}`, {
    details: details.map((detail) => ({ path, message: detail })),
  });
}
