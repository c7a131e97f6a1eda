import type { AssetFont, AssetSet } from '../../assets/contract.ts';
import { encodeAssetName } from './asset-urls.ts';

type NamedFont = AssetSet['fonts'][number];

/** Longer documents get all fonts, because searching them for names would take longer. */
const MAX_SEARCHED_CHARACTERS = 1_000_000;

/** Markup that can load or create styles, and escapes that can spell a family. A search in the document would miss families in both. */
const UNSEARCHABLE_STYLES = ['<link', '<script', '@import', '\\', '&#'];

/**
 * Selects the fonts that a document may use: the fonts whose family it names, or all fonts if its styles cannot be searched. A document that
 * uses no font of the account is printed exactly as if the account had no fonts.
 */
export function selectFonts(fonts: readonly NamedFont[], html: string): readonly NamedFont[] {
  if (fonts.length === 0 || html.length > MAX_SEARCHED_CHARACTERS) return fonts;
  const text = html.toLowerCase();
  if (UNSEARCHABLE_STYLES.some((markup) => text.includes(markup))) return fonts;
  return fonts.filter(({ family }) => text.includes(family.toLowerCase()));
}

/** Writes a font face. `url` has only characters without a meaning in CSS strings. */
export function fontFace({ family, weight, style }: AssetFont, url: string): string {
  return `@font-face{font-family:"${escapeCss(family)}";font-weight:${weight};font-style:${style};src:url("${url}")}`;
}

/** Returns the URL from which a page loads a font. */
export function fontUrl(name: string, base: string): string {
  return base + encodeAssetName(name);
}

/** Writes the faces of fonts. A browser page loads a font from `base` when the document uses it. */
export function fontFaces(fonts: readonly NamedFont[], base: string): string {
  return fonts.map((font) => fontFace(font, fontUrl(font.name, base))).join('');
}

/** Escapes the characters that could end a CSS string or a style element (CSS Syntax 4.3.7). */
function escapeCss(text: string): string {
  return text.replaceAll(/["\\<>\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);
}
