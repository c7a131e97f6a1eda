import { Dict } from '../objects/index.ts';

const SIGNATURE_BYTES = 8;
/** The length and the type of a chunk, before its data. */
const CHUNK_HEAD_BYTES = 8;
/** The head of a chunk, and the checksum after its data. */
const CHUNK_OVERHEAD_BYTES = 12;
const PNG_PREDICTOR = 15;

/**
 * Returns the compressed pixels of a PNG without interlacing, and the parameters with which FlateDecode
 * decodes them (ISO 32000-1 7.4.4).
 */
export function pngStream(
  png: Uint8Array,
  { width, channels }: { width: number; channels: number },
): { data: Uint8Array; parameters: Dict } {
  const file = Buffer.from(png.buffer, png.byteOffset, png.length);
  const parts: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD_BYTES <= file.length;) {
    const length = file.readUInt32BE(at);
    const start = at + CHUNK_HEAD_BYTES;
    if (file.toString('latin1', at + 4, start) === 'IDAT') parts.push(file.subarray(start, start + length));
    at += length + CHUNK_OVERHEAD_BYTES;
  }
  const parameters = Dict.of({
    Predictor: PNG_PREDICTOR,
    Colors: channels,
    BitsPerComponent: 8,
    Columns: width,
  });
  return { data: Buffer.concat(parts), parameters };
}
