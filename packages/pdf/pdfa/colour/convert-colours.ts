import { Dict, Name, type PdfDocument } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';
import { buildDefaultCmyk } from './default-cmyk.ts';
import { ColourSpaceConverter } from './colour-spaces.ts';

/**
 * Converts the colour spaces of a document to ones that PDF/A-1b allows with an RGB output intent. Replaces invalid ICC profiles and
 * defines `DefaultCMYK` if `DeviceCMYK` is used. Returns the violations that remain.
 */
export function convertColours(
  document: PdfDocument,
  graph: ContentGraph,
  contentUsesCmyk: boolean,
): Violation[] {
  const spaces = new ColourSpaceConverter(document);
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
      const existing = own.get('DefaultCMYK');
      const isDevice = existing instanceof Name;
      if (existing === undefined || existing === null || isDevice) own.set('DefaultCMYK', space);
      resources.set('ColorSpace', own);
    }
  }
  return spaces.violations;
}
