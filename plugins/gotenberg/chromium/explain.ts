import { AppError } from '../../../src/plugin.ts';
import type { Rejection } from './judge.ts';

const CODES = { 400: 'VALIDATION_ERROR', 403: 'FORBIDDEN', 409: 'CONFLICT' } as const;

/** The texts of a form that errors quote. */
export interface Quoted {
  waitForExpression: string;
  waitForSelector: string;
  waitDelayMs: number;
  nativePageRanges?: string;
  selector?: string;
}

export const ABERRANT =
  'Chromium does not handle the provided settings; please check for aberrant form values';

/** Converts the error of a document to that of Gotenberg. Returns other errors unchanged. */
export function explain(error: unknown, rejection: Rejection | undefined, quoted: Quoted): unknown {
  if (!(error instanceof AppError)) return error;
  const [detail] = error.details;
  if (rejection && error.code === 'VALIDATION_ERROR')
    return new AppError(CODES[rejection.status], rejection.message, { cause: error });
  if (!detail) return error;
  if (detail.code === 'RENDER_TIMEOUT')
    return new AppError('UNAVAILABLE', 'Service Unavailable', { cause: error });
  if (error.code !== 'VALIDATION_ERROR') return error;
  const text = textOf(detail.path, quoted) ?? detail.message;
  return new AppError('VALIDATION_ERROR', text, { cause: error });
}

function textOf(path: string, quoted: Quoted): string | undefined {
  switch (path) {
    case 'options.waitFor.expression':
      return `The expression '${quoted.waitForExpression}' (waitForExpression) returned an exception or undefined`;
    case 'options.waitFor.selector':
      return `The selector '${quoted.waitForSelector}' (waitForSelector) returned an exception or undefined`;
    case 'page.waitFor.delayMs':
      return `Invalid form data: form field 'waitDelay' is invalid (got ${quoted.waitDelayMs} ms, which is not less than the time limit of a document)`;
    case 'page.nativePageRanges':
      return `The page ranges '${quoted.nativePageRanges ?? ''}' (nativePageRanges) exceeds the page count`;
    case 'page.paperIn':
    case 'page.marginsIn':
      return ABERRANT;
    case 'options.singlePage':
      return 'Chromium failed to print the PDF; this usually happens when the page is too large';
    case 'options.selector':
      return `The selector '${quoted.selector ?? ''}' (selector) matched no element with a visible box`;
    default:
      return undefined;
  }
}
