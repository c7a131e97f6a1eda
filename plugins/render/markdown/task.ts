import type { TaskResult } from '../../../src/plugin.ts';
import { parser, textOf } from './parser.ts';
import { MARKDOWN_STYLE } from './style.ts';

type Tokens = ReturnType<typeof parser.parse>;

/** The maximum length of Markdown, in characters. */
export const MAX_MARKDOWN_CHARACTERS = 2_000_000;

/**
 * The maximum length of the HTML. A reference that is used often can make it much longer than the Markdown.
 */
const MAX_HTML_CHARACTERS = 30_000_000;

/**
 * Converts Markdown to an HTML document with the default style sheet, or to the content of a body. Texts are
 * UTF-8, which the service encodes and decodes in slices.
 */
export function renderMarkdown({
  markdown,
  isFragment,
}: {
  markdown: Uint8Array;
  isFragment: boolean;
}): TaskResult<Uint8Array> {
  const text = new TextDecoder().decode(markdown);
  if (text.length > MAX_MARKDOWN_CHARACTERS)
    return fault(`the Markdown has more than ${MAX_MARKDOWN_CHARACTERS} characters`);
  const environment = {};
  const tokens = parser.parse(text, environment);
  if (lengthOf(tokens) > MAX_HTML_CHARACTERS)
    return fault(`the HTML of the Markdown has more than ${MAX_HTML_CHARACTERS} characters`);
  const body = parser.renderer.render(tokens, parser.options, environment);
  if (isFragment) return { ok: true, value: Buffer.from(body) };
  const heading = tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1];
  const title = heading?.type === 'inline' ? parser.utils.escapeHtml(textOf(heading)) : '';
  const head = `<meta charset="utf-8"><title>${title}</title><style>${MARKDOWN_STYLE}</style>`;
  return {
    ok: true,
    value: Buffer.from(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`),
  };
}

/** Returns the length of the attributes and texts, before anything copies them. */
function lengthOf(tokens: Tokens): number {
  let length = 0;
  for (const { attrs, content, children } of tokens) {
    length += children ? lengthOf(children) : content.length;
    for (const [, value] of attrs ?? []) length += String(value).length;
  }
  return length;
}

function fault(message: string): TaskResult<never> {
  return { ok: false, code: 'TEMPLATE_ERROR', message };
}
