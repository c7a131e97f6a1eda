import { CffProgram } from './cff.ts';
import { Bytes } from './bytes.ts';
import { DamagedFont } from './program.ts';
import { hasAllTables, readTables } from './sfnt.ts';
import { TrueTypeProgram } from './truetype.ts';
import { Type1Program } from './type1.ts';
import { decodeStream, type Dict, PdfStream, type UnpackBudget } from '../objects/index.ts';

export interface OpenedProgram {
  program: TrueTypeProgram | CffProgram | Type1Program;
  /** The bytes of the program itself, without an OpenType wrapper. */
  bytes: Uint8Array;
}

/** The version or tag at the start of TrueType and OpenType files: 1.0, and the tag of a font collection. */
const SFNT_TAGS = new Set(['\0\x01\0\0', 'true', 'OTTO', 'ttcf']);
/** The start of a Type 1 program in plain text. */
const TYPE1_START = '%!';
/** The first byte of a PFB file, which contains a Type 1 program. */
const PFB_MARKER = 0x80;
/** Shorter data cannot be a font program of any format. */
const MIN_BYTES = 16;

/**
 * Opens a font program. Detects its format regardless of the declared one.
 * @throws {DamagedFont} if the program is too short or cannot be read.
 */
export function openProgram(data: Uint8Array): OpenedProgram {
  const file = new Bytes(data);
  if (file.length < MIN_BYTES) throw new DamagedFont('the font is too short');
  const start = file.data.toString('latin1', 0, 4);
  if (start.startsWith(TYPE1_START) || file.u8(0) === PFB_MARKER)
    return { program: new Type1Program(data), bytes: data };
  if (SFNT_TAGS.has(start)) {
    const tables = readTables(file);
    const compact = tables.get('CFF ');
    if (compact) return { program: new CffProgram(compact.data), bytes: compact.data };
    return { program: new TrueTypeProgram(tables, hasAllTables(file)), bytes: data };
  }
  // A CFF program begins with its major version, 1. The third byte is the size of its header.
  if (file.u8(0) === 1 && file.u8(2) < 32) return { program: new CffProgram(data), bytes: data };
  return { program: new Type1Program(data), bytes: data };
}

/** The descriptor entries for a font program, in the order in which they are tried. */
const KEYS = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/** A font program that is embedded in a PDF. */
export interface FontFile extends OpenedProgram {
  key: (typeof KEYS)[number];
  /** Whether the program is inside an OpenType font, which PDF 1.4 does not support. */
  isInOpenType: boolean;
  /** The declared subtype of the stream. */
  subtype: string | undefined;
}

/** Opens the first readable font program of a descriptor. Returns `undefined` if the descriptor has none. */
export function readFontFile(descriptor: Dict | undefined, budget: UnpackBudget): FontFile | undefined {
  for (const key of KEYS) {
    const stream = descriptor?.get(key);
    if (!(stream instanceof PdfStream)) continue;
    const data = decodeStream(stream, budget);
    if (!data) continue;
    try {
      const opened = openProgram(data);
      const isInOpenType = opened.bytes.length !== data.length;
      return { ...opened, key, isInOpenType, subtype: stream.dict.name('Subtype') };
    } catch (error) {
      if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}
