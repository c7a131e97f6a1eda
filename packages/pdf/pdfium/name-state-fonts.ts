import { asDict, Dict, name, resourcesOf, type Page } from '../objects/index.ts';

/**
 * Names the fonts of graphics states (ISO 32000-1 table 58) in the resources, because PDFium finds them by name only. Returns whether it has
 * changed the document.
 */
export function nameStateFonts(pages: readonly Page[]): boolean {
  let changed = false;
  for (const resources of resourcesOf(pages)) {
    const named = [...(resources.dict('ExtGState')?.map ?? [])].flatMap(([key, object]) => {
      const state = asDict(object);
      const [font = null, size = null] = state?.array('Font') ?? [];
      return state && asDict(font) ? [{ key, state, font, size }] : [];
    });
    if (named.length === 0) continue;
    const fonts = resources.dict('Font')?.copy() ?? new Dict();
    const states = resources.dict('ExtGState')?.copy() ?? new Dict();
    for (const { key, state, font, size } of named) {
      let fontName = `PlatenState-${key}`;
      while (fonts.map.has(fontName)) fontName += '-';
      fonts.set(fontName, font);
      states.set(key, state.copy().set('Font', [name(fontName), size]));
    }
    resources.set('Font', fonts).set('ExtGState', states);
    changed = true;
  }
  return changed;
}
