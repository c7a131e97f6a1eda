import type { RawJson } from '../../../src/plugin.ts';
import { addStyles } from '../source/extra-styles.ts';
import { ENTRY, MAX_MARKUP_LENGTH, OUTCOME } from './outcome.ts';
import type { ReactScripts } from './react-scripts.ts';
import { SourceFault } from './source-fault.ts';
import type { PageSession } from '../browser/page-session.ts';

/** A component to render: its JSX or TSX source, its props, and CSS to add to the document. */
export interface ReactDocument {
  source: string;
  data: RawJson;
  styles: string | undefined;
}

/**
 * Renders components to HTML. The source is compiled and run only in a browser page, whose world must be new
 * and can be modified by the component. The result is text, which another browser page prints like any other
 * HTML.
 */
export class ReactRenderer {
  readonly #scripts: () => Promise<ReactScripts>;

  constructor(scripts: () => Promise<ReactScripts>) {
    this.#scripts = scripts;
  }

  /** Returns the script that must run in the main world of the browser page before {@link render}. */
  async prelude(): Promise<string> {
    return (await this.#scripts()).renderComponent;
  }

  /**
   * Renders a component in the main world of a browser page.
   * @throws {SourceFault} for an error in the component.
   */
  async render(session: PageSession, { source, data, styles }: ReactDocument): Promise<string> {
    const props = JSON.stringify(data.text);
    const outcome = await evaluate(session, `${ENTRY.renderComponent}(${JSON.stringify(source)}, ${props})`);
    const text = outcome.slice(1);
    if (outcome.startsWith(OUTCOME.markup)) return addStyles(toDocument(text), styles);
    throw new SourceFault(
      (outcome.startsWith(OUTCOME.syntax) && (await this.#locate(session, source))) ||
        text ||
        'the component could not be rendered',
    );
  }

  /**
   * Locates a syntax error. A source that does not parse has not run, so it has changed nothing in the
   * browser page.
   */
  async #locate(session: PageSession, source: string): Promise<string> {
    const { findSyntaxError } = await this.#scripts();
    await session.send('Runtime.evaluate', { expression: findSyntaxError });
    return evaluate(session, `${ENTRY.findSyntaxError}(${JSON.stringify(source)})`);
  }
}

/**
 * Evaluates an expression. Returns an empty string unless the value is a string within the length limit. The
 * check runs in the browser page, with operators that no script can redefine, so that a long string never
 * reaches the service.
 */
async function evaluate(session: PageSession, expression: string): Promise<string> {
  const bounded = `{
    const value = ${expression};
    typeof value === 'string' && value.length <= ${MAX_MARKUP_LENGTH + 1} ? value : '';
  }`;
  const { result } = await session.send('Runtime.evaluate', { expression: bounded, returnByValue: true });
  return typeof result.value === 'string' ? result.value : '';
}

/**
 * Adds the start of a document. The parser finds the end of the head, because React moves titles, links and
 * style sheets to the front.
 */
function toDocument(markup: string): string {
  if (/^<!doctype/i.test(markup)) return markup;
  return `<!doctype html>${/^<html[\s>]/i.test(markup) ? '' : '<head>'}${markup}`;
}
