import { readFileSync } from 'node:fs';
import { explainJsonFault } from '../json/json-fault.ts';
import { UsageError } from './failures.ts';

export type JsonObject = Record<string, unknown>;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder, not a file',
};

/** Explains why a file or folder cannot be read. */
export function unreadable(path: string, error: unknown): UsageError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new UsageError(`${path} ${REASONS[code] ?? `cannot be read (${code})`}`);
}

/** Reads a text file in UTF-8, without a byte order mark. @throws {UsageError} */
export function readTextFile(path: string): string {
  try {
    return withoutMark(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Parses the JSON of a file. @throws {UsageError} that names the file, the line and the column */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${explainJsonFault(text, error)}`);
  }
}

/** Parses the JSON object of a file. @throws {UsageError} */
export function parseJsonObject(text: string, path: string): JsonObject {
  const value = parseJson(text, path);
  if (!isJsonObject(value)) throw new UsageError(`${path} must have a JSON object, such as {"number": 1}`);
  return value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns JSON as files have it: two spaces, and a newline at the end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
