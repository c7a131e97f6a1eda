import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { hexValue, isWhitespace } from './characters.ts';
import { PdfError } from './errors.ts';
import { lzwDecode } from './lzw.ts';
import { asDict, Dict, Name, resolve, type PdfObject, type PdfStream } from './objects.ts';
import { undoPredictor } from './predictor.ts';

/** Limits the total size of all streams decoded from one file. */
export class UnpackBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** Deducts bytes. @throws {PdfError} if the limit is exceeded. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw tooLarge();
  }
}

function tooLarge(): PdfError {
  return new PdfError('too-complex', 'is too large: its streams decode to more data than allowed');
}

/**
 * Decodes a stream by its filters (ISO 32000-1 7.4). Like readers, returns the readable part of a damaged
 * stream. Returns `undefined` for image filters, unknown filters and streams without readable data.
 * @throws {PdfError} if the data exceeds the budget.
 */
export function decodeStream(stream: PdfStream, budget: UnpackBudget): Uint8Array | undefined {
  const filters = list(stream.dict.raw('Filter') ?? stream.dict.raw('F'));
  const parameters = list(stream.dict.raw('DecodeParms') ?? stream.dict.raw('DP'));
  if (filters.length > 8) return undefined;
  let data: Uint8Array | undefined = stream.raw;
  for (const [index, filter] of filters.entries()) {
    const named = resolve(filter);
    if (!(named instanceof Name) || !data) return undefined;
    data = applyFilter(named.value, data, asDict(parameters[index]) ?? new Dict(), budget);
    if (data) budget.take(data.length);
  }
  return data;
}

/** Returns the names of the filters of a stream; empty names for objects that are not names. */
export function filterNames({ dict }: PdfStream): string[] {
  return list(dict.raw('Filter')).map((filter) => {
    const named = resolve(filter);
    return named instanceof Name ? named.value : '';
  });
}

function list(object: PdfObject | undefined): PdfObject[] {
  const value = resolve(object);
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function applyFilter(
  filter: string,
  data: Uint8Array,
  parameters: Dict,
  budget: UnpackBudget,
): Uint8Array | undefined {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl': {
      const unpacked = inflate(data, budget.left);
      return unpacked && undoPredictor(unpacked, parameters);
    }
    case 'LZWDecode':
    case 'LZW': {
      const unpacked = lzwDecode(data, parameters.number('EarlyChange') ?? 1, budget.left);
      if (!unpacked) throw tooLarge();
      return undoPredictor(unpacked, parameters);
    }
    case 'ASCIIHexDecode':
    case 'AHx':
      return hexDecode(data);
    case 'ASCII85Decode':
    case 'A85':
      return base85Decode(data);
    case 'RunLengthDecode':
    case 'RL':
      return runLengthDecode(data, budget);
    case 'Crypt':
      return data;
    default:
      return undefined;
  }
}

function inflate(data: Uint8Array, limit: number): Uint8Array | undefined {
  // Z_SYNC_FLUSH accepts a truncated stream. Raw inflate, without the header, accepts a wrong checksum.
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(limit, 1) };
  for (const attempt of [() => inflateSync(data, options), () => inflateRawSync(data.subarray(2), options)]) {
    try {
      return attempt();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    }
  }
  return undefined;
}

function hexDecode(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(data.length / 2));
  let digits = 0;
  for (const byte of data) {
    if (byte === 62) break;
    const value = hexValue(byte);
    if (value < 0) continue;
    out[digits >> 1] = (out[digits >> 1] ?? 0) | (digits % 2 === 0 ? value << 4 : value);
    digits++;
  }
  return out.subarray(0, (digits + 1) >> 1);
}

function base85Decode(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length * 4);
  let size = 0;
  let value = 0;
  let count = 0;
  const flush = (bytes: number) => {
    for (let index = 0; index < bytes; index++) out[size++] = Math.floor(value / 256 ** (3 - index)) & 255;
    value = 0;
    count = 0;
  };
  for (const byte of data) {
    if (byte === 126) break;
    if (isWhitespace(byte)) continue;
    if (byte === 122 && count === 0) flush(4);
    else if (byte >= 33 && byte <= 117) {
      value = value * 85 + byte - 33;
      if (++count === 5) flush(4);
    }
  }
  if (count > 1) {
    const bytes = count - 1;
    for (; count < 5; count++) value = value * 85 + 84;
    flush(bytes);
  }
  return out.subarray(0, size);
}

function runLengthDecode(data: Uint8Array, budget: UnpackBudget): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at < data.length;) {
    const length = data[at++] ?? 128;
    if (length === 128) break;
    const part =
      length < 128 ? data.subarray(at, at + length + 1) : new Uint8Array(257 - length).fill(data[at] ?? 0);
    at += length < 128 ? length + 1 : 1;
    parts.push(part);
    size += part.length;
    if (size > budget.left) throw tooLarge();
  }
  return Buffer.concat(parts);
}
