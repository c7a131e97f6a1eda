import { ApiError, reasonOf, type ErrorDetail } from '../data/api.ts';
import { capitalise } from '../data/format.ts';

/** The meaning of the codes of faults whose messages describe only the cause. */
export const CAUSES: Record<string, string> = {
  ASSET_FAILED: 'A resource could not be loaded',
  SCRIPT_ERROR: 'A script in the document failed',
};

/**
 * Reads the position with which the message of a template error begins. Returns undefined for a message
 * without a position.
 */
export function readPosition(message: string): { line: number; column: number; message: string } | undefined {
  const [, line, column, rest] = /^line (\d+), column (\d+): (.*)$/s.exec(message) ?? [];
  return rest === undefined ? undefined : { line: Number(line), column: Number(column), message: rest };
}

/** Describes a fault of a document, with its line or the name of the field if they are known. */
export function describeFault({ path, message }: ErrorDetail): string {
  const position = readPosition(message);
  if (position && path.startsWith('options.'))
    return `${fieldOf(path)}, line ${position.line}: ${position.message}`;
  if (position) return `Line ${position.line}: ${position.message}`;
  if (path.startsWith('options.') || path === 'name') return `${fieldOf(path)}: ${message}`;
  // A fault of an element begins with its CSS path.
  return path.includes(' > ') ? `${path}: ${message}` : capitalise(message);
}

/** Returns the label of a field, such as "Top margin" for `options.margin.top`. */
export function fieldOf(path: string): string {
  const [, group, part] = path.split('.');
  if (group === 'margin') return part ? `${capitalise(part)} margin` : 'Margins';
  if (group === 'format') return part ? `Paper ${part}` : 'Format';
  return capitalise(group ?? path);
}

/** Returns the reason of a failed request as a sentence without codes. */
export function sentenceOf(error: unknown): string {
  const [fault] = error instanceof ApiError ? error.details : [];
  const cause = CAUSES[fault?.code ?? ''];
  const reason = fault ? describeFault(fault) : reasonOf(error);
  const text = cause ? `${cause}: ${reason}` : reason;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
