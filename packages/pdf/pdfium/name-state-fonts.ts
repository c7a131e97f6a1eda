import { asDict, Dict, name, resourcesOf, type Page } from '../objects/index.ts';

/** The maximum number of states that are copied. PDFium does not find the fonts of further states. */
const MAX_STATES = 100_000;

/**
 * Names the fonts of graphics states (ISO 32000-1 table 58) in the resources, because PDFium finds them by
 * name only. Returns whether it has changed the document.
 */
export function nameStateFonts(pages: readonly Page[]): boolean {
  const withoutFonts = new Set<Dict>();
  let count = 0;
  for (const resources of resourcesOf(pages)) {
    const known = resources.dict('ExtGState');
    if (!known || withoutFonts.has(known)) continue;
    const named = [...known.map].flatMap(([key, object]) => {
      const state = asDict(object);
      const [font = null, size = null] = state?.array('Font') ?? [];
      return state && asDict(font) ? [{ key, state, font, size }] : [];
    });
    if (named.length === 0) withoutFonts.add(known);
    if (named.length === 0 || count + known.map.size > MAX_STATES) continue;
    count += known.map.size;
    const fonts = resources.dict('Font')?.copy() ?? new Dict();
    const states = known.copy();
    for (const { key, state, font, size } of named) {
      let fontName = `PlatenState-${key}`;
      while (fonts.map.has(fontName)) fontName += '-';
      fonts.set(fontName, font);
      states.set(key, state.copy().set('Font', [name(fontName), size]));
    }
    resources.set('Font', fonts).set('ExtGState', states);
  }
  return count > 0;
}
