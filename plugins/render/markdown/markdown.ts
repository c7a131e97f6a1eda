import { decodeText, encodeText, explainTaskFailure, type Sandbox } from '../../../src/plugin.ts';
import { RenderError, toTemplateError } from '../render-error.ts';

/**
 * Converts GitHub-flavoured Markdown to an HTML document with the default style sheet, or to the content of a
 * body.
 * @throws {RenderError} when it has no result.
 */
export type ConvertMarkdown = (markdown: string, options?: { isFragment?: boolean }) => Promise<string>;

const TIMEOUT_MS = 10_000;

const FAILURES = {
  path: 'markdown',
  deadline: `parsing the Markdown takes longer than ${TIMEOUT_MS} ms`,
  memory: 'parsing the Markdown exceeds the memory limit',
  waiting: 'documents',
  failed: 'the Markdown could not be parsed',
};

/** Creates the conversion, which runs in the sandbox. */
export function createMarkdownConversion(sandbox: Sandbox): ConvertMarkdown {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  return async (markdown, { isFragment = false } = {}) => {
    try {
      const input = { markdown: await encodeText(markdown), isFragment };
      const result = await tasks.renderMarkdown(input, { timeoutMs: TIMEOUT_MS });
      if (!result.ok) throw new RenderError('TEMPLATE_ERROR', result.message, { path: 'markdown' });
      return await decodeText(result.value);
    } catch (error) {
      throw toTemplateError(explainTaskFailure(error, FAILURES));
    }
  };
}
