import { deflateSync, inflateSync } from 'node:zlib';
import {
  decodeStream,
  name,
  Name,
  PdfError,
  PdfStream,
  reach,
  resolve,
  UnpackBudget,
  type PdfDocument,
  type PdfObject,
  type Ref,
} from '@platen/pdf/objects';
import type { LevelRules } from '../levels.ts';
import type { Breach } from '../violation.ts';

/** The full names of abbreviated filters (ISO 32000-1 table 94). */
const FULL_NAMES: Readonly<Record<string, string>> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/** The filters of PDF 1.4 that PDF/A-1 allows. */
const ALLOWED = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
]);
/** The filters of images, whose data is not decoded here. */
const IMAGE_FILTERS = new Set(['CCITTFaxDecode', 'JBIG2Decode', 'DCTDecode', 'JPXDecode']);

/**
 * Replaces forbidden filters and removes references to external files (ISO 19005-1 6.1.7, 6.1.10). Compresses
 * LZW data again with Flate. Replaces damaged data, which readers decode differently, with the part that can
 * be decoded. Returns the violations that remain: streams whose data cannot be decoded at all, and unknown
 * filters.
 */
export function replaceForbiddenFilters(document: PdfDocument, root: Ref, rules: LevelRules): Breach[] {
  const violations: Breach[] = [];
  for (const ref of reach(root)) {
    const { value } = ref;
    if (!(value instanceof PdfStream)) continue;
    const { dict } = value;
    dict.delete('F', 'FFilter', 'FDecodeParms', 'DL');
    const filters = filtersOf(value);
    const last = filters.findLastIndex((filter) => filter === 'LZWDecode' || filter === 'Crypt');
    if (last < 0 && !isIntact(value)) {
      const readable = recompress(document, value, generalFilters(filters) - 1);
      if (readable) ref.value = readable;
      else if (isBlank(value)) ref.value = withoutData(value);
      else violations.push({ rule: 'streams', message: 'the data of a stream cannot be decoded' });
      continue;
    }
    const unknown = filters.find((filter) => !isKnownFilter(filter, rules));
    if (unknown !== undefined && !isBlank(value))
      violations.push({
        rule: 'filters',
        message: `a stream has the unknown filter ${unknown.slice(0, 40)}`,
      });
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
    else violations.push({ rule: 'filters', message: 'a stream compressed with LZW cannot be decoded' });
  }
  return violations;
}

/** Larger data is assumed to be intact. A scanned page is smaller. */
const MAX_CHECKED_BYTES = 100_000_000;

/**
 * Tells whether the Flate data of a stream is complete, including its checksum. Does not check other filters.
 */
export function isIntact(stream: PdfStream): boolean {
  const filters = filtersOf(stream);
  const budget = new UnpackBudget(MAX_CHECKED_BYTES);
  try {
    for (let index = 0; index < generalFilters(filters); index++) {
      if (!isFlate(filters[index] ?? '')) continue;
      const data = index === 0 ? stream.raw : decodeFilters(stream, index, budget);
      if (!data) return false;
      inflateSync(data, { maxOutputLength: MAX_CHECKED_BYTES });
    }
    return true;
  } catch (error) {
    return error instanceof PdfError || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Decodes the first filters of a stream. */
function decodeFilters(stream: PdfStream, count: number, budget: UnpackBudget): Uint8Array | undefined {
  const { dict } = stream;
  const first = dict.copy();
  first.set('Filter', listOf(dict.get('Filter')).slice(0, count));
  first.set('DecodeParms', listOf(dict.get('DecodeParms')).slice(0, count));
  return decodeStream(new PdfStream(first, () => stream.raw), budget);
}

/** Tells whether a level allows the filter with a full name. */
export function isAllowedFilter(filter: string, { jpeg2000 }: LevelRules): boolean {
  return ALLOWED.has(filter) || (jpeg2000 && filter === 'JPXDecode');
}

function isKnownFilter(filter: string, rules: LevelRules): boolean {
  const full = FULL_NAMES[filter] ?? filter;
  return isAllowedFilter(full, rules) || full === 'LZWDecode' || full === 'Crypt';
}

/** Counts the leading filters that are not image filters. */
function generalFilters(filters: readonly string[]): number {
  const image = filters.findIndex((filter) => IMAGE_FILTERS.has(FULL_NAMES[filter] ?? filter));
  return image < 0 ? filters.length : image;
}

function isFlate(filter: string): boolean {
  return filter === 'FlateDecode' || filter === 'Fl';
}

/**
 * Tells whether the data of a stream is white space only. Some writers declare an empty stream as compressed.
 */
export function isBlank({ raw }: PdfStream): boolean {
  return raw.every(
    (byte) => byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32,
  );
}

function withoutData(stream: PdfStream): PdfStream {
  const dict = stream.dict.copy().delete('DecodeParms', 'Filter');
  return new PdfStream(dict, new Uint8Array());
}

/** Returns the names of the filters of a stream as written, except that `LZW` becomes `LZWDecode`. */
export function filtersOf({ dict }: PdfStream): string[] {
  return listOf(dict.get('Filter')).map((filter) => {
    const value = resolve(filter);
    const written = value instanceof Name ? value.value : '';
    return FULL_NAMES[written] === 'LZWDecode' ? 'LZWDecode' : written;
  });
}

function setFilters({ dict }: PdfStream, filters: readonly string[]): void {
  dict.set(
    'Filter',
    filters.map((filter) => name(filter)),
  );
}

/**
 * Replaces the filters up to and including the filter at `last` with Flate. Keeps the filters after it, such
 * as image filters.
 */
function recompress(document: PdfDocument, stream: PdfStream, last: number): PdfStream | undefined {
  const filters = listOf(stream.dict.get('Filter'));
  const parameters = listOf(stream.dict.get('DecodeParms'));
  const data = decodeFilters(stream, last + 1, document.budget);
  if (!data) return undefined;
  const rest = filters.slice(last + 1);
  const dict = stream.dict.copy().set('Filter', [name('FlateDecode'), ...rest]);
  const kept = parameters.slice(last + 1);
  const hasParameters = kept.some((item) => resolve(item) !== null);
  dict.set('DecodeParms', hasParameters ? [null, ...kept] : undefined);
  return new PdfStream(dict, deflateSync(data));
}

function listOf(value: PdfObject | undefined): PdfObject[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
