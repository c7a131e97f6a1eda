import { readdirSync, readFileSync, statSync } from 'node:fs';
import { UsageError } from '../failures.ts';
import { parseJsonObject, type JsonObject } from '../json-text.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'does not exist',
};

/** Reads a file that the command names. @throws {UsageError} */
export function readBytes(path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads a text file in UTF-8, without a byte order mark. @throws {UsageError} */
export function readText(path: string): string {
  return withoutMark(readBytes(path).toString());
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Reads a JSON object. @throws {UsageError} that names the file, the line and the column */
export function readJsonObject(path: string): JsonObject {
  return parseJsonObject(readText(path), path);
}

/** Tells whether a path is a folder. @throws {UsageError} if nothing is there */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Lists a folder in the order of the names. @throws {UsageError} */
export function listFolder(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) throw new UsageError(`${path} is a file, not a folder`);
    return readdirSync(path).toSorted();
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(path, error);
  }
}

/** Explains why a file or folder cannot be read. */
export function unreadable(path: string, error: unknown): UsageError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new UsageError(`${path} ${REASONS[code] ?? `cannot be read (${code})`}`);
}
