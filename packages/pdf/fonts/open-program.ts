import { CffProgram } from './cff.ts';
import { Bytes, DamagedFont } from './program.ts';
import { hasAllTables, readTables } from './sfnt.ts';
import { TrueTypeProgram } from './truetype.ts';
import { Type1Program } from './type1.ts';
import { decodeStream, type Dict, PdfStream, type UnpackBudget } from '../objects/index.ts';

/** An opened font program. */
export interface OpenedProgram {
  program: TrueTypeProgram | CffProgram | Type1Program;
  /** The bytes of the program itself, without an OpenType wrapper. */
  bytes: Uint8Array;
}

/** Opens a font program and detects its format, regardless of the declared one. @throws {DamagedFont} */
export function openProgram(data: Uint8Array): OpenedProgram {
  const file = new Bytes(data);
  if (file.length < 16) throw new DamagedFont('the font is empty');
  const tag = file.u32(0);
  // Type 1 as plain text or as a PFB file.
  if (file.u16(0) === 0x2521 || file.u8(0) === 0x80) return { program: new Type1Program(data), bytes: data };
  if ([0x1_0000, 0x74_72_75_65, 0x4f_54_54_4f, 0x74_74_63_66].includes(tag)) {
    const tables = readTables(file);
    const compact = tables.get('CFF ');
    if (compact) return { program: new CffProgram(compact.data), bytes: compact.data };
    return { program: new TrueTypeProgram(tables, hasAllTables(file)), bytes: data };
  }
  if (file.u8(0) === 1 && file.u8(2) < 32) return { program: new CffProgram(data), bytes: data };
  return { program: new Type1Program(data), bytes: data };
}

const KEYS = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/** An embedded font program. */
export interface FontFile extends OpenedProgram {
  key: (typeof KEYS)[number];
  /** Whether the program is wrapped in an OpenType font, which PDF 1.4 does not support. */
  wrapped: boolean;
  /** The declared subtype of the stream. */
  subtype: string | undefined;
}

/** Opens the font program of a descriptor. Returns `undefined` if it is missing or unreadable. */
export function readFontFile(descriptor: Dict | undefined, budget: UnpackBudget): FontFile | undefined {
  for (const key of KEYS) {
    const stream = descriptor?.get(key);
    if (!(stream instanceof PdfStream)) continue;
    const data = decodeStream(stream, budget);
    if (!data) continue;
    try {
      const opened = openProgram(data);
      const wrapped = opened.bytes.length !== data.length;
      return { ...opened, key, wrapped, subtype: stream.dict.name('Subtype') };
    } catch (error) {
      if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}
