const CODES = { dim: 2, red: 31, green: 32, yellow: 33 } as const;
const COLOR_OF_LEVEL: Readonly<Record<string, keyof typeof CODES>> = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/** Control characters (C0, DEL and C1), line separators, and characters that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- these are the characters to escape
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const BARE = /^[\w./:@+-]+$/;

/** A line of the log, as pino writes it. */
interface Entry {
  level: string;
  time: string;
  msg?: string;
  err?: unknown;
  [field: string]: unknown;
}

/**
 * Replaces every character that could move the cursor, start a line or emit a terminal escape with its `\u`
 * escape.
 */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Formats a JSON line that pino wrote for a terminal: local time, level, message, then the other fields as
 * `name=value`. The stack of an error follows on indented lines. All values are escaped, so that a caller can
 * neither forge lines nor emit terminal escapes.
 */
export function formatForTerminal(line: string, { colors }: { colors: boolean }): string {
  const paint = (color: keyof typeof CODES, text: string) =>
    colors ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Entry;
  const { message, frames } = readError(err);
  const parts = [
    paint('dim', clock(new Date(time))),
    paint(COLOR_OF_LEVEL[level] ?? 'red', level.toUpperCase().padEnd(5)),
    ...(msg === undefined ? [] : [escapeUnsafe(msg)]),
    ...Object.entries(fields).map(([field, value]) => paint('dim', `${escapeUnsafe(field)}=${write(value)}`)),
    ...(message === undefined ? [] : [`err=${write(message)}`]),
  ];
  const stack = frames.map((frame) => `\n    ${paint('dim', escapeUnsafe(frame.trim()))}`);
  return `${parts.join(' ')}${stack.join('')}\n`;
}

function write(value: unknown): string {
  if (typeof value === 'string' && BARE.test(value)) return value;
  // JSON.stringify escapes the control characters below U+0020 itself.
  return escapeUnsafe(JSON.stringify(value));
}

/** Splits an error, as pino serializes it, into its message and the lines of its stack. */
function readError(err: unknown): { message: string | undefined; frames: string[] } {
  if (typeof err !== 'object' || err === null) return { message: undefined, frames: [] };
  const { type = 'Error', message = '', stack } = err as { type?: string; message?: string; stack?: string };
  const frames = typeof stack === 'string' ? stack.split('\n').filter((each) => /^\s+at /.test(each)) : [];
  return { message: `${type}: ${message}`, frames };
}

function clock(time: Date): string {
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const seconds = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => pad(part)).join(':');
  return `${seconds}.${pad(time.getMilliseconds(), 3)}`;
}
