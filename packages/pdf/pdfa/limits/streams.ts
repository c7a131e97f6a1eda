import { deflateSync, inflateSync } from 'node:zlib';
import {
  decodeStream,
  name,
  Name,
  PdfStream,
  reach,
  resolve,
  type PdfDocument,
  type PdfObject,
  type Ref,
} from '../../objects/index.ts';
import type { Violation } from '../violation.ts';

const FULL_NAMES: Readonly<Record<string, string>> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/**
 * Gives the streams that a document reaches filters which PDF/A-1 allows: what LZW packs is packed anew, what is outside of the file
 * is not referred to (ISO 19005-1 6.1.7, 6.1.10). Packed data that are damaged, of which each reader gets another part, are packed anew
 * as far as they go. Returns what could not be packed anew.
 */
export function fitStreams(document: PdfDocument, root: Ref): Violation[] {
  const violations: Violation[] = [];
  for (const ref of reach(root)) {
    const { value } = ref;
    if (!(value instanceof PdfStream)) continue;
    const { dict } = value;
    dict.delete('F', 'FFilter', 'FDecodeParms', 'DL');
    const filters = filtersOf(value);
    const last = filters.findLastIndex((filter) => filter === 'LZWDecode' || filter === 'Crypt');
    if (last < 0 && !isIntact(value)) {
      ref.value = repack(document, value, flatesOf(filters) - 1) ?? emptied(value);
      continue;
    }
    if (last < 0) {
      if (filters.some((filter) => filter in FULL_NAMES))
        setFilters(
          value,
          filters.map((filter) => FULL_NAMES[filter] ?? filter),
        );
      continue;
    }
    const repacked = repack(document, value, last);
    if (repacked) ref.value = repacked;
    else
      violations.push({ clause: '6.1.10', message: 'has a stream packed with LZW that cannot be unpacked' });
  }
  return violations;
}

/** More than this is not unpacked to see whether it can be; no scan of a page has as much. */
const MAX_TRIED_BYTES = 100_000_000;

/** Tells whether the data of a stream that is packed with Flate unpack to their end, checksum included. */
export function isIntact(stream: PdfStream): boolean {
  if (flatesOf(filtersOf(stream)) === 0) return true;
  try {
    inflateSync(stream.raw, { maxOutputLength: MAX_TRIED_BYTES });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** How many of the first filters are Flate. */
function flatesOf(filters: readonly string[]): number {
  const other = filters.findIndex((filter) => filter !== 'FlateDecode' && filter !== 'Fl');
  return other < 0 ? filters.length : other;
}

function emptied(stream: PdfStream): PdfStream {
  const dict = stream.dict.copy().delete('DecodeParms', 'Filter');
  return new PdfStream(dict, new Uint8Array());
}

/** The names of a stream's filters, in full. */
export function filtersOf({ dict }: PdfStream): string[] {
  return listOf(dict.get('Filter')).map((filter) => {
    const value = resolve(filter);
    const own = value instanceof Name ? value.value : '';
    return FULL_NAMES[own] === 'LZWDecode' ? 'LZWDecode' : own;
  });
}

function setFilters({ dict }: PdfStream, filters: readonly string[]): void {
  dict.set(
    'Filter',
    filters.map((filter) => name(filter)),
  );
}

/** Undoes the filters up to one, and packs what comes out. Filters of images may follow. */
function repack(document: PdfDocument, stream: PdfStream, last: number): PdfStream | undefined {
  const filters = listOf(stream.dict.get('Filter'));
  const parameters = listOf(stream.dict.get('DecodeParms'));
  const first = stream.dict.copy();
  first.set('Filter', filters.slice(0, last + 1)).set('DecodeParms', parameters.slice(0, last + 1));
  const data = decodeStream(new PdfStream(first, () => stream.raw), document.budget);
  if (!data) return undefined;
  const rest = filters.slice(last + 1);
  const dict = stream.dict.copy().set('Filter', [name('FlateDecode'), ...rest]);
  const own = parameters.slice(last + 1);
  dict.set('DecodeParms', own.some((one) => resolve(one) !== null) ? [null, ...own] : undefined);
  return new PdfStream(dict, deflateSync(data));
}

function listOf(value: PdfObject | undefined): PdfObject[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
