import { RenderError } from '../render-error.ts';

/** As many as the markup of a component may have. */
const MAX_CHARACTERS = 20_000_000;

const READ_MARKUP = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const type = read('doctype');
  const markup = (type ? new XMLSerializer().serializeToString(type) : '') +
    Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML').get.call(read('documentElement'));
  return markup.length > ${MAX_CHARACTERS} ? null : markup;
})()`;

/** Reads the markup of the current document, with its doctype. @throws {RenderError} for too much of it */
export async function readMarkup(evaluate: (expression: string) => Promise<unknown>): Promise<string> {
  const markup = await evaluate(READ_MARKUP);
  if (typeof markup === 'string') return markup;
  throw new RenderError('RENDER_FAILED', `the markup of the page has more than ${MAX_CHARACTERS} characters`);
}
