import { messageOf } from '../errors.ts';
import { JsonReader } from './json-reader.ts';

/** Explains why `JSON.parse` refused a text: the position, and the reason without a quotation. */
export function explainJsonFault(json: string, error: unknown): string {
  // The parser quotes the invalid text, which may be a secret.
  const reason = messageOf(error)
    .replace('JSON Parse error: ', '')
    .replace(/"[^"]*"?|'[^']*'?/g, '…');
  return `${findJsonFault(json)}: ${reason}`;
}

/** Returns the line and column of the first fault, which `JSON.parse` does not report. Both count from 1. */
function findJsonFault(json: string): string {
  const bytes = Buffer.from(json);
  const reader = new JsonReader(bytes, undefined);
  try {
    while (reader.advance());
  } catch {
    // Only the position matters.
  }
  const lines = bytes.toString('utf8', 0, reader.position).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${Array.from(lines.at(-1) ?? '').length + 1}`;
}
