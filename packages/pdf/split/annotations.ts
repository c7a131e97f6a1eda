import { Dict, Ref, resolve, type Page, type PdfObject } from '../objects/index.ts';
import { leadTo } from './destinations.ts';
import type { Part } from './part.ts';

/** The annotations of a page as they are in a part: links out of it are gone, and buttons that led out of it do nothing. */
export function partAnnotations(page: Page, part: Part): PdfObject[] | undefined {
  const annotations = page.dict.array('Annots');
  if (!annotations) return undefined;
  return annotations.flatMap((annotation) => {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict)) return [];
    const own = inPart(dict, part);
    if (!own) return [];
    if (own === dict) return [annotation];
    if (!(annotation instanceof Ref)) return [own];
    part.put(annotation, own);
    return [annotation];
  });
}

function inPart(dict: Dict, part: Part): Dict | undefined {
  const target = part.source.destinations.of(dict);
  const isLink = dict.name('Subtype') === 'Link';
  if (target && !part.has(target.page)) return isLink ? undefined : dict.copy().delete('A', 'Dest');
  let own = dict;
  if (target?.named) part.names[target.named.kind].set(target.named.key, target.named.value);
  else if (target?.byNumber) {
    const page = part.source.pages[target.page];
    if (page) own = leadTo(dict, page.ref);
  }
  // A structure destination, which would bring the structure of the whole document.
  const action = own.dict('A');
  return action?.map.has('SD') ? own.copy().set('A', action.copy().delete('SD')) : own;
}
