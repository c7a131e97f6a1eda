import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream } from '@platen/pdf/objects';
import type { ContentGraph } from '../../content/graph.ts';
import { isJpeg2000 } from '../../content/jpeg2000.ts';

/**
 * Removes all transparency entries from pages and their resources. Bitmaps already show the effect of these
 * entries.
 */
export function makeOpaque(pages: readonly Dict[], graph: ContentGraph): void {
  for (const page of pages) page.delete('Group');
  for (const { dict } of graph.forms.keys())
    if (dict.dict('Group')?.name('S') === 'Transparency') dict.delete('Group');
  for (const state of graph.states) state.delete('ca', 'CA', 'SMask', 'BM', 'AIS');
  for (const [image, ref] of graph.images) {
    // Images with soft masks and JPEG 2000 images count as transparent, so bitmaps cover them.
    if (image.dict.get('SMask') instanceof PdfStream || isJpeg2000(image)) ref.value = emptyImage();
    else image.dict.delete('SMask', 'SMaskInData');
  }
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
