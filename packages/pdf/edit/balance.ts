/** A content stream with balanced graphics state operators, and the number of states left open. */
interface Balanced {
  content: Uint8Array;
  open: number;
}

const SAVE = byteOf('q');
const RESTORE = byteOf('Q');
const LETTER_I = byteOf('I');
const LETTER_D = byteOf('D');
const SPACE = byteOf(' ');
const PERCENT = byteOf('%');
const OPENING_PARENTHESIS = byteOf('(');
const CLOSING_PARENTHESIS = byteOf(')');
const LESS_THAN = byteOf('<');
const GREATER_THAN = byteOf('>');
const SLASH = byteOf('/');
const BACKSLASH = byteOf('\\');

function byteOf(character: string): number {
  return character.charCodeAt(0);
}

/**
 * Replaces every `Q` without a matching `q` with a space. Readers ignore it, but it would restore a state
 * saved before the content. Returns the same bytes if every `Q` has a `q`.
 */
export function balance(content: Uint8Array): Balanced {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  let balanced: Buffer | undefined;
  let open = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === OPENING_PARENTHESIS) at = endOfLiteral(bytes, at);
    else if (byte === PERCENT) at = endOfLine(bytes, at);
    else if (byte === LESS_THAN && bytes[at + 1] !== LESS_THAN) at = after(bytes, at, GREATER_THAN);
    else if (!isRegular(byte)) at++;
    else {
      const start = at;
      while (at < bytes.length && isRegular(bytes[at] ?? 0)) at++;
      const isName = start > 0 && bytes[start - 1] === SLASH;
      if (isName) continue;
      if (at - start === 1 && byte === SAVE) open++;
      else if (at - start === 1 && byte === RESTORE) {
        if (open > 0) open--;
        else {
          balanced ??= Buffer.from(bytes);
          balanced[start] = SPACE;
        }
      } else if (at - start === 2 && byte === LETTER_I && bytes[start + 1] === LETTER_D)
        at = inlineImageEnd(bytes, at);
    }
  }
  return { content: balanced ?? content, open };
}

const DELIMITERS: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%'));

function isRegular(byte: number): boolean {
  return byte > SPACE && !DELIMITERS.has(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === undefined || byte <= SPACE;
}

function endOfLiteral(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === OPENING_PARENTHESIS) depth++;
    else if (byte === CLOSING_PARENTHESIS && --depth === 0) return at + 1;
  }
  return bytes.length;
}

function endOfLine(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

/** Returns the index after the next occurrence of a byte. */
function after(bytes: Buffer, start: number, byte: number): number {
  const found = bytes.indexOf(byte, start);
  return found < 0 ? bytes.length : found + 1;
}

/** Finds the end of an inline image: `EI` between white space. */
function inlineImageEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf('EI', start + 1); at >= 0; at = bytes.indexOf('EI', at + 1))
    if (isSpace(bytes[at - 1]) && isSpace(bytes[at + 2])) return at + 2;
  return bytes.length;
}
