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
 * Replaces filters that PDF/A-1 forbids and removes references to external files (ISO 19005-1 6.1.7, 6.1.10). LZW data is compressed
 * again with Flate. Damaged Flate data, which readers decode differently, is replaced with the part that can be decoded. Returns the
 * violations that remain.
 */
export function replaceForbiddenFilters(document: PdfDocument, root: Ref): Violation[] {
  const violations: Violation[] = [];
  for (const ref of reach(root)) {
    const { value } = ref;
    if (!(value instanceof PdfStream)) continue;
    const { dict } = value;
    dict.delete('F', 'FFilter', 'FDecodeParms', 'DL');
    const filters = filtersOf(value);
    const last = filters.findLastIndex((filter) => filter === 'LZWDecode' || filter === 'Crypt');
    if (last < 0 && !isIntact(value)) {
      ref.value = recompress(document, value, leadingFlateFilters(filters) - 1) ?? withoutData(value);
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
    const recompressed = recompress(document, value, last);
    if (recompressed) ref.value = recompressed;
    else violations.push({ clause: '6.1.10', message: 'a stream compressed with LZW cannot be decoded' });
  }
  return violations;
}

/** Larger data is assumed to be intact. A scanned page is smaller. */
const MAX_CHECKED_BYTES = 100_000_000;

/** Tells whether the Flate data of a stream is complete, including its checksum. */
export function isIntact(stream: PdfStream): boolean {
  if (leadingFlateFilters(filtersOf(stream)) === 0) return true;
  try {
    inflateSync(stream.raw, { maxOutputLength: MAX_CHECKED_BYTES });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Counts the leading Flate filters. */
function leadingFlateFilters(filters: readonly string[]): number {
  const other = filters.findIndex((filter) => filter !== 'FlateDecode' && filter !== 'Fl');
  return other < 0 ? filters.length : other;
}

function withoutData(stream: PdfStream): PdfStream {
  const dict = stream.dict.copy().delete('DecodeParms', 'Filter');
  return new PdfStream(dict, new Uint8Array());
}

/** Returns the names of a stream's filters, with LZW in its full form. */
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

/** Decodes the filters up to and including one, and replaces them with Flate. Image filters may follow. */
function recompress(document: PdfDocument, stream: PdfStream, last: number): PdfStream | undefined {
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
