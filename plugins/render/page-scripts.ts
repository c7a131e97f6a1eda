import type { CDPSession } from 'playwright-core';
import type { Absent } from './receipt/resource-log.ts';

/** By its name a page finds its world again; without one each call would add a world, and each new document would make all of them again. */
const WORLD = 'platen';

/**
 * Waits, inside the page, for what a document shows besides what its load event waits for: lazy and late images, fonts.
 * It calls through prototypes, as `<form name=fonts>` replaces `document.fonts` in every world. Gives a list of {@link Absent}.
 */
const SETTLE = `(async () => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  for (const element of all('[loading=lazy]')) Element.prototype.setAttribute.call(element, 'loading', 'eager');
  const images = [...read('images')];
  const decode = (image) => HTMLImageElement.prototype.decode.call(image).then(() => false, () => image.complete && image.naturalWidth === 0);
  const broken = await Promise.all(images.map(decode));
  await read('fonts').ready;
  const absent = images.filter((image, index) => broken[index] && image.currentSrc !== '')
    .map(({ currentSrc }) => ({ type: 'Image', url: currentSrc, reason: 'is not an image that can be shown' }));
  const base = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI').get.call(document);
  for (const element of all('img[src], link[rel~=stylesheet][href], script[src]')) {
    const type = { img: 'Image', link: 'Stylesheet' }[element.localName] ?? 'Script';
    const url = Element.prototype.getAttribute.call(element, type === 'Stylesheet' ? 'href' : 'src').trim();
    if (element.currentSrc || (url !== '' && URL.canParse(url, base))) continue;
    absent.push({ type, url, reason: url === '' ? 'the address is empty' : 'the address is not a whole one' });
  }
  for (const { status, family } of FontFaceSet.prototype.values.call(read('fonts')))
    if (status === 'error') absent.push({ type: 'Font', url: '', reason: 'no source of "' + family.slice(0, 60) + '" is a font that can be used' });
  return absent.slice(0, 50).map(({ url, ...rest }) => ({ ...rest, url: url.slice(0, 400) }));
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

  /** Waits until what the document shows is there. Tells what will never be. */
  async settle(): Promise<Absent[]> {
    return (await this.evaluate(SETTLE)) as Absent[];
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
