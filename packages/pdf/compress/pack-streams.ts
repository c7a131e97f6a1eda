import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  name,
  Name,
  PdfStream,
  resolve,
  type PdfDocument,
  type Ref,
} from '../objects/index.ts';

/** Filters that compress worse than Flate. */
const WEAK_FILTERS = new Set(['ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'RunLengthDecode']);

/** Compresses streams that are not compressed, or not well. XMP metadata stays readable without a PDF library. */
export function packStreams(document: PdfDocument, refs: Iterable<Ref>): void {
  for (const ref of refs) {
    const { value } = ref;
    if (!(value instanceof PdfStream) || value.dict.name('Type') === 'Metadata') continue;
    const filter = value.dict.get('Filter');
    const filters = Array.isArray(filter) ? filter.map(resolve) : filter instanceof Name ? [filter] : [];
    const isWeak = filters.every(
      (item) => item instanceof Name && (WEAK_FILTERS.has(item.value) || item.value === 'FlateDecode'),
    );
    const isFlate = filters.length === 1 && filters[0] instanceof Name && filters[0].value === 'FlateDecode';
    if (!isWeak || isFlate || value.dict.map.has('F')) continue;
    const data = decodeStream(value, document.budget);
    if (!data) continue;
    const packed = deflateSync(data);
    if (packed.length >= value.raw.length) continue;
    const dict = value.dict.copy().delete('DecodeParms', 'Length');
    ref.value = new PdfStream(dict.set('Filter', name('FlateDecode')), packed);
  }
}
