import { constants, brotliDecompressSync } from 'node:zlib';
import { FontBytes, FontFault } from './font-fault.ts';

/** The tables of a font by tag. The transformed tables of a WOFF2 file are absent. */
export interface FontTables {
  get(tag: string): FontBytes | undefined;
  /** True when the font has the table, transformed or not. */
  has(tag: string): boolean;
}

/** Far more than fonts have: the registered tags are about 60. */
const MAX_TABLES = 100;

/** A font of 5 MB, compressed as WOFF2, has about twice that size. The limit stops decompression bombs. */
const MAX_UNPACKED_BYTES = 30_000_000;

const TRUETYPE = 0x00010000;
const TRUE = 0x74727565;
const OTTO = 0x4f54544f;
const WOFF2 = 0x774f4632;
const COLLECTION = 0x74746366;

/** Opens a font file: TrueType, OpenType or WOFF2. @throws {FontFault} */
export function openFont(file: Uint8Array): FontTables {
  const bytes = new FontBytes(file);
  const signature = bytes.u32(0);
  if (signature === WOFF2) return openWoff2(bytes);
  if (signature === TRUETYPE || signature === TRUE || signature === OTTO) return openSfnt(bytes);
  throw new FontFault('is not a TrueType, OpenType or WOFF2 font');
}

/** Reads the table directory of an sfnt file (ISO/IEC 14496-22 4.3). */
function openSfnt(file: FontBytes): FontTables {
  const count = requireCount(file.u16(4));
  const tables = new Map<string, FontBytes>();
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + 16 * index;
    const tag = file.latin1(entry, 4);
    requireNew(tag, tables.has(tag));
    tables.set(tag, file.slice(file.u32(entry + 8), file.u32(entry + 12)));
  }
  return tables;
}

/** The tags that WOFF2 encodes as numbers (WOFF2 4.1). */
const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill';
const ARBITRARY_TAG = 63;
const TRANSFORMED_TAGS = new Set(['glyf', 'loca']);

/** Reads the table directory of a WOFF2 file and decompresses its tables (WOFF2 3 to 5). */
function openWoff2(file: FontBytes): FontTables {
  const flavor = file.u32(4);
  if (flavor === COLLECTION)
    throw new FontFault('is a collection of fonts; upload each font as a separate file');
  if (file.u32(8) !== file.length)
    throw new FontFault('is truncated: its size is not the size in its header');
  const count = requireCount(file.u16(12));
  const compressedBytes = file.u32(20);
  let at = 48;
  const readLength = (): number => {
    let value = 0;
    for (let index = 0; index < 5; index += 1) {
      const byte = file.u8(at);
      at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new FontFault('is damaged: a length in its table directory is too large');
  };
  const directory: { tag: string; length: number; isTransformed: boolean }[] = [];
  let unpackedBytes = 0;
  for (let index = 0; index < count; index += 1) {
    const flags = file.u8(at);
    at += 1;
    const number = flags & 0x3f;
    let tag = KNOWN_TAGS.slice(number * 5, number * 5 + 4);
    if (number === ARBITRARY_TAG) {
      tag = file.latin1(at, 4);
      at += 4;
    }
    const version = flags >> 6;
    const originalLength = readLength();
    const isTransformed = TRANSFORMED_TAGS.has(tag) ? version !== 3 : version !== 0;
    const length = isTransformed ? readLength() : originalLength;
    requireNew(
      tag,
      directory.some((table) => table.tag === tag),
    );
    directory.push({ tag, length, isTransformed });
    unpackedBytes += Math.max(length, originalLength);
    if (unpackedBytes > MAX_UNPACKED_BYTES)
      throw new FontFault(`is larger than ${MAX_UNPACKED_BYTES} bytes when it is decompressed`);
  }
  const unpacked = unpack(file.slice(at, compressedBytes).bytes, directory);
  const tables = new Map<string, FontBytes>();
  let offset = 0;
  for (const { tag, length, isTransformed } of directory) {
    if (!isTransformed) tables.set(tag, unpacked.slice(offset, length));
    offset += length;
  }
  const tags = new Set(directory.map(({ tag }) => tag));
  return { get: (tag) => tables.get(tag), has: (tag) => tags.has(tag) };
}

function unpack(compressed: Uint8Array, directory: readonly { length: number }[]): FontBytes {
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  let bytes: Uint8Array;
  try {
    bytes = brotliDecompressSync(compressed, {
      maxOutputLength: size + 1,
      params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 },
    });
  } catch (cause) {
    throw new FontFault('is damaged: its tables cannot be decompressed', { cause });
  }
  if (bytes.length !== size)
    throw new FontFault('is damaged: its tables do not have the sizes in its table directory');
  return new FontBytes(bytes);
}

function requireCount(count: number): number {
  if (count === 0 || count > MAX_TABLES)
    throw new FontFault(`is damaged: it has ${count} tables; a font has 1 to ${MAX_TABLES}`);
  return count;
}

function requireNew(tag: string, isKnown: boolean): void {
  if (isKnown) throw new FontFault(`is damaged: it has the table ${JSON.stringify(tag)} twice`);
}
