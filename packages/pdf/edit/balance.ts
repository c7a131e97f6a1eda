/** A content stream with balanced graphics state operators, and the number of states left open. */
interface Balanced {
  content: Uint8Array;
  open: number;
}

const Q_SAVE = 113;
const Q_RESTORE = 81;
const SPACE = 32;
const PERCENT = 37;
const PARENTHESIS = 40;
const LESS = 60;

/**
 * Replaces every `Q` without a matching `q` with a space. Readers ignore it, but it would restore a state saved before
 * the content. Returns the same bytes if every `Q` has its `q`.
 */
export function balance(content: Uint8Array): Balanced {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  let balanced: Buffer | undefined;
  let open = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === PARENTHESIS) at = endOfLiteral(bytes, at);
    else if (byte === PERCENT) at = endOfLine(bytes, at);
    else if (byte === LESS && bytes[at + 1] !== LESS) at = after(bytes, at, 62);
    else if (!isRegular(byte)) at++;
    else {
      const start = at;
      while (at < bytes.length && isRegular(bytes[at] ?? 0)) at++;
      const named = start > 0 && bytes[start - 1] === 47;
      if (named) continue;
      if (at - start === 1 && byte === Q_SAVE) open++;
      else if (at - start === 1 && byte === Q_RESTORE) {
        if (open > 0) open--;
        else {
          balanced ??= Buffer.from(bytes);
          balanced[start] = SPACE;
        }
      } else if (at - start === 2 && byte === 73 && bytes[start + 1] === 68) at = inlineImageEnd(bytes, at);
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
    if (byte === 92) at++;
    else if (byte === PARENTHESIS) depth++;
    else if (byte === 41 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

function endOfLine(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

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
