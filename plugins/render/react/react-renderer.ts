import type { CDPSession } from 'playwright-core';
import type { RawJson } from '../../../src/plugin.ts';
import { addStyles } from '../extra-styles.ts';
import { ENTRY, MAX_MARKUP_LENGTH, OUTCOME } from './outcome.ts';
import type { PageScripts } from './page-scripts.ts';
import { SourceFault } from './source-fault.ts';

/** A component to be rendered: its JSX or TSX source, its props, and CSS for the document that it becomes. */
export interface ReactDocument {
  source: string;
  data: RawJson;
  styles: string | undefined;
}

/**
 * Makes HTML of components. The source is compiled and run in a page alone, whose world must be new and is the component's from then
 * on; what comes back is text, which is then printed like any other HTML, on another page.
 */
export class ReactRenderer {
  readonly #scripts: () => Promise<PageScripts>;

  constructor(scripts: () => Promise<PageScripts>) {
    this.#scripts = scripts;
  }

  /** The script that must have run in the page's main world before {@link render}. */
  async prelude(): Promise<string> {
    return (await this.#scripts()).renderComponent;
  }

  /** Renders a component in the main world of a page. @throws {SourceFault} for what its author got wrong. */
  async render(session: CDPSession, { source, data, styles }: ReactDocument): Promise<string> {
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

  /** Nothing of a source that does not parse has run, so the page is still as it was. */
  async #locate(session: CDPSession, source: string): Promise<string> {
    const { findSyntaxError } = await this.#scripts();
    await session.send('Runtime.evaluate', { expression: findSyntaxError });
    return evaluate(session, `${ENTRY.findSyntaxError}(${JSON.stringify(source)})`);
  }
}

/**
 * Evaluates an expression; anything but a string of bounded length counts as an empty one. It is judged in the page, by operators
 * that no script can redefine, so that a long one never crosses to the service.
 */
async function evaluate(session: CDPSession, expression: string): Promise<string> {
  const bounded = `{
    const value = ${expression};
    typeof value === 'string' && value.length <= ${MAX_MARKUP_LENGTH + 1} ? value : '';
  }`;
  const { result } = await session.send('Runtime.evaluate', { expression: bounded, returnByValue: true });
  return typeof result.value === 'string' ? result.value : '';
}

/** Leaves to the parser where the head ends: React puts titles, links and style sheets of components first. */
function toDocument(markup: string): string {
  if (/^<!doctype/i.test(markup)) return markup;
  return `<!doctype html>${/^<html[\s>]/i.test(markup) ? '' : '<head>'}${markup}`;
}
