import { checkData, readVariable, type VariableSchema } from '@platen/templates/check-data';
import { formatSize } from '../../data/format.ts';
import { faultOfColumns, rowEncoder, shorten, type Column } from './columns.ts';
import { Slices } from './slices.ts';
import { MAX_BYTES, type Source, type SourceRecord } from './source.ts';
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
  /** The variables without which the service makes no document. */
  required: VariableSchema;
}

const INVALID_LINE = 'null';
const PIECE_CHARACTERS = 1_000_000;

/**
 * Writes the data of a batch as NDJSON without blocking the page.
 * @throws {Error} if the columns contradict each other, or for too much data
 */
export async function prepare(
  { source, columns, fields, required }: Recipe,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<Prepared> {
  const wrong = source.format === 'csv' ? faultOfColumns(columns) : undefined;
  if (wrong !== undefined) throw new Error(wrong);
  const encode = rowEncoder(columns, fields);
  const hasRequired = Object.keys(required).length > 0;
  const lineOf = ({ cells, json, fault }: SourceRecord): { json: string } | { fault: string } => {
    const encoded = cells && encode(cells);
    if (encoded && 'fault' in encoded) return encoded;
    if (!encoded && json === undefined) return { fault: fault ?? 'is invalid' };
    const line = encoded ? JSON.stringify(encoded.data) : (json ?? '');
    const lack = hasRequired ? faultOfRequired(encoded?.data ?? JSON.parse(line), required) : undefined;
    return lack === undefined ? { json: line } : { fault: lack };
  };
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
  for (const record of source.records) {
    const { place } = record;
    const encoded = lineOf(record);
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

/** Returns why the service would refuse the data: a required field is missing or has another type. */
function faultOfRequired(data: object, required: VariableSchema): string | undefined {
  const variables = data as Record<string, unknown>;
  const [fault] = checkData(required, variables);
  if (!fault) return undefined;
  const { path, found } = fault;
  const value = readVariable(variables, path);
  if (found === 'missing') return `has no value for “${path}”, which the template requires`;
  const type = fault.expected.slice(0, -1);
  const expected = type === 'date' ? 'a date in the form YYYY-MM-DD' : `of type ${type}`;
  return `has ${describe(value)} for “${path}”, which must be ${expected}`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `“${shorten(value)}”`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
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
