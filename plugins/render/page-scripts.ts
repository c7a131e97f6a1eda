import type { CDPSession } from 'playwright-core';

/** By its name a page finds its world again; without one each call would add a world, and each new document would make all of them again. */
const WORLD = 'platen';

/**
 * Waits, inside the page, for what a document shows besides what its load event waits for: lazy and late images, fonts.
 * It calls through prototypes, as `<form name=fonts>` replaces `document.fonts` in every world. Gives the URLs of images that are none.
 */
const SETTLE = `(async () => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const lazy = Document.prototype.querySelectorAll.call(document, '[loading=lazy]');
  for (const element of lazy) Element.prototype.setAttribute.call(element, 'loading', 'eager');
  const decode = (image) => HTMLImageElement.prototype.decode.call(image).then(
    () => '', () => image.complete && image.naturalWidth === 0 ? image.currentSrc.slice(0, 400) : '');
  const broken = await Promise.all([...read('images')].map(decode));
  await read('fonts').ready;
  return broken.filter(Boolean).slice(0, 50);
})()`;

/** Gives each character of a document's text that is not ASCII, once. */
const CHARACTERS = `(() => {
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
  const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get.call(root);
  return [...new Set(text)].filter((character) => character > '~').slice(0, 5000).join('');
})()`;

/** Runs the service's own scripts in a page: in an isolated world, where the document's scripts cannot have replaced anything. */
export class PageScripts {
  /** The isolated world's context in the present document, once it is made. */
  #contextId: number | undefined;

  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #isolated: boolean;

  /** @param options.isolated false for a page without scripts of its own: its main world is as clean and costs nothing. */
  constructor(session: CDPSession, frameId: string, { isolated }: { isolated: boolean }) {
    this.#session = session;
    this.#frameId = frameId;
    this.#isolated = isolated;
    // A new document, be it ours or one to which a script went, has new contexts.
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === frameId) this.#contextId = undefined;
    });
  }

  /** Waits until what the document shows is there. Gives the URLs of images that turned out to be none. */
  async settle(): Promise<string[]> {
    return (await this.evaluate(SETTLE)) as string[];
  }

  /** Reads which characters beyond ASCII the document's text has. */
  async characters(): Promise<string> {
    return String(await this.evaluate(CHARACTERS));
  }

  /** Evaluates an expression and, when it gives a promise, waits for it. @throws {Error} when it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      ...(this.#isolated ? { contextId: this.#contextId ?? (await this.prepare()) } : {}),
    });
    if (exceptionDetails) throw new Error(`the page did not settle: ${exceptionDetails.text}`);
    return result.value;
  }

  /** Makes the isolated world of the present document ahead of its use. */
  async prepare(): Promise<number> {
    const { executionContextId } = await this.#session.send('Page.createIsolatedWorld', {
      frameId: this.#frameId,
      worldName: WORLD,
    });
    this.#contextId = executionContextId;
    return executionContextId;
  }
}
