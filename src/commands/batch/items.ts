import { extname } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from '../failures.ts';
import { readText } from '../documents/read-file.ts';
import { isJsonObject, parseJson, type JsonObject } from '../json-text.ts';

/** The data of a document, and where it is in the file, such as `line 3` or `item 3`. */
export interface DataItem {
  data: JsonObject;
  place: string;
}

const READERS: Readonly<Record<string, (text: string, path: string) => DataItem[]>> = {
  '.json': readJson,
  '.ndjson': readLines,
  '.jsonl': readLines,
  '.csv': readCsv,
};

/**
 * Reads the items of a JSON list, of NDJSON, or of CSV with names in its first row, whose values are text.
 * @throws {UsageError} that names the file and the line
 */
export function readItems(path: string): DataItem[] {
  const reader = READERS[extname(path).toLowerCase()];
  if (!reader) throw new UsageError(`${path} has an unknown ending; use ${Object.keys(READERS).join(', ')}`);
  return parseItems(readText(path), path, reader);
}

/** Reads the items of a text; `path` is its name in messages. @throws {UsageError} */
export function parseItems(
  text: string,
  path: string,
  reader = READERS[extname(path).toLowerCase()] ?? readJson,
): DataItem[] {
  const items = reader(text, path);
  if (items.length === 0) throw new UsageError(`${path} has no items; each item is the data of a document`);
  return items;
}

function readJson(text: string, path: string): DataItem[] {
  const value = parseJson(text, path);
  if (!Array.isArray(value))
    throw new UsageError(`${path} must have a JSON list of objects, such as [{"number": 1}, {"number": 2}]`);
  return value.map((data: unknown, index) => itemOf(data, { path, place: `item ${index + 1}` }));
}

function readLines(text: string, path: string): DataItem[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const place = `line ${index + 1}`;
    let data: unknown;
    try {
      data = JSON.parse(line);
    } catch {
      throw new UsageError(`${path} is not NDJSON: ${place} is not JSON; each line is a JSON object`);
    }
    return [itemOf(data, { path, place })];
  });
}

function readCsv(text: string, path: string): DataItem[] {
  try {
    // The types of the library do not know what `info` changes.
    const rows: { record: JsonObject; info: { lines: number } }[] = parse(text, {
      columns: checkNames(path),
      info: true,
      skip_empty_lines: true,
    });
    return rows.map(({ record, info }) => ({ data: record, place: `line ${info.lines}` }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const [message = ''] = error.message.split('\n');
    throw new UsageError(`${path} is not CSV: ${message}`);
  }
}

/** Requires that the first row of a CSV file names each column once. */
function checkNames(path: string): (names: string[]) => string[] {
  return (names) => {
    const wrong = names.find((name, index) => name.trim() === '' || names.indexOf(name) !== index);
    if (wrong === undefined) return names;
    const what = wrong.trim() === '' ? 'a column without a name' : `the column "${wrong}" twice`;
    throw new UsageError(`${path}: the first line has ${what}; it must name each column once`);
  };
}

function itemOf(data: unknown, { path, place }: { path: string; place: string }): DataItem {
  if (!isJsonObject(data)) throw new UsageError(`${path}: ${place} must be an object, such as {"number": 1}`);
  return { data, place };
}
