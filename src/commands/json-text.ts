import { explainJsonFault } from '../json/json-fault.ts';
import { UsageError } from './failures.ts';

export type JsonObject = Record<string, unknown>;

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
