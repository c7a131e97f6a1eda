import { codeKey, splitKey } from '@platen/pdf/fonts';
import type { Composite } from './composite.ts';
import type { FontContext } from './font-use.ts';
import { plainName, styleOf } from '@platen/pdf/fonts';
import { toUnicodeOf } from '@platen/pdf/fonts';
import { facesFor } from '@platen/pdf/fonts';
import { GlyphOutline } from '@platen/pdf/fonts';
import { unicodeOfCollection } from '@platen/pdf/fonts';
import { rebuildComposite, type CidGlyph } from './rebuild-composite.ts';
import { fitToWidth, notEmbedded, substituteFor } from './substitute.ts';

/** The Chinese, Japanese and Korean character collections. */
const COLLECTIONS = new Set(['Japan1', 'GB1', 'CNS1', 'Korea1']);

/**
 * Embeds a similar font in place of a composite font that is not embedded. Reports a violation if the Unicode
 * text of a code is unknown, or no available font has the character.
 */
export function substituteComposite(composite: Composite, context: FontContext): void {
  const { font, descendant, cids, widths } = composite;
  const base = plainName(descendant.name('BaseFont') ?? 'Unnamed');
  const ordering = descendant.dict('CIDSystemInfo')?.string('Ordering')?.key ?? composite.cmap.ordering ?? '';
  const collection = COLLECTIONS.has(ordering) ? ordering : undefined;
  const meanings = toUnicodeOf(font, context.document);
  const known = collection === undefined ? undefined : unicodeOfCollection(collection);
  const faces = facesFor(styleOf(base, descendant.dict('FontDescriptor')), /narrow/i.test(base), collection);
  const glyphs = new Map<number, CidGlyph>();
  const texts = new Map<number, string>();
  const missing: string[] = [];
  for (const [key, cid] of cids) {
    const text = known?.get(codeKey(cid, 2)) ?? meanings.get(key);
    const found = substituteFor(text, faces);
    if (!found && !isBlank(key, text)) missing.push(text ?? `code 0x${splitKey(key).value.toString(16)}`);
    if (text !== undefined) texts.set(key, text);
    const width = widths.of(cid);
    if (!glyphs.has(cid))
      glyphs.set(cid, { width, outline: found ? fitToWidth(found, width) : new GlyphOutline() });
  }
  if (missing.length > 0) {
    context.violations.push(notEmbedded(base, missing));
    return;
  }
  rebuildComposite(composite, { glyphs, unitsPerEm: 1000, texts }, context);
}

/** Tells whether a code shows nothing: code 0 without Unicode text. */
function isBlank(key: number, text: string | undefined): boolean {
  return text === undefined && splitKey(key).value === 0;
}
