import { formatCount, formatSize } from '../../data/format.ts';
import { namesOf, rowsOf, separatorOf, type Row } from './csv.ts';
import { entriesOf, faultOf, linesOf, type JsonText } from './json-records.ts';
import { Slices } from './slices.ts';

/** The most documents in a batch. */
export const MAX_RECORDS = 10_000;
/** The largest file, and the most bytes of the data of all documents. */
export const MAX_BYTES = 100_000_000;

/** How the data of a batch is written. */
export type Format = 'csv' | 'ndjson' | 'json';

/** The data of a document: the cells of a row, JSON, or the fault of an invalid row, line or entry. */
export interface SourceRecord {
  /** The line of the file or the number of the entry, counted from 1. */
  place: number;
  cells?: string[];
  /** Without line breaks. */
  json?: string;
  /** The end of a sentence, such as "has 2 values, but the table has 3 columns". */
  fault?: string;
}

/** The data of the documents of a batch. */
export interface Source {
  format: Format;
  /** The names of the columns of CSV. */
  header: string[];
  records: SourceRecord[];
}

/** A file or a text with the data of a batch. */
export interface Input {
  name: string;
  content: File | string;
}

interface Reading {
  signal: AbortSignal;
  /** Receives the number of records that have been read. */
  onProgress: (count: number) => void;
}

const PIECE_BYTES = 1_000_000;
/** The time between two reports of the progress, each of which draws the dialog again. */
const REPORT_MS = 200;

/**
 * Reads the data of a batch without blocking the page: CSV, NDJSON, or a JSON list.
 * @throws {Error} that says why the data cannot be used
 */
export async function readSource({ name, content }: Input, reading: Reading): Promise<Source> {
  const text = typeof content === 'string' ? content : await decode(content, reading.signal);
  const format = formatOf(name, text);
  const [header, read] =
    format === 'csv'
      ? readTable(text, /\.tsv$/i.test(name) ? '\t' : separatorOf(text))
      : [[], readJson(text, format)];
  const slices = new Slices(reading.signal);
  const records: SourceRecord[] = [];
  let nextReport = 0;
  for (const record of read) {
    if (records.length === MAX_RECORDS)
      throw new Error(`There are more than ${formatCount(MAX_RECORDS)} documents, the most in a batch.`);
    records.push(record);
    if (!(await slices.proceed()) || performance.now() < nextReport) continue;
    reading.onProgress(records.length);
    nextReport = performance.now() + REPORT_MS;
  }
  if (records.length === 0)
    throw new Error(
      format === 'csv'
        ? 'The table has no rows below the names of the columns.'
        : 'The data has no documents.',
    );
  return { format, header, records };
}

/** Names a record in a sentence, such as "Line 3". */
export function placeOf(format: Format, place: number): string {
  return `${format === 'json' ? 'Entry' : 'Line'} ${formatCount(place)}`;
}

async function decode(file: File, signal: AbortSignal): Promise<string> {
  if (file.size > MAX_BYTES)
    throw new Error(
      `${file.name} has ${formatSize(file.size)}. A file can have at most ${formatSize(MAX_BYTES)}.`,
    );
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    const piece = await file.slice(start, start + PIECE_BYTES).arrayBuffer();
    signal.throwIfAborted();
    try {
      parts.push(decoder.decode(piece, { stream: start + PIECE_BYTES < file.size }));
    } catch {
      throw new Error(`${file.name} is not UTF-8. Save it as “CSV UTF-8”.`);
    }
  }
  return parts.join('');
}

/** Returns the format that the name tells, or else the beginning of the text. */
function formatOf(name: string, text: string): Format {
  if (/\.(?:csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson';
  const begin = text.search(/\S/);
  if (text[begin] === '{') {
    const end = text.indexOf('\n', begin);
    const line = text.slice(begin, end === -1 ? text.length : end);
    // The reader of lists refuses an object in several lines with the reason.
    return line.trimEnd().endsWith('}') ? 'ndjson' : 'json';
  }
  return text[begin] === '[' || /\.json$/i.test(name) ? 'json' : 'csv';
}

function readTable(text: string, separator: string): [header: string[], records: Iterable<SourceRecord>] {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''), separator);
  const first = rows.next();
  if (first.done) throw new Error('The table is empty.');
  const header = namesOf(first.value);
  return [header, recordsOf(rows, header.length)];
}

function* recordsOf(rows: Iterable<Row>, columns: number): Generator<SourceRecord> {
  for (const { line, cells, fault = faultOfCount(cells.length, columns) } of rows)
    yield fault === undefined ? { place: line, cells } : { place: line, fault };
}

function faultOfCount(cells: number, columns: number): string | undefined {
  if (cells === columns) return undefined;
  return `has ${cells === 1 ? '1 value' : `${cells} values`}, but the table has ${columns === 1 ? '1 column' : `${columns} columns`}`;
}

function* readJson(text: string, format: 'ndjson' | 'json'): Generator<SourceRecord> {
  const texts: Iterable<JsonText> = format === 'json' ? entriesOf(text) : linesOf(text);
  for (const { place, json } of texts) {
    const fault = faultOf(json);
    yield fault === undefined ? { place, json } : { place, fault };
  }
}
