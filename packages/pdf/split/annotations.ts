import { Dict, Ref, resolve, type Page, type PdfObject } from '../objects/index.ts';
import { pointToPage } from './destinations.ts';
import type { Part } from './part.ts';

/**
 * Returns the annotations of a page in a part. Removes links to pages outside the part, and the actions of other
 * annotations that lead there.
 */
export function buildPartAnnotations(page: Page, part: Part): PdfObject[] | undefined {
  const annotations = page.dict.array('Annots');
  if (!annotations) return undefined;
  return annotations.flatMap((annotation) => {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict)) return [];
    const own = adaptAnnotation(dict, part);
    if (!own) return [];
    if (own === dict) return [annotation];
    if (!(annotation instanceof Ref)) return [own];
    part.put(annotation, own);
    return [annotation];
  });
}

function adaptAnnotation(dict: Dict, part: Part): Dict | undefined {
  const target = part.source.destinations.of(dict);
  const isLink = dict.name('Subtype') === 'Link';
  if (target && !part.has(target.page)) return isLink ? undefined : dict.copy().delete('A', 'Dest');
  let own = dict;
  if (target?.named) part.names[target.named.kind].set(target.named.key, target.named.value);
  else if (target?.byNumber) {
    const page = part.source.pages[target.page];
    if (page) own = pointToPage(dict, page.ref);
  }
  // Remove the structure destination, which would pull in the structure of the whole document.
  const action = own.dict('A');
  return action?.map.has('SD') ? own.copy().set('A', action.copy().delete('SD')) : own;
}
