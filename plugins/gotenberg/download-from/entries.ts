import { AppError, messageOf } from '../../../src/plugin.ts';
import { parseGoJson } from '../form/go-json.ts';

/** A file that a form names by its URL. */
export interface DownloadEntry {
  url: string;
  extraHttpHeaders: Readonly<Record<string, string>>;
  /** The field to which the file is added: `files` unless the entry names another. */
  field: string;
}

/** Each entry makes a request. */
const MAX_ENTRIES = 100;
/** As in the field extraHttpHeaders. Bun takes quadratic time to set headers. */
const MAX_HEADERS = 64;
const GO_TYPE = 'api.downloadFrom';

/**
 * Reads the field `downloadFrom`, a list in JSON. Messages are those of Go's `encoding/json`.
 * @throws {AppError} VALIDATION_ERROR
 */
export function readEntries(text: string): readonly DownloadEntry[] {
  try {
    const value = parseGoJson(text);
    if (value === null) return [];
    if (!Array.isArray(value)) throw mismatch(value, `value of type []${GO_TYPE}`);
    if (value.length > MAX_ENTRIES) throw new Error(`at most ${MAX_ENTRIES} files can be downloaded`);
    return value.map(readEntry);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', `Invalid 'downloadFrom' form field value: ${messageOf(error)}`);
  }
}

function readEntry(value: unknown): DownloadEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw mismatch(value, `value of type ${GO_TYPE}`);
  const { url, extraHttpHeaders, embedded, field } = value as Record<string, unknown>;
  const isEmbedded = readOptional(embedded, 'boolean', 'embedded') ?? false;
  return {
    url: readOptional(url, 'string', 'url') ?? '',
    extraHttpHeaders: readHeaders(extraHttpHeaders),
    field: readOptional(field, 'string', 'field') || (isEmbedded ? 'embeds' : 'files'),
  };
}

function readOptional(value: unknown, type: 'string', name: string): string | undefined;
function readOptional(value: unknown, type: 'boolean', name: string): boolean | undefined;
function readOptional(value: unknown, type: 'string' | 'boolean', name: string): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === type) return value;
  throw mismatch(value, `struct field downloadFrom.${name} of type ${type === 'string' ? type : 'bool'}`);
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const target = 'struct field downloadFrom.extraHttpHeaders of type';
  if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, `${target} map[string]string`);
  const values = Object.values(value);
  if (values.length > MAX_HEADERS) throw new Error(`extraHttpHeaders has more than ${MAX_HEADERS} headers`);
  const other = values.find((each) => typeof each !== 'string');
  if (other !== undefined) throw mismatch(other, `${target} string`);
  return value as Record<string, string>;
}

/** Creates the error for a value of another type than Gotenberg expects. */
function mismatch(value: unknown, expected: string): Error {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new Error(`json: cannot unmarshal ${kind} into Go ${expected}`);
}
