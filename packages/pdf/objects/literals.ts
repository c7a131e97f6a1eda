/** Clamps a number to the safe integer range. Only damaged files exceed it. */
export function bounded(value: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}

/** Reads a number. Like readers, accepts `--5`, `1.2.3` and `12-7`. */
export function readReal(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isNaN(value) && !/[a-z]/i.test(text)) return bounded(value);
  const found = /^[+-]*(\d*\.?\d*)/.exec(text);
  if (!found || !/^[+\-.\d]+$/.test(text)) return undefined;
  const size = Number(found[1] === '' || found[1] === '.' ? 0 : found[1]);
  return bounded(text.startsWith('-') ? -size : size);
}

const ESCAPES: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };

/** Resolves the escape sequences of a literal string (ISO 32000-1 7.3.4.2). */
export function unescapeLiteral(text: Uint8Array): Uint8Array {
  const out = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    let byte = text[at] ?? 0;
    if (byte === 13) {
      // Every end-of-line marker in a string is read as a line feed.
      if (text[at + 1] === 10) at++;
      byte = 10;
    } else if (byte === 92) {
      byte = text[++at] ?? 0;
      if (byte === 10 || byte === 13) {
        if (byte === 13 && text[at + 1] === 10) at++;
        continue;
      }
      if (byte >= 48 && byte <= 55) {
        let value = byte - 48;
        for (let more = 0; more < 2 && isOctal(text[at + 1]); more++)
          value = value * 8 + (text[++at] ?? 0) - 48;
        byte = value & 255;
      } else byte = ESCAPES[byte] ?? byte;
    }
    out[size++] = byte;
  }
  return out.subarray(0, size);
}

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 55;
}
