import type { Bytes } from './bytes.ts';

/** The operands of a CFF DICT by operator. The number of a two-byte operator is 1200 plus its second byte. */
export type CffDict = ReadonlyMap<number, readonly number[]>;

/** The maximum number of operands of an operator. */
const MAX_OPERANDS = 48;

/**
 * Reads a CFF DICT (Adobe Technical Note 5176, 4) as leniently as readers do. `isValid` is false if the DICT
 * has reserved bytes, malformed numbers, a repeated operator, too many operands, or operands without an
 * operator.
 * @throws {DamagedFont} if the DICT is truncated.
 */
export function readDict(data: Bytes): { dict: CffDict; isValid: boolean } {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  let isValid = true;
  for (let at = 0; at < data.length;) {
    const byte = data.u8(at++);
    if (byte <= 21) {
      const operator = byte === 12 ? 1200 + data.u8(at++) : byte;
      isValid &&= !dict.has(operator) && operands.length <= MAX_OPERANDS;
      dict.set(operator, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push(data.i16(at));
      at += 2;
    } else if (byte === 29) {
      operands.push(data.u32(at) | 0);
      at += 4;
    } else if (byte === 30) {
      const real = readReal(data, at);
      isValid &&= real.isValid;
      operands.push(real.value);
      at = real.end;
    } else {
      isValid &&= byte >= 32 && byte !== 255;
      if (byte <= 246) operands.push(byte - 139);
      else if (byte <= 250) operands.push((byte - 247) * 256 + data.u8(at++) + 108);
      else operands.push(-(byte - 251) * 256 - data.u8(at++) - 108);
    }
  }
  return { dict, isValid: isValid && operands.length === 0 };
}

/**
 * The characters of the nibbles 10 to 14 in a real number. Nibble 13 is reserved, and nibble 15 ends the
 * number.
 */
const NIBBLES = ['.', 'E', 'E-', '', '-'];

function readReal(data: Bytes, from: number): { value: number; isValid: boolean; end: number } {
  let text = '';
  let reserved = false;
  for (let end = from; ; end++) {
    const pair = data.u8(end);
    for (const nibble of [pair >> 4, pair & 15]) {
      if (nibble === 15) {
        const value = Number(text);
        const isValid = !reserved && text !== '' && Number.isFinite(value);
        return { value: value || 0, isValid, end: end + 1 };
      }
      reserved ||= nibble === 13;
      text += NIBBLES[nibble - 10] ?? String(nibble);
    }
  }
}
