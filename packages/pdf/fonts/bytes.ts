import { DamagedFont } from './program.ts';

/**
 * Reads the big-endian numbers of a font program at any position. A number outside the data throws
 * {@link DamagedFont}.
 */
export class Bytes {
  readonly data: Buffer;

  constructor(data: Uint8Array) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.length);
  }

  get length(): number {
    return this.data.length;
  }

  u8(at: number): number {
    const value = this.data[at];
    if (value === undefined) throw new DamagedFont('a table ends early');
    return value;
  }

  u16(at: number): number {
    return (this.u8(at) << 8) | this.u8(at + 1);
  }

  i16(at: number): number {
    return (this.u16(at) << 16) >> 16;
  }

  u32(at: number): number {
    return this.u16(at) * 65_536 + this.u16(at + 2);
  }

  /**
   * Returns the data from `from` to `to`, or to the end of the data if `to` lies beyond it.
   * @throws {DamagedFont} if `from` lies outside the data, or after `to`.
   */
  slice(from: number, to: number): Bytes {
    if (from < 0 || to < from || from > this.data.length)
      throw new DamagedFont('a table lies outside the font');
    return new Bytes(this.data.subarray(from, to));
  }
}
