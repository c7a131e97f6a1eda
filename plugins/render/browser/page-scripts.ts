import { messageOf } from '../../../src/plugin.ts';
import type { MissingAsset } from '../receipt/resource-log.ts';
import { RenderError } from '../render-error.ts';
import type { PageSession } from './page-session.ts';

export interface LoadedAssets {
  /** The assets that failed. */
  missing: MissingAsset[];
  /** True when the document has font faces that it has not used so far. */
  hasUnloadedFonts: boolean;
}

/**
 * The name of the isolated world. Without a name, each call would add a world, and each new document would
 * create all of them again.
 */
const WORLD = 'platen';

/**
 * Waits in the browser page for the assets that the load event does not wait for: lazy and late images, and
 * fonts, however slow. Returns {@link LoadedAssets}. It calls methods through prototypes, because
 * `<form name=fonts>` replaces `document.fonts` in every world.
 */
const WAIT_FOR_ASSETS = `(async (likelyFonts) => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  for (const element of all('[loading=lazy]')) Element.prototype.setAttribute.call(element, 'loading', 'eager');
  // On the screen, Chromium gives up these fonts when they load slowly. The display of a FontFace cannot be
  // changed once its rule is in use.
  const showSlowFonts = (sheet) => {
    try {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSFontFaceRule)) {
          if (rule.styleSheet || rule.cssRules) showSlowFonts(rule.styleSheet || rule);
        } else if (/optional|fallback/.test(rule.style.getPropertyValue('font-display'))) rule.style.setProperty('font-display', 'swap');
      }
    } catch {
      // The style sheet has another origin.
    }
  };
  if (Object.getOwnPropertyDescriptor(FontFaceSet.prototype, 'size').get.call(read('fonts')) > 0)
    for (const sheet of read('styleSheets')) showSlowFonts(sheet);
  const listFonts = () => [...FontFaceSet.prototype.values.call(read('fonts'))];
  if (likelyFonts.length > 0)
    for (const [index, font] of listFonts().entries())
      if (likelyFonts.includes(index)) FontFace.prototype.load.call(font).catch(() => {});
  const images = [...read('images')];
  const decode = (image) => HTMLImageElement.prototype.decode.call(image).then(() => false, () => image.complete && image.naturalWidth === 0);
  const broken = await Promise.all(images.map(decode));
  await read('fonts').ready;
  const missing = images.filter((image, index) => broken[index] && image.currentSrc !== '')
    .map(({ currentSrc }) => ({ type: 'Image', url: currentSrc, reason: 'the file is not a valid image' }));
  const base = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI').get.call(document);
  for (const element of all('img[src], link[rel~=stylesheet][href], script[src]')) {
    const type = { img: 'Image', link: 'Stylesheet' }[element.localName] ?? 'Script';
    const url = Element.prototype.getAttribute.call(element, type === 'Stylesheet' ? 'href' : 'src').trim();
    if (element.currentSrc || (url !== '' && URL.canParse(url, base))) continue;
    missing.push({ type, url, reason: url === '' ? 'the URL is empty' : 'relative URL: use an absolute URL or <base href>' });
  }
  const fonts = listFonts();
  for (const { status, family } of fonts)
    if (status === 'error') missing.push({ type: 'Font', url: '', reason: 'the font "' + family.slice(0, 60) + '" has no usable source' });
  const distinct = new Map(missing.map((asset) => [asset.type + asset.url + asset.reason, asset]));
  return {
    missing: [...distinct.values()].slice(0, 51).map(({ url, ...rest }) => ({ ...rest, url: url.slice(0, 400) })),
    hasUnloadedFonts: fonts.some(({ status }) => status === 'unloaded'),
  };
})`;

/** Returns true while the document waits for a font. */
const IS_LOADING_FONTS = `[...FontFaceSet.prototype.values.call(
  Object.getOwnPropertyDescriptor(Document.prototype, 'fonts').get.call(document)
)].some(({ status }) => status === 'loading')`;

/**
 * Notes the sources of the fonts in the current document, which is a header or footer, for
 * `HOLD_HEADER_FONTS`.
 */
const NOTE_HEADER_FONTS = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  globalThis.platenFontSources ??= [];
  for (const { cssRules } of read('styleSheets'))
    for (const rule of cssRules)
      if (rule instanceof CSSFontFaceRule) globalThis.platenFontSources.push(rule.style.getPropertyValue('src'));
})()`;

/**
 * Loads the fonts of header and footer in the document, under a name that no document knows. Chromium prints
 * headers before their fonts are loaded, but finds fonts with the same URL in Blink's memory. A style sheet
 * keeps them there; otherwise Blink discards large fonts.
 */
const HOLD_HEADER_FONTS = `(async () => {
  const fontSet = Object.getOwnPropertyDescriptor(Document.prototype, 'fonts').get.call(document);
  const name = 'platen-' + crypto.getRandomValues(new Uint32Array(4)).join('-');
  const sheet = new CSSStyleSheet();
  const faces = (globalThis.platenFontSources ?? []).map((source) => '@font-face{font-family:' + name + ';src:' + source + '}');
  globalThis.platenFontSources = undefined;
  globalThis.platenFontSheet = sheet;
  sheet.replaceSync(faces.join(''));
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  set.call(document, [...get.call(document), sheet]);
  const fonts = [...FontFaceSet.prototype.values.call(fontSet)].filter(({ family }) => family === name);
  await Promise.all(fonts.map((font) => FontFace.prototype.load.call(font).catch(() => {})));
})()`;

/**
 * Removes the fonts of header and footer from the document, because a plain page keeps its style sheet for
 * the next one.
 */
const RELEASE_HEADER_FONTS = `(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  set.call(document, [...get.call(document)].filter((sheet) => sheet !== globalThis.platenFontSheet));
  globalThis.platenFontSheet = undefined;
})()`;

/** Chromium's errors for a script whose document was replaced. */
const DOCUMENT_LEFT = /Cannot find context|context was destroyed|navigated or closed/;
/** A document that navigates more often while one script runs does so without end. */
const MAX_ATTEMPTS = 3;

/** Returns up to 5,000 distinct non-ASCII characters of the document's text. */
const CHARACTERS = `(() => {
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
  const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get.call(root);
  return [...new Set(text)].filter((character) => character > '~').slice(0, 5000).join('');
})()`;

/**
 * Runs the service's own scripts in a browser page, in an isolated world in which the document's scripts
 * cannot replace anything.
 */
export class PageScripts {
  /** The context of the isolated world in the current document, once it is created. */
  #contextId: number | undefined;

  readonly #session: PageSession;
  readonly #frameId: string;
  readonly #isolated: boolean;

  /**
   * @param options.isolated false for a page whose documents run no scripts: its main world is as clean and
   * costs nothing.
   */
  constructor(session: PageSession, frameId: string, { isolated }: { isolated: boolean }) {
    this.#session = session;
    this.#frameId = frameId;
    this.#isolated = isolated;
    // Each new document has new contexts, including a document to which a script navigated.
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === frameId) this.#contextId = undefined;
    });
  }

  /**
   * Waits until the assets of the document are loaded. `likelyFonts` are the indexes of the font faces to
   * load even before they are used.
   */
  async waitForAssets(likelyFonts: readonly number[] = []): Promise<LoadedAssets> {
    return (await this.evaluate(`${WAIT_FOR_ASSETS}([${likelyFonts.join()}])`)) as LoadedAssets;
  }

  /** Tells whether the document waits for a font. */
  async isLoadingFonts(): Promise<boolean> {
    return (await this.evaluate(IS_LOADING_FONTS)) === true;
  }

  /** Notes the fonts of the header or footer that is the current document. */
  async noteHeaderFonts(): Promise<void> {
    await this.evaluate(NOTE_HEADER_FONTS);
  }

  /** Keeps the noted fonts available until the current document is printed. */
  async holdHeaderFonts(): Promise<void> {
    await this.evaluate(HOLD_HEADER_FONTS);
  }

  /** Removes the fonts of {@link holdHeaderFonts} from the page. */
  async releaseHeaderFonts(): Promise<void> {
    await this.evaluate(RELEASE_HEADER_FONTS);
  }

  /** Returns up to 5,000 distinct non-ASCII characters of the document's text. */
  async characters(): Promise<string> {
    return String(await this.evaluate(CHARACTERS));
  }

  /**
   * Evaluates an expression and awaits its result. If the document navigates meanwhile, evaluates it in the
   * next one.
   * @throws {RenderError} for a document that navigates again and again
   * @throws {Error} when the expression throws
   */
  async evaluate(expression: string): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#evaluateOnce(expression);
      } catch (error) {
        if (!this.#isolated || !DOCUMENT_LEFT.test(messageOf(error))) throw error;
        this.#contextId = undefined;
        if (attempt === MAX_ATTEMPTS)
          throw new RenderError('RENDER_FAILED', 'the document keeps reloading or navigating', {
            cause: error,
          });
      }
    }
  }

  async #evaluateOnce(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      ...(this.#isolated ? { contextId: this.#contextId ?? (await this.prepare()) } : {}),
    });
    if (exceptionDetails)
      throw new Error(`a script of the service failed in the page: ${exceptionDetails.text}`);
    return result.value;
  }

  /** Creates the isolated world of the current document before it is needed. */
  async prepare(): Promise<number> {
    const { executionContextId } = await this.#session.send('Page.createIsolatedWorld', {
      frameId: this.#frameId,
      worldName: WORLD,
    });
    this.#contextId = executionContextId;
    return executionContextId;
  }
}
