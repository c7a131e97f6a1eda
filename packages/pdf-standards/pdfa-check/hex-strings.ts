/**
 * Finds a hexadecimal string that PDF/A does not allow (ISO 19005-1 6.1.6) between two offsets. Skips literal
 * strings and comments. Returns the fault as a phrase that follows "with"; `undefined` if PDF/A
 * allows all of them.
 */
export function findMalformedHexString(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === 40) at = endOfLiteral(bytes, at, end);
    else if (byte === 37) while (at + 1 < end && bytes[at + 1] !== 10 && bytes[at + 1] !== 13) at++;
    else if (byte === 60 && bytes[at + 1] === 60) at++;
    else if (byte === 60) {
      let digits = 0;
      for (at++; at < end && bytes[at] !== 62; at++) {
        const character = bytes[at] ?? 0;
        const lower = character | 32;
        if ((character >= 48 && character <= 57) || (lower >= 97 && lower <= 102)) digits++;
        else if (character > 32) return 'characters that are not hexadecimal digits';
      }
      if (digits % 2 !== 0) return 'an odd number of digits';
    }
  }
  return undefined;
}

function endOfLiteral(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === 92) at++;
    else if (byte === 40) depth++;
    else if (byte === 41 && --depth === 0) return at;
  }
  return end;
}
