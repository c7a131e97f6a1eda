import { deflateSync } from 'node:zlib';
import { Dict, name, Name, PdfStream, resolve } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';

/** Removes all transparency entries from the resources of pages. The bitmaps already show their effect. */
export function makeOpaque(pages: readonly Dict[], graph: ContentGraph): void {
  for (const page of pages) page.delete('Group');
  for (const { dict } of graph.forms.keys())
    if (dict.dict('Group')?.name('S') === 'Transparency') dict.delete('Group');
  for (const state of graph.states) state.delete('ca', 'CA', 'SMask', 'BM', 'AIS');
  for (const [image, ref] of graph.images) {
    if (image.dict.get('SMask') instanceof PdfStream || isJpeg2000(image)) ref.value = emptyImage();
    else image.dict.delete('SMask', 'SMaskInData');
  }
}

/** Recognizes JPEG 2000, which PDF/A-1 forbids. A transparent JPEG 2000 image is covered by a bitmap. */
function isJpeg2000({ dict }: PdfStream): boolean {
  const filters = dict.get('Filter');
  const last = Array.isArray(filters) ? resolve(filters.at(-1)) : filters;
  return last instanceof Name && last.value === 'JPXDecode';
}

/** Builds a white pixel to replace an image that is covered by bitmaps wherever it is drawn. */
function emptyImage(): PdfStream {
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: 1,
    Height: 1,
    ColorSpace: name('DeviceGray'),
    BitsPerComponent: 8,
    Filter: name('FlateDecode'),
  });
  return new PdfStream(dict, deflateSync(Uint8Array.of(255)));
}
