import type { AssetFont, AssetSet } from '../../assets/contract.ts';
import { encodeAssetName } from './asset-urls.ts';
import { facesOfFamily, type InstalledFace, type InstalledFonts } from './installed-fonts.ts';

type NamedFont = AssetSet['fonts'][number];

/** Longer documents get all fonts, because searching them for names would take longer. */
const MAX_SEARCHED_CHARACTERS = 1_000_000;

/**
 * Markup that can load or create styles, and escapes that can spell a family. A search in the document would
 * miss families in both.
 */
const UNSEARCHABLE_STYLES = ['<link', '<script', '@import', '\\', '&#'];

/** Markup with which a document can request an italic or oblique face. */
const SLANTED = /italic|oblique|<(?:i|em|cite|var|dfn|address)\b/;

/**
 * Selects the fonts that a document may use: the fonts whose family it names, or all fonts if its styles
 * cannot be searched. Leaves out the italics of an installed family when the document requests none. A
 * document that uses no font of the account is printed exactly as if the account had no fonts.
 */
export function selectFonts(
  fonts: readonly NamedFont[],
  html: string,
  installed: InstalledFonts,
): readonly NamedFont[] {
  if (fonts.length === 0 || html.length > MAX_SEARCHED_CHARACTERS) return fonts;
  const text = html.toLowerCase();
  if (UNSEARCHABLE_STYLES.some((markup) => text.includes(markup))) return fonts;
  const named = fonts.filter(({ family }) => text.includes(family.toLowerCase()));
  if (named.length === 0 || SLANTED.test(text)) return named;
  const upright = new Set(
    named.filter(({ style }) => style === 'normal').map(({ family }) => family.toLowerCase()),
  );
  return named.filter(
    ({ family }) => upright.has(family.toLowerCase()) || facesOfFamily(installed, family).length === 0,
  );
}

/** Writes a font face. `url` has only characters without a meaning in CSS strings. */
export function fontFace({ family, weight, style }: AssetFont, url: string): string {
  return `@font-face{font-family:"${escapeCss(family)}";font-weight:${weight};font-style:${style};src:url("${url}")}`;
}

/** Returns the URL from which a page loads a font. */
export function fontUrl(name: string, base: string): string {
  return base + encodeAssetName(name);
}

/**
 * Writes the installed faces of the families of uploaded fonts, except the faces that these replace. An
 * uploaded face hides the whole installed family of the same name, so its other faces must be declared with
 * it.
 */
export function installedFaces(fonts: readonly NamedFont[], installed: InstalledFonts): string[] {
  const families = Map.groupBy(fonts, ({ family }) => family.toLowerCase());
  return families
    .values()
    .flatMap((uploaded) => {
      const [{ family } = { family: '' }] = uploaded;
      const kept = facesOfFamily(installed, family).filter(
        (face) => !uploaded.some((font) => replaces(font, face)),
      );
      return kept.map((face) => localFace(family, face));
    })
    .toArray();
}

/**
 * Tells whether an uploaded font is the same face as an installed one: its style is the same, and its weights
 * include the weight.
 */
function replaces(font: AssetFont, face: InstalledFace): boolean {
  const [lowest, highest] = weightRange(font.weight);
  const [from, to] = weightRange(face.weight);
  return font.style === face.style && face.stretch === '100%' && lowest <= from && to <= highest;
}

/** Reads a weight, or the range of a variable font. */
export function weightRange(weight: string): readonly [lowest: number, highest: number] {
  const [lowest = 400, highest = lowest] = weight.split(' ').map(Number);
  return [lowest, highest];
}

function localFace(family: string, { weight, style, stretch, names }: InstalledFace): string {
  const sources = names.map((name) => `local("${escapeCss(name)}")`).join(',');
  return `@font-face{font-family:"${escapeCss(family)}";font-weight:${weight};font-style:${style};font-stretch:${stretch};src:${sources}}`;
}

/** Escapes the characters that could end a CSS string or a style element (CSS Syntax 4.3.7). */
function escapeCss(text: string): string {
  return text.replaceAll(/["\\<>\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);
}
