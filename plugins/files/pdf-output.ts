import type { Result } from '@platen/pdf';
import { AppError, explainTaskFailure, fieldGroup, FileInput, LongText, Type } from '../../src/plugin.ts';
import { resultFields, resultResponseProperties } from './result-properties.ts';

const Pdf = FileInput({
  title: 'PdfInput',
  expected: 'a PDF as a file part, a base64 string or an id',
  description:
    'A PDF in base64, at most 27,000,000 bytes decoded; the prefix `data:application/pdf;base64,` is accepted. Or the id of a file or generation of the same account: `file_…`, `gen_…`.',
});

/**
 * The largest body with one PDF: 27,000,000 bytes become 36,000,000 characters of base64, plus escaped line
 * breaks.
 */
export const ONE_PDF_BODY_BYTES = 40_000_000;

/** The fields of a request whose result is a PDF, and of one that also takes a PDF. */
const pdfResultFields = fieldGroup('PdfResultFields', {
  output: Type.Optional(
    Type.Union([Type.Literal('url'), Type.Literal('base64'), Type.Literal('binary')], {
      title: 'Output',
      description:
        'How the PDF is returned: JSON with a link to the stored file (url, the default) or with the file in base64, or the file itself as the response (binary). By default, a request whose Accept header prefers the file to JSON gets the file.',
    }),
  ),
  ...resultFields,
});
const pdfRequestFields = fieldGroup('PdfRequest', { pdf: Pdf, ...pdfResultFields });

/** A PDF in a request body. */
export const PdfInput = pdfRequestFields.pdf;

/** The `output` of a request: how the result is returned. */
export const OutputChoice = pdfRequestFields.output;

/** The properties of a response that contains a PDF. */
export const pdfResponseProperties = fieldGroup('PdfResult', {
  url: Type.Optional(Type.String({ description: 'A link that needs no API key; present with output url.' })),
  data: Type.Optional(
    LongText({ expected: 'base64', description: 'The PDF in base64; present with output base64.' }),
  ),
  file_size: Type.Integer({ description: 'Bytes.' }),
  file_id: Type.String({
    description: 'The id of the stored file, for `/v1/files` and for requests that take a PDF.',
  }),
  ...resultResponseProperties,
});

/** The properties of a response that contains a PDF or something else. */
export const optionalPdfProperties = fieldGroup(
  'OptionalPdfResult',
  Type.Partial(Type.Object(pdfResponseProperties)).properties,
);

/** A response that contains a PDF. */
export const PdfResponse = Type.Object(pdfResponseProperties, { title: 'PdfResult' });

const TASK_TIMEOUT_MS = 20_000;

/**
 * The limits of a task that processes one PDF. On a busy machine, the largest files need a fifth of this
 * time.
 */
export const pdfTaskLimits = { timeoutMs: TASK_TIMEOUT_MS };

const TASK_FAILURES = {
  memory: 'processing the PDF exceeds the memory limit; the file may be damaged',
  waiting: 'PDFs',
  failed: 'the PDF could not be processed',
};

/**
 * Returns the value of a task on PDFs. When the task fails or exceeds `timeoutMs`, the error names `field`.
 * @throws {AppError} VALIDATION_ERROR for a failed result; the error of `explainTaskFailure` for a call
 * without a result
 */
export async function unwrapTaskResult<T>(
  field: string,
  call: Promise<Result<T>>,
  timeoutMs = TASK_TIMEOUT_MS,
): Promise<T> {
  const deadline = `processing the PDF takes longer than ${timeoutMs / 1000} s`;
  const result = await call.catch((error: unknown) => {
    throw explainTaskFailure(error, { ...TASK_FAILURES, deadline, path: field });
  });
  if (result.ok) return result.value;
  const { part: path = field, message, details = [message] } = result;
  throw new AppError('VALIDATION_ERROR', `${path}: ${message}`, {
    details: details.map((detail) => ({ path, message: detail })),
  });
}
