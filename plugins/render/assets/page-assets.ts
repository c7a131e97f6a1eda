import type { AssetContent, AssetSet } from '../../assets/contract.ts';
import type { MissingAsset } from '../receipt/resource-log.ts';
import { addFirstStyles } from '../source/extra-styles.ts';
import { activeBase, assetBase, readAssetUrl } from './asset-urls.ts';
import { fontFace, fontUrl, installedFaces, selectFonts } from './font-faces.ts';
import type { InstalledFonts } from './installed-fonts.ts';

/** The assets of an account that never had any. */
const NO_ASSETS: AssetSet = { revision: 'none', fonts: [], read: async () => null };

/** The assets that one document may use. */
export class PageAssets {
  /** The URL of the assets on plain pages, which run no scripts. */
  readonly base: string;
  /**
   * The URL of the assets on active pages. Scripts can read it, so it has no meaning on a plain page, which
   * may remember what it loaded for other accounts.
   */
  readonly activeBase: string;
  /** The assets of header and footer that do not exist. */
  readonly missing: MissingAsset[] = [];
  /** True when header or footer has embedded fonts. */
  embedsFonts = false;
  /**
   * The font faces that were added to the document, and the URLs of their fonts in the same order; empty for
   * an installed font.
   */
  fontStyles = '';
  fontUrls: readonly string[] = [];
  /** The headers and footers before assets were embedded in them. */
  headersAndFooters = '';

  readonly #set: AssetSet;
  readonly #installed: InstalledFonts;

  constructor(set: AssetSet = NO_ASSETS, installed: InstalledFonts = new Map()) {
    this.#set = set;
    this.#installed = installed;
    this.base = assetBase(set.revision);
    this.activeBase = activeBase(set.revision);
  }

  get fonts(): AssetSet['fonts'] {
    return this.#set.fonts;
  }

  /**
   * Adds the faces of the fonts that a document may use. Faces of the same family in the document come later
   * and take precedence.
   */
  addFonts(html: string): string {
    const fonts = this.selectFonts(html);
    const local = this.installedFaces(fonts);
    const urls = fonts.map(({ name }) => fontUrl(name, this.base));
    this.fontStyles = [...local, ...fonts.map((font, index) => fontFace(font, urls[index] ?? ''))].join('');
    this.fontUrls = [...local.map(() => ''), ...urls];
    return addFirstStyles(html, this.fontStyles);
  }

  /** Selects the fonts that a document, header or footer may use. */
  selectFonts(html: string): AssetSet['fonts'] {
    return selectFonts(this.fonts, html, this.#installed);
  }

  /**
   * Writes the installed faces that uploaded fonts do not replace. Uploaded faces must come later, because
   * they take precedence.
   */
  installedFaces(fonts: AssetSet['fonts']): string[] {
    return installedFaces(fonts, this.#installed);
  }

  /** Returns a prepared document with the URLs of active pages. */
  forActivePage(html: string): string {
    return html.replaceAll(this.base, this.activeBase);
  }

  /** Reads an asset by its name; `null` when it does not exist. */
  read(name: string): Promise<AssetContent | null> {
    return this.#set.read(name);
  }

  /**
   * Reads the asset at a URL; `null` when it does not exist, and for URLs with another base, such as those of
   * other accounts.
   */
  async readUrl(url: string, base: string): Promise<AssetContent | null> {
    const parts = readAssetUrl(url);
    return parts?.base === base ? this.read(parts.name) : null;
  }
}
