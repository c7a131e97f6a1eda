import { formatSize } from '../../data/format.ts';
import { faultOfColumns, rowEncoder, type Column } from './columns.ts';
import { Slices } from './slices.ts';
import { MAX_BYTES, type Source } from './source.ts';
import type { TemplateField } from './template-fields.ts';

/** An invalid row, line or entry. */
export interface Fault {
  place: number;
  /** The end of a sentence. */
  message: string;
}

/** The lines that are sent, as NDJSON, and where they come from. */
export interface Prepared {
  body: Blob;
  /** The place of each line in the source. */
  places: number[];
  /** The invalid records. Their lines are `null`, so that the service counts them. */
  faults: Fault[];
}

/** The data of a batch, and the fields that its columns fill. */
export interface Recipe {
  source: Source;
  /** The columns of CSV. */
  columns: readonly Column[];
  fields: readonly TemplateField[];
}

const INVALID_LINE = 'null';
const PIECE_CHARACTERS = 1_000_000;

/**
 * Writes the data of a batch as NDJSON without blocking the page.
 * @throws {Error} if the columns contradict each other, or for too much data
 */
export async function prepare(
  { source, columns, fields }: Recipe,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<Prepared> {
  const wrong = source.format === 'csv' ? faultOfColumns(columns) : undefined;
  if (wrong !== undefined) throw new Error(wrong);
  const encode = rowEncoder(columns, fields);
  const slices = new Slices(signal);
  const places: number[] = [];
  const faults: Fault[] = [];
  const pieces: Blob[] = [];
  let open: string[] = [];
  let characters = 0;
  let bytes = 0;
  const close = () => {
    const piece = new Blob(open);
    bytes += piece.size;
    if (bytes > maxBytes)
      throw new Error(
        `The data of all documents has more than ${formatSize(maxBytes)}, written as JSON. Divide it among several batches.`,
      );
    pieces.push(piece);
    [open, characters] = [[], 0];
  };
  for (const { place, cells, json, fault } of source.records) {
    const encoded = cells ? encode(cells) : json === undefined ? { fault: fault ?? 'is invalid' } : { json };
    if ('fault' in encoded) faults.push({ place, message: encoded.fault });
    const line = 'json' in encoded ? encoded.json : INVALID_LINE;
    places.push(place);
    open.push(line, '\n');
    characters += line.length;
    if (characters > PIECE_CHARACTERS) close();
    await slices.proceed();
  }
  close();
  return { body: new Blob(pieces, { type: 'application/x-ndjson' }), places, faults };
}

/**
 * Returns the invalid records, in their order: the known ones, and those that only the service found, whose
 * lines are counted in the body.
 */
export function mergeFaults(
  { places, faults }: Pick<Prepared, 'places' | 'faults'>,
  found: readonly { line: number; message: string }[],
): Fault[] {
  const known = new Map(faults.map((fault) => [fault.place, fault]));
  for (const { line, message } of found) {
    const place = places[line - 1];
    if (place !== undefined && !known.has(place)) known.set(place, { place, message });
  }
  return [...known.values()].toSorted((left, right) => left.place - right.place);
}
