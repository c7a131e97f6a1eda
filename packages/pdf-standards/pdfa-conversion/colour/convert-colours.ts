import { Dict, name, Name, type PdfDocument } from '@platen/pdf/objects';
import type { ContentGraph } from '../../content/graph.ts';
import type { LevelRules } from '../../levels.ts';
import type { Breach } from '../../violation.ts';
import { buildDefaultCmyk } from './default-cmyk.ts';
import { ColourSpaceConverter } from './colour-spaces.ts';

/**
 * Converts the colour spaces of a document so that PDF/A allows them with an RGB output intent. Replaces
 * invalid ICC profiles. Defines `DefaultCMYK` if the content (`cmyk`) or a colour space uses `DeviceCMYK`.
 * Returns the violations that remain.
 */
export function convertColours(
  document: PdfDocument,
  graph: ContentGraph,
  { pages, cmyk, rules }: { pages: readonly Dict[]; cmyk: boolean; rules: LevelRules },
): Breach[] {
  const spaces = new ColourSpaceConverter(document, rules);
  for (const resources of graph.resources) {
    const named = resources.dict('ColorSpace');
    for (const [key, space] of named?.map ?? []) named?.set(key, spaces.convert(space));
  }
  for (const { dict } of graph.images.keys()) spaces.convertEntry(dict, 'ColorSpace');
  for (const shading of graph.shadings) spaces.convertEntry(shading, 'ColorSpace');
  if (rules.transparency)
    for (const owner of [...pages, ...[...graph.forms.keys()].map(({ dict }) => dict)])
      convertBlendingSpace(owner.dict('Group'), spaces);
  if (spaces.cmyk || cmyk) {
    const space = buildDefaultCmyk();
    for (const resources of graph.resources) {
      const named = resources.dict('ColorSpace') ?? new Dict();
      const existing = named.get('DefaultCMYK') ?? null;
      // A name is a device colour space, which defines nothing.
      if (existing === null || existing instanceof Name) named.set('DefaultCMYK', space);
      resources.set('ColorSpace', named);
    }
  }
  return spaces.violations;
}

/**
 * Converts the blending colour space of a transparency group. RGB replaces CMYK, which the output intent does
 * not define.
 */
function convertBlendingSpace(group: Dict | undefined, spaces: ColourSpaceConverter): void {
  if (!group?.map.has('CS')) return;
  const space = group.get('CS');
  if (space instanceof Name && space.value.endsWith('CMYK')) group.set('CS', name('DeviceRGB'));
  else spaces.convertEntry(group, 'CS');
}
