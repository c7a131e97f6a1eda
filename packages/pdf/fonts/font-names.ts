import { asDict, Name, readPages, resourcesOf, type PdfDocument } from '../objects/index.ts';

/** The tag of a subset (ISO 32000-1 9.6.4): `ABCDEF+`. */
const SUBSET_TAG = /^[A-Z]{6}\+/;

/**
 * Returns the PostScript names of the fonts that pages use, in alphabetical order and without the tags of
 * subsets. Type 3 fonts have no such name.
 */
export function readFontNames(document: PdfDocument): string[] {
  const names = new Set<string>();
  for (const resources of resourcesOf(readPages(document).pages))
    for (const object of resources.dict('Font')?.map.values() ?? []) {
      const base = asDict(object)?.get('BaseFont');
      if (base instanceof Name) names.add(base.value.replace(SUBSET_TAG, ''));
    }
  return [...names].toSorted();
}
