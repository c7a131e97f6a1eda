import { explainTaskFailure, invalid, type Handlebars } from '../../src/plugin.ts';

const PARSE_TIMEOUT_MS = 5_000;

const blame = {
  path: 'html_content',
  deadline: `the template was not parsed after ${PARSE_TIMEOUT_MS} ms`,
  memory: 'the template needs more memory than it may have',
  waiting: 'templates',
  failed: 'the template could not be parsed',
};

/**
 * Parses a template in the sandbox.
 * @throws {AppError} VALIDATION_ERROR of `html_content` with line and column; RATE_LIMITED when too many templates wait.
 */
export async function requireTemplate(handlebars: Handlebars, html: string): Promise<void> {
  const result = await handlebars
    .parseTemplate({ source: html }, { timeoutMs: PARSE_TIMEOUT_MS })
    .catch((error: unknown) => {
      throw explainTaskFailure(error, blame);
    });
  if (!result.ok) throw invalid('html_content', result.message);
}
