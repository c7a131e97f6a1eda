/**
 * Thrown for a font that is damaged or not supported. The message follows the name of the field:
 * `is truncated`.
 */
export class FontFault extends Error {
  override name = 'FontFault';
}

/** Reads a font's bytes in big-endian order. @throws {FontFault} beyond the end. */
export class FontBytes {
  readonly #view: DataView;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#at(at, 1).getUint8(at);
  }

  u16(at: number): number {
    return this.#at(at, 2).getUint16(at);
  }

  i16(at: number): number {
    return this.#at(at, 2).getInt16(at);
  }

  u32(at: number): number {
    return this.#at(at, 4).getUint32(at);
  }

  slice(from: number, length: number): FontBytes {
    if (from < 0 || length < 0 || from + length > this.length) throw truncated();
    return new FontBytes(this.bytes.subarray(from, from + length));
  }

  /** Decodes single-byte characters. */
  latin1(from: number, length: number): string {
    return Buffer.from(this.slice(from, length).bytes).toString('latin1');
  }

  /** Decodes UTF-16 in big-endian order. */
  utf16(from: number, length: number): string {
    return new TextDecoder('utf-16be').decode(this.slice(from, length & ~1).bytes);
  }

  #at(at: number, size: number): DataView {
    if (at < 0 || at + size > this.length) throw truncated();
    return this.#view;
  }
}

function truncated(): FontFault {
  return new FontFault('is damaged: a part of the font lies outside of the file');
}
