import { Dict, Name, type PdfDocument } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';
import { buildDefaultCmyk } from './default-cmyk.ts';
import { ColourSpaces } from './spaces.ts';

/**
 * Makes all colours of a document ones that PDF/A-1b allows over an output intent in RGB: profiles as they must be, and CMYK of a
 * device, where there is any, in a default colour space. Returns what cannot be brought to conform.
 */
export function convertColours(
  document: PdfDocument,
  graph: ContentGraph,
  contentUsesCmyk: boolean,
): Violation[] {
  const spaces = new ColourSpaces(document);
  for (const resources of graph.resources) {
    const own = resources.dict('ColorSpace');
    for (const [key, space] of own?.map ?? []) own?.set(key, spaces.convert(space));
  }
  for (const { dict } of graph.images.keys()) spaces.convertEntry(dict, 'ColorSpace');
  for (const shading of graph.shadings) spaces.convertEntry(shading, 'ColorSpace');
  if (spaces.cmyk || contentUsesCmyk) {
    const space = buildDefaultCmyk();
    for (const resources of graph.resources) {
      const own = resources.dict('ColorSpace') ?? new Dict();
      const standing = own.get('DefaultCMYK');
      const isDevice = standing instanceof Name;
      if (standing === undefined || standing === null || isDevice) own.set('DefaultCMYK', space);
      resources.set('ColorSpace', own);
    }
  }
  return spaces.violations;
}
