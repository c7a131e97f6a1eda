import { AppError, invalid, ToolTaskError, type Handlebars } from '../../src/plugin.ts';

const PARSE_TIMEOUT_MS = 5_000;

/**
 * Parses a template in the tool process.
 * @throws {AppError} VALIDATION_ERROR of `html_content` with line and column; RATE_LIMITED when too many templates wait.
 */
export async function requireTemplate(handlebars: Handlebars, html: string): Promise<void> {
  const result = await handlebars
    .parseTemplate({ source: html }, { timeoutMs: PARSE_TIMEOUT_MS })
    .catch((error: unknown) => {
      throw error instanceof ToolTaskError ? toAppError(error) : error;
    });
  if (!result.ok) throw invalid('html_content', result.message);
}

function toAppError(error: ToolTaskError): AppError {
  switch (error.reason) {
    case 'deadline':
      return invalid('html_content', `the template was not parsed after ${PARSE_TIMEOUT_MS} ms`);
    case 'memory':
    case 'crash':
      return invalid('html_content', 'the template needs more memory than it may have');
    case 'busy':
    case 'aborted':
      return new AppError('RATE_LIMITED', 'the service is busy: too many templates wait', {
        retryAfterSeconds: 2,
      });
    case 'error':
      return new AppError('INTERNAL_ERROR', 'the template could not be parsed', { cause: error });
  }
}
