import { Dict, Ref, resolve, type Page, type PdfObject } from '../objects/index.ts';
import { pointToPage } from './destinations.ts';
import type { Part } from './part.ts';

/**
 * Returns the annotations of a page in a part. Removes links to pages outside the part, and the actions of
 * other annotations that lead there.
 */
export function buildPartAnnotations(page: Page, part: Part): PdfObject[] | undefined {
  const annotations = page.dict.array('Annots');
  if (!annotations) return undefined;
  return annotations.flatMap((annotation) => {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict)) return [];
    const adapted = adaptAnnotation(dict, part);
    if (!adapted) return [];
    if (adapted === dict) return [annotation];
    if (!(annotation instanceof Ref)) return [adapted];
    part.put(annotation, adapted);
    return [annotation];
  });
}

/**
 * Returns an annotation for a part: the same dictionary if nothing changes, or `undefined` for a link to a
 * page outside the part.
 */
function adaptAnnotation(dict: Dict, part: Part): Dict | undefined {
  const target = part.source.destinations.of(dict);
  const isLink = dict.name('Subtype') === 'Link';
  if (target && !part.has(target.page)) return isLink ? undefined : dict.copy().delete('A', 'Dest');
  let adapted = dict;
  if (target?.named) part.names[target.named.kind].set(target.named.key, target.named.value);
  else if (target?.byNumber) {
    const page = part.source.pages[target.page];
    if (page) adapted = pointToPage(dict, page.ref);
  }
  // Remove the structure destination, which would pull in the structure of the whole document.
  const action = adapted.dict('A');
  return action?.map.has('SD') ? adapted.copy().set('A', action.copy().delete('SD')) : adapted;
}
