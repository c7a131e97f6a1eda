import { AppError } from '../../../src/plugin.ts';

/** The texts that Gotenberg has for requests that no PDF engine can process. */
const SPLIT_MODE =
  "The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'.";
const FORMAT = 'The requested PDF format is not supported, or no PDF engine could apply it.';
const FORMATS = 'Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.';

/** Creates the error for a selection of pages that cannot be read. */
export function unsupportedSplit(): AppError {
  return new AppError('VALIDATION_ERROR', SPLIT_MODE);
}

/** Creates the error for a PDF format that does not exist. LibreOffice's text names the format. */
export function unsupportedFormat(format: string, { isNative }: { isNative: boolean }): AppError {
  const reason = isNative ? `The PDF format '${format}' is not supported.` : FORMAT;
  return new AppError('VALIDATION_ERROR', `${reason} ${FORMATS}`);
}

/** Creates the error for a field whose value cannot be used. */
export function invalidField(field: string, reason: string): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid form data: form field '${field}' is invalid (${reason})`);
}

/** The fields of the form from which the fields of a step come. */
const FORM_FIELDS: Readonly<Record<string, string>> = {
  protect: 'userPassword',
  properties: 'metadata',
  outline: 'bookmarks',
  attachments: 'embeds',
  invoice: 'facturxXml',
  pages: 'rotatePages',
  split: 'splitSpan',
  number: 'stampExpression',
};

/**
 * Names the file of the caller in an error of an operation, instead of the step and field of the pipeline:
 * `the file 'a.pdf' is not a PDF but HTML`.
 */
export function explainOperation(
  error: unknown,
  { names, steps }: { names: readonly string[]; steps: readonly { do: string }[] },
): unknown {
  const [detail] = error instanceof AppError ? error.details : [];
  if (!(error instanceof AppError) || !detail) return error;
  const [, index = '', field = ''] = /^steps\.(\d{1,6})(?:\.(.*))?$/.exec(detail.path) ?? [];
  const own = /^pdfs?(?:\[(\d+)\])?$/.exec(field === '' && index === '' ? detail.path : field);
  const { code, retryAfterSeconds, cause } = error;
  const options = { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const again = (message: string) => new AppError(code, message, options);
  if (code === 'VALIDATION_ERROR' && detail.message.startsWith('has no tags'))
    return new AppError(
      'NOT_IMPLEMENTED',
      'Platen cannot convert to PDF/UA: the PDF has no tags, and Platen does not add them to an existing PDF.',
    );
  if (field === 'pdfs') return again(`Invalid form data: ${detail.message}`);
  const name = names[Number(own?.[1] ?? 0)] ?? names[0] ?? '';
  if (own) return again(`The file '${name}' ${detail.message}`);
  if (field === '') return again(`The file '${name}' cannot be processed: ${detail.message}`);
  const operation = steps[Number(index)]?.do ?? '';
  const isMark = operation === 'watermark' || operation === 'stamp';
  const formField = isMark ? `${operation}${markField(field)}` : FORM_FIELDS[operation];
  return again(invalidField(formField ?? operation, detail.message).message);
}

function markField(field: string): string {
  if (field === 'text') return 'Expression';
  if (field === 'image' || field === 'overlay') return '';
  return field === 'pages' ? 'Pages' : 'Options';
}
