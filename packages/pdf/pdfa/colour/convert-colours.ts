import { Dict, name, Name, type PdfDocument } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import type { LevelRules } from '../levels.ts';
import type { Breach } from '../violation.ts';
import { buildDefaultCmyk } from './default-cmyk.ts';
import { ColourSpaceConverter } from './colour-spaces.ts';

/**
 * Converts the colour spaces of a document to ones that PDF/A-1b allows with an RGB output intent. Replaces invalid ICC profiles and
 * defines `DefaultCMYK` if `DeviceCMYK` is used by the content (`cmyk`) or a colour space. Returns the violations that remain.
 */
export function convertColours(
  document: PdfDocument,
  graph: ContentGraph,
  { pages, cmyk, rules }: { pages: readonly Dict[]; cmyk: boolean; rules: LevelRules },
): Breach[] {
  const spaces = new ColourSpaceConverter(document, rules);
  for (const resources of graph.resources) {
    const own = resources.dict('ColorSpace');
    for (const [key, space] of own?.map ?? []) own?.set(key, spaces.convert(space));
  }
  for (const { dict } of graph.images.keys()) spaces.convertEntry(dict, 'ColorSpace');
  for (const shading of graph.shadings) spaces.convertEntry(shading, 'ColorSpace');
  if (rules.transparency)
    for (const owner of [...pages, ...[...graph.forms.keys()].map(({ dict }) => dict)])
      convertBlendingSpace(owner.dict('Group'), spaces);
  if (spaces.cmyk || cmyk) {
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

/** Converts the blending colour space of a transparency group. RGB replaces CMYK, which the output intent does not define. */
function convertBlendingSpace(group: Dict | undefined, spaces: ColourSpaceConverter): void {
  if (!group?.map.has('CS')) return;
  const space = group.get('CS');
  if (space instanceof Name && space.value.endsWith('CMYK')) group.set('CS', name('DeviceRGB'));
  else spaces.convertEntry(group, 'CS');
}
