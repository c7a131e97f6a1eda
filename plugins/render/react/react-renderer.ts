import type { CDPSession } from 'playwright-core';
import { addStyles } from '../extra-styles.ts';
import { ENTRY, MAX_MARKUP_LENGTH, OUTCOME } from './outcome.ts';
import type { PageScripts } from './page-scripts.ts';
import { SourceFault } from './source-fault.ts';

/** A component to be rendered: its JSX or TSX source, its props, and CSS for the document that it becomes. */
export interface ReactDocument {
  source: string;
  data: Record<string, unknown>;
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

  /** Renders a component in the main world of a page. @throws {SourceFault} for what its author got wrong. */
  async render(session: CDPSession, { source, data, styles }: ReactDocument): Promise<string> {
    const scripts = await this.#scripts();
    const call = `${ENTRY.renderComponent}(${JSON.stringify(source)}, ${JSON.stringify(JSON.stringify(data))})`;
    const outcome = await run(session, scripts.renderComponent, call);
    const text = outcome.slice(1);
    if (outcome.startsWith(OUTCOME.markup)) return addStyles(toDocument(text), styles);
    // Nothing of a source that does not parse has run, so the page is still as it was.
    const located = outcome.startsWith(OUTCOME.syntax) && (await locate(session, source, scripts));
    throw new SourceFault(located || text || 'the component could not be rendered');
  }
}

function locate(session: CDPSession, source: string, scripts: PageScripts): Promise<string> {
  return run(session, scripts.findSyntaxError, `${ENTRY.findSyntaxError}(${JSON.stringify(source)})`);
}

/** Runs one of the page's scripts and calls what it defines; anything but a string of bounded length counts as an empty one. */
async function run(session: CDPSession, script: string, call: string): Promise<string> {
  // Both are under way at once; a page answers in the order in which it was asked.
  const [, { result }] = await Promise.all([evaluate(session, script), evaluate(session, call)]);
  const value: unknown = result.value;
  return typeof value === 'string' && value.length <= MAX_MARKUP_LENGTH + 1 ? value : '';
}

function evaluate(session: CDPSession, expression: string) {
  return session.send('Runtime.evaluate', { expression, returnByValue: true });
}

/** Leaves to the parser where the head ends: React puts titles, links and style sheets of components first. */
function toDocument(markup: string): string {
  if (/^<!doctype/i.test(markup)) return markup;
  return `<!doctype html>${/^<html[\s>]/i.test(markup) ? '' : '<head>'}${markup}`;
}
