import { inflateSync } from 'node:zlib';
import { Dict, Name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import { StrictFault } from './strict-syntax.ts';
import type { StrictObject } from './xref-section.ts';

/**
 * The entries that readers need to read a cross-reference stream or an object stream. The length of an object
 * stream can be indirect.
 */
const ENTRIES = ['Filter', 'DecodeParms', 'W', 'Index', 'Size', 'Prev', 'N', 'First'];
/** The predictors of PNG (ISO 32000-1 table 10), and the types of their rows. */
const FIRST_PNG = 10;
const LAST_PNG = 15;
const LAST_ROW_TYPE = 4;

/**
 * Checks that all readers can decode a cross-reference stream or an object stream of an update, and decode it
 * alike: it has no other filter than Flate, its numbers are integers, and its entries are direct objects.
 * `data` is the decrypted stream.
 * @throws {StrictFault}
 */
export function checkStructuralStream(
  { stream, hasReals }: StrictObject,
  { data, limitBytes }: { data: Uint8Array; limitBytes: number },
): void {
  const dict = stream?.dict ?? new Dict();
  const filters = listOf(dict.raw('Filter'));
  const isPlain =
    !hasReals &&
    !dict.map.has('DP') &&
    ENTRIES.every((key) => isDirect(dict.raw(key))) &&
    (dict.name('Type') !== 'XRef' || isDirect(dict.raw('Length'))) &&
    filters.every((each) => each instanceof Name && each.value === 'FlateDecode') &&
    filters.length <= 1;
  const [parameters] = listOf(dict.raw('DecodeParms'));
  if (!isPlain || (filters.length === 1 && !isDecodable(data, { parameters, limitBytes })))
    throw new StrictFault('a cross-reference stream or an object stream that some readers cannot decode');
}

function listOf(value: PdfObject | undefined): readonly PdfObject[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isDirect(value: PdfObject | undefined): boolean {
  if (value instanceof Ref || value instanceof PdfStream) return false;
  if (Array.isArray(value)) return value.every(isDirect);
  return !(value instanceof Dict) || [...value.map.values()].every(isDirect);
}

/** Tells whether Flate data is complete, and its rows are those of its predictor. */
function isDecodable(
  data: Uint8Array,
  { parameters, limitBytes }: { parameters: PdfObject | undefined; limitBytes: number },
): boolean {
  let rows: Uint8Array;
  try {
    rows = inflateSync(data, { maxOutputLength: Math.max(1, limitBytes) });
  } catch {
    return false;
  }
  if (parameters === undefined || parameters === null) return true;
  if (!(parameters instanceof Dict)) return false;
  const predictor = parameters.number('Predictor') ?? 1;
  if (predictor === 1) return true;
  const columns = parameters.number('Columns') ?? 1;
  const [colors, bits] = [parameters.number('Colors') ?? 1, parameters.number('BitsPerComponent') ?? 8];
  if (predictor < FIRST_PNG || predictor > LAST_PNG || columns < 1 || colors !== 1 || bits !== 8)
    return false;
  if (rows.length % (columns + 1) !== 0) return false;
  for (let at = 0; at < rows.length; at += columns + 1) if ((rows[at] ?? 0) > LAST_ROW_TYPE) return false;
  return true;
}
