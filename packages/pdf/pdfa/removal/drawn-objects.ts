import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  name,
  PdfStream,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { type ContentGraph, nameOf } from '../content/graph.ts';
import { INTENTS } from '../content/operators.ts';
import type { Violation } from '../violation.ts';

const BITS = new Set([1, 2, 4, 8]);

/** Removes what PDF/A-1b forbids from images, form XObjects and graphics states (ISO 19005-1 6.2.4 to 6.2.9). */
export function cleanDrawnObjects(document: PdfDocument, graph: ContentGraph): Violation[] {
  const violations: Violation[] = [];
  for (const [image, ref] of graph.images) {
    image.dict.delete('Alternates', 'OPI', 'Interpolate', 'SMaskInData', 'Measure', 'PtData', 'ID');
    dropUnknownIntent(image.dict, 'Intent');
    const narrowed = fitBits(document, image);
    if (narrowed === 'unreadable')
      violations.push({ clause: '6.2.4', message: 'an image cannot be decoded' });
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
  }
  return violations;
}

/** Removes PostScript XObjects, XObjects of hidden layers, and the layers themselves (6.1.13, 6.2.7). */
export function hideObjects(graph: ContentGraph, isHidden: (layers: PdfObject | undefined) => boolean): void {
  for (const resources of graph.resources) {
    const properties = resources.dict('Properties');
    for (const key of properties?.map.keys() ?? [])
      if (/^OC(?:G|MD)$/.test(properties?.dict(key)?.name('Type') ?? '')) properties?.delete(key);
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

/** Converts an image to a sample size of PDF 1.4. Reduces 16 bits to the upper 8. */
function fitBits(document: PdfDocument, image: PdfStream): PdfStream | 'unreadable' | undefined {
  const { dict } = image;
  const bits = dict.number('BitsPerComponent');
  if (dict.get('ImageMask') === true) {
    if (bits !== undefined) dict.set('BitsPerComponent', 1);
    return undefined;
  }
  if (bits === undefined || BITS.has(bits)) return undefined;
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
