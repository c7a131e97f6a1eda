import type { Bytes } from './program.ts';

/** The operands of a dictionary's operators; those of two bytes stand from 1200 on. */
export type CffDict = ReadonlyMap<number, readonly number[]>;

/** More operands than this no operator takes. */
const MAX_OPERANDS = 48;

/**
 * Reads a DICT of the Compact Font Format (Adobe Technical Note 5176, 4) as readers do: what has no meaning is taken for what is near.
 * `isSound` is false for one that has bytes without meaning, an operator twice, or operands for none. @throws {DamagedFont}
 */
export function readDict(data: Bytes): { dict: CffDict; isSound: boolean } {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  let isSound = true;
  for (let at = 0; at < data.length;) {
    const byte = data.u8(at++);
    if (byte <= 21) {
      const operator = byte === 12 ? 1200 + data.u8(at++) : byte;
      isSound &&= !dict.has(operator) && operands.length <= MAX_OPERANDS;
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
      isSound &&= real.isSound;
      operands.push(real.value);
      at = real.end;
    } else {
      isSound &&= byte >= 32 && byte !== 255;
      if (byte <= 246) operands.push(byte - 139);
      else if (byte <= 250) operands.push((byte - 247) * 256 + data.u8(at++) + 108);
      else operands.push(-(byte - 251) * 256 - data.u8(at++) - 108);
    }
  }
  return { dict, isSound: isSound && operands.length === 0 };
}

/** What the nibbles from 10 on stand for; 13 is reserved, 15 ends the number. */
const NIBBLES = ['.', 'E', 'E-', '', '-'];

function readReal(data: Bytes, from: number): { value: number; isSound: boolean; end: number } {
  let text = '';
  let reserved = false;
  for (let end = from; ; end++) {
    const pair = data.u8(end);
    for (const nibble of [pair >> 4, pair & 15]) {
      if (nibble === 15) {
        const value = Number(text);
        const isSound = !reserved && text !== '' && Number.isFinite(value);
        return { value: value || 0, isSound, end: end + 1 };
      }
      reserved ||= nibble === 13;
      text += NIBBLES[nibble - 10] ?? String(nibble);
    }
  }
}
