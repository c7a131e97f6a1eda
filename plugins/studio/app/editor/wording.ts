import { ApiError, reasonOf, type ErrorDetail } from '../data/api.ts';
import { capitalise } from '../data/format.ts';

/** The position that begins the message of a template error. */
const POSITION = /^line (\d+), column \d+: (.*)$/s;

/** What the codes of faults mean, for messages that name only the cause. */
const CAUSES: Record<string, string> = {
  ASSET_FAILED: 'A file could not be loaded',
  SCRIPT_ERROR: 'A script of the page failed',
};

/** Describes a fault of a document in words, with its line or the name of the field. */
export function describeFault({ path, message }: ErrorDetail): string {
  const match = POSITION.exec(message);
  if (match) return `Line ${match[1]}: ${match[2]}`;
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
