import type { AssetContent, AssetSet } from '../../assets/contract.ts';
import type { MissingAsset } from '../receipt/resource-log.ts';
import { addFirstStyles } from '../source/extra-styles.ts';
import { activeBase, assetBase, readAssetUrl } from './asset-urls.ts';
import { fontFaces, fontUrl, selectFonts } from './font-faces.ts';

/** The assets of an account that never had any. */
const NO_ASSETS: AssetSet = { revision: 'none', fonts: [], read: async () => null };

/** The assets that one document may use. */
export class PageAssets {
  /** The URL of the assets on plain pages, which run no scripts. */
  readonly base: string;
  /**
   * The URL of the assets on active pages. Scripts can read it, so it has no meaning on a plain page, which may remember what it loaded for
   * other accounts.
   */
  readonly activeBase: string;
  /** The assets of header and footer that do not exist. */
  readonly missing: MissingAsset[] = [];
  /** True when header or footer has embedded fonts. */
  embedsFonts = false;
  /** The font faces that were added to the document, and the URLs of their fonts in the same order. */
  fontStyles = '';
  fontUrls: readonly string[] = [];
  /** The headers and footers before assets were embedded in them. */
  headersAndFooters = '';

  readonly #set: AssetSet;

  constructor(set: AssetSet = NO_ASSETS) {
    this.#set = set;
    this.base = assetBase(set.revision);
    this.activeBase = activeBase(set.revision);
  }

  get fonts(): AssetSet['fonts'] {
    return this.#set.fonts;
  }

  /** Adds the faces of the fonts that a document may use. Faces of the same family in the document come later and take precedence. */
  addFonts(html: string): string {
    const fonts = selectFonts(this.fonts, html);
    this.fontStyles = fontFaces(fonts, this.base);
    this.fontUrls = fonts.map(({ name }) => fontUrl(name, this.base));
    return addFirstStyles(html, this.fontStyles);
  }

  /** Returns a prepared document with the URLs of active pages. */
  forActivePage(html: string): string {
    return html.replaceAll(this.base, this.activeBase);
  }

  /** Reads an asset by its name; `null` when it does not exist. */
  read(name: string): Promise<AssetContent | null> {
    return this.#set.read(name);
  }

  /** Reads the asset at a URL; `null` when it does not exist, and for URLs with another base, such as those of other accounts. */
  async readUrl(url: string, base: string): Promise<AssetContent | null> {
    const parts = readAssetUrl(url);
    return parts?.base === base ? this.read(parts.name) : null;
  }
}
