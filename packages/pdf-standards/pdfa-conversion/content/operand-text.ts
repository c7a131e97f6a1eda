/** A number with more digits is not plain. Numbers within the limits need fewer. */
const MAX_DIGITS = 30;

/**
 * Tells whether all numbers between two offsets consist of at most one sign, digits, and at most one point.
 * Readers disagree about the value of any other number. The text must not contain strings.
 */
export function hasPlainNumbers(content: Uint8Array, start: number, end: number): boolean {
  let points = 0;
  let digits = 0;
  let within = false;
  for (let at = start; at < end; at++) {
    const byte = content[at] ?? 32;
    // A name can contain any character, and a comment ends the operands.
    if (byte === 47 || byte === 37) return true;
    const isDigit = byte >= 48 && byte <= 57;
    if (isDigit) digits++;
    else if (byte === 46) points++;
    else if (byte === 43 || byte === 45) {
      if (within) return false;
    } else {
      if (within && digits === 0) return false;
      within = false;
      points = digits = 0;
      continue;
    }
    within = true;
    if (points > 1 || digits > MAX_DIGITS) return false;
  }
  return true;
}

/** Tells whether the hexadecimal strings between two offsets consist of pairs of digits. */
export function hasEvenStrings(content: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (content[at] === 40) return !Buffer.from(content.subarray(start, end)).includes(60);
    if (content[at] !== 60) continue;
    if (content[at + 1] === 60) {
      at++;
      continue;
    }
    let digits = 0;
    for (at++; at < end && content[at] !== 62; at++) {
      const byte = content[at] ?? 0;
      const lower = byte | 32;
      if ((byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 102)) digits++;
      else if (byte > 32) return false;
    }
    if (digits % 2 !== 0) return false;
  }
  return true;
}
