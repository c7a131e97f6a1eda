import { deflateSync } from 'node:zlib';
import { decodeStream, Dict, name, PdfStream, type PdfDocument, type PdfObject } from '@platen/pdf/objects';
import { type ContentGraph, nameOf } from '../../content/graph.ts';
import { BLEND_MODES, INTENTS } from '../../content/operators.ts';
import type { LevelRules } from '../../levels.ts';
import type { Breach } from '../../violation.ts';

/**
 * Removes forbidden entries from images, form XObjects and graphics states (ISO 19005-1 6.2.4 to 6.2.9).
 * Returns the violations that remain.
 */
export function cleanDrawnObjects(document: PdfDocument, graph: ContentGraph, rules: LevelRules): Breach[] {
  const violations: Breach[] = [];
  for (const [image, ref] of graph.images) {
    image.dict.delete('Alternates', 'OPI', 'Interpolate', 'Measure', 'PtData', 'ID');
    if (!rules.jpeg2000) image.dict.delete('SMaskInData');
    dropUnknownIntent(image.dict, 'Intent');
    const narrowed = fitBits(document, image, rules);
    if (narrowed === 'unreadable') violations.push({ rule: 'images', message: 'an image cannot be decoded' });
    else if (narrowed) {
      ref.value = narrowed;
      graph.images.delete(image);
      graph.images.set(narrowed, ref);
    }
  }
  for (const { dict } of graph.forms.keys())
    dict.delete('OPI', 'PS', 'Subtype2', 'Ref', 'LastModified', 'Measure', 'PtData');
  for (const state of graph.states) {
    state.delete('TR', 'HTP');
    if (nameOf(state.raw('TR2')) !== 'Default') state.delete('TR2');
    dropUnknownIntent(state, 'RI');
    if (rules.transparency) {
      state.delete('HT');
      // Has no effect on ICC-based colours, which parts 2 and 3 allow only in the overprint mode 0 (ISO
      // 19005-2 6.2.4.2).
      if (state.map.has('OPM')) state.set('OPM', 0);
      fitBlendMode(state);
    }
  }
  return violations;
}

/** Replaces a list of blend modes with the first known one, which readers use. */
function fitBlendMode(state: Dict): void {
  const mode = state.get('BM');
  if (mode === undefined || mode === null) return;
  const modes = Array.isArray(mode) ? mode : [mode];
  const known = modes.map((one) => nameOf(one) ?? '').find((one) => BLEND_MODES.has(one));
  state.set('BM', name(known ?? 'Normal'));
}

/**
 * Removes PostScript XObjects and the XObjects of hidden layers from resources, and also the layers unless
 * the level allows them (6.1.13, 6.2.7).
 */
export function hideObjects(
  graph: ContentGraph,
  isHidden: (layers: PdfObject | undefined) => boolean,
  rules: LevelRules,
): void {
  for (const resources of graph.resources) {
    const properties = resources.dict('Properties');
    for (const key of properties?.map.keys() ?? [])
      if (!rules.layers && /^OC(?:G|MD)$/.test(properties?.dict(key)?.name('Type') ?? ''))
        properties?.delete(key);
    const objects = resources.dict('XObject');
    for (const key of objects?.map.keys() ?? []) {
      const dict = objects?.dict(key);
      if (!objects || !dict) continue;
      if (dict.name('Subtype') === 'PS') objects.delete(key);
      else if (isHidden(dict.raw('OC'))) objects.delete(key);
    }
  }
}

function dropUnknownIntent(dict: Dict, key: string): void {
  if (dict.map.has(key) && !INTENTS.has(dict.name(key) ?? '')) dict.delete(key);
}

/**
 * Makes the number of bits per component of an image conform. Returns a replacement with the upper 8 of 16
 * bits, `undefined` if the image is kept, or `unreadable` if it cannot be converted.
 */
function fitBits(
  document: PdfDocument,
  image: PdfStream,
  { imageBits }: LevelRules,
): PdfStream | 'unreadable' | undefined {
  const { dict } = image;
  const bits = dict.number('BitsPerComponent');
  if (dict.get('ImageMask') === true) {
    if (bits !== undefined) dict.set('BitsPerComponent', 1);
    return undefined;
  }
  if (bits === undefined || imageBits.has(bits)) return undefined;
  const filters = dict.get('Filter');
  const last = nameOf(Array.isArray(filters) ? filters.at(-1) : filters);
  if (last === 'DCTDecode' || last === 'JPXDecode') {
    dict.set('BitsPerComponent', 8);
    return undefined;
  }
  if (bits !== 16) return 'unreadable';
  const data = decodeStream(image, document.budget);
  if (!data) return 'unreadable';
  const upper = new Uint8Array(data.length >> 1);
  for (let at = 0; at < upper.length; at++) upper[at] = data[2 * at] ?? 0;
  const narrowed = dict
    .copy()
    .delete('DecodeParms')
    .set('BitsPerComponent', 8)
    .set('Filter', name('FlateDecode'));
  return new PdfStream(narrowed, deflateSync(upper));
}
