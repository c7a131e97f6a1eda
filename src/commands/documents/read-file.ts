import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../failures.ts';

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
    throw new UsageError(`${path} ${reasonOf(error)}`);
  }
}

/** Reads a text file in UTF-8, without a byte order mark. @throws {UsageError} */
export function readText(path: string): string {
  const text = readBytes(path).toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Reads a JSON object. @throws {UsageError} that names the file */
export function readJsonObject(path: string): Record<string, unknown> {
  const text = readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} must have a JSON object, such as {"name": "Ada"}`);
  return value as Record<string, unknown>;
}

/** Tells whether a path is a folder. @throws {UsageError} if nothing is there */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path} ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? `cannot be read (${code})`;
}
