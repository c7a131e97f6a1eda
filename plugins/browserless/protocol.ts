import { type AppError, type AuthenticationScheme, type Protocol } from '../../src/plugin.ts';

/** The text of errors that have none of their own in browserless. */
const TEXTS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Bad or missing authentication.',
  INTERNAL_ERROR: 'Internal Server Error',
};

const PREFIX = '/chromium/';

/** Creates the protocol of browserless' routes: errors are text. */
export function createProtocol(authentication: readonly AuthenticationScheme[]): Protocol {
  return {
    name: 'Browserless',
    prefixes: [PREFIX],
    authentication,
    presentError: (error, { status }) => ({ status: statusOf(error, status), body: textOf(error) }),
    documentation: {
      mediaType: 'text/plain',
      errors: {
        400: 'The body is invalid, which the text says by naming the option, or the page has a fault.',
        401: 'The token is missing or wrong.',
        403: 'The account has reached its monthly limit, or the key lacks a permission.',
        408: 'The page took longer than the limit.',
        413: 'The body is larger than the limit.',
        415: 'The body is not JSON, or it is compressed.',
        429: 'Too many requests; retry after the seconds in `Retry-After`.',
        500: 'The service failed.',
        503: 'A part of the service is unavailable.',
      },
      security: {
        tokenQuery: { type: 'apiKey', in: 'query', name: 'token', description: 'An API key.' },
      },
    },
  };
}

function statusOf(error: AppError, status: number): number {
  if (error.isTooLarge) return 413;
  return error.details.some(({ code }) => code === 'RENDER_TIMEOUT') ? 408 : status;
}

function textOf(error: AppError): string {
  const text = TEXTS[error.code];
  if (text !== undefined) return text;
  const faults = error.details.filter(({ code, path }) => code === undefined && path !== '');
  if (error.code !== 'VALIDATION_ERROR' || faults.length === 0) return error.message;
  const list = faults.map(
    ({ path, message }) => `"${path}" ${message.replace(/^unknown field;/, 'is not allowed;')}`,
  );
  return `POST Body validation failed: ${list.join('; ')}`;
}
