import { STATUS_CODES } from 'node:http';
import { type AppError, type AuthenticationScheme, type Protocol } from '../../src/plugin.ts';
import type { Settings } from './settings.ts';
import { traceOf } from './trace.ts';

/** Errors whose text is that of their status, as in Gotenberg. Others have a sentence of their own. */
const WITHOUT_SENTENCE: readonly string[] = [
  'UNAUTHORIZED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'INTERNAL_ERROR',
];

/** Creates the protocol of Gotenberg's routes: errors are text, and every response names its trace. */
export function createProtocol(
  { rootPath, traceHeader, unlogged }: Pick<Settings, 'rootPath' | 'traceHeader' | 'unlogged'>,
  authentication: readonly AuthenticationScheme[],
): Protocol {
  return {
    name: 'Gotenberg',
    prefixes: [`${rootPath}forms/`, ...(rootPath === '/' ? [] : [rootPath])],
    authentication,
    responseHeaders: (request) => ({ [traceHeader.toLowerCase()]: traceOf(request, traceHeader) }),
    logFields: (request) => ({ correlation_id: traceOf(request, traceHeader), path: pathOf(request) }),
    isLogged: (request) => !unlogged.includes(pathOf(request)),
    presentError(error, context) {
      const { status, message } = describeError(error, context.status);
      return {
        status,
        headers: {
          'content-type': 'text/plain; charset=UTF-8',
          ...(status === 401 && { 'www-authenticate': 'basic realm=Restricted' }),
        },
        body: message,
      };
    },
    documentation: {
      mediaType: 'text/plain',
      errors: {
        400: 'The form is invalid, or its document has a fault; the text names the field.',
        401: 'The credentials are missing or wrong.',
        403: 'The account has reached its monthly limit or lacks a permission, or a list of the operator denies a URL.',
        409: 'The page failed in a way that the form asked for.',
        413: 'The form is larger than the limit.',
        415: 'The body is not multipart/form-data.',
        429: 'Too many requests; retry after the seconds in `Retry-After`.',
        500: 'The service failed.',
        501: 'The service does not support this operation, or a program that it needs is not installed.',
        503: 'The request took longer than the limit, or the service is stopping.',
      },
      security: {
        basicKey: {
          type: 'http',
          scheme: 'basic',
          description: 'Any name, and an API key as the password; or the name and password of the operator.',
        },
      },
    },
  };
}

function pathOf({ url }: Request): string {
  return URL.parse(url, 'http://localhost')?.pathname ?? '';
}

/** Returns the status and the text of an error, whose code has the given status. */
export function describeError(error: AppError, status: number): { status: number; message: string } {
  if (error.isTooLarge) return { status: 413, message: statusText(413) };
  return { status, message: WITHOUT_SENTENCE.includes(error.code) ? statusText(status) : error.message };
}

/** Returns the text of a status as Go's `http.StatusText`. */
function statusText(status: number): string {
  return status === 413 ? 'Request Entity Too Large' : (STATUS_CODES[status] ?? '');
}
