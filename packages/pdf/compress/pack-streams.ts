import { deflateSync } from 'node:zlib';
import { decodeStream, filterNames, name, PdfStream, type PdfDocument, type Ref } from '../objects/index.ts';

/**
 * Filters that compress worse than Flate, and Flate itself, which can be combined with them. Flate alone
 * replaces them.
 */
const WEAK_FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'RunLengthDecode',
  'FlateDecode',
]);

/**
 * Compresses streams with Flate that are uncompressed or poorly compressed. Skips XMP metadata, so that
 * programs can read it without a PDF library.
 */
export function packStreams(document: PdfDocument, refs: Iterable<Ref>): void {
  for (const ref of refs) {
    const { value } = ref;
    if (!(value instanceof PdfStream) || value.dict.name('Type') === 'Metadata') continue;
    const filters = filterNames(value);
    const isFlate = filters.length === 1 && filters[0] === 'FlateDecode';
    const isWeak = !isFlate && filters.every((filter) => WEAK_FILTERS.has(filter));
    if (!isWeak || value.dict.map.has('F')) continue;
    const data = decodeStream(value, document.budget);
    if (!data) continue;
    const packed = deflateSync(data);
    if (packed.length >= value.raw.length) continue;
    const dict = value.dict.copy().delete('DecodeParms', 'Length');
    ref.value = new PdfStream(dict.set('Filter', name('FlateDecode')), packed);
  }
}
