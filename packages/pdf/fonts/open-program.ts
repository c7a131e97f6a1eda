import { CffProgram } from './cff.ts';
import { Bytes, DamagedFont } from './program.ts';
import { hasAllTables, readTables } from './sfnt.ts';
import { TrueTypeProgram } from './truetype.ts';
import { Type1Program } from './type1.ts';

/** A font program that was opened, and its own format when it lies in another one. */
export interface Opened {
  program: TrueTypeProgram | CffProgram | Type1Program;
  /** The bytes of the program without the container that PDF 1.4 does not know; those given when there is none. */
  bytes: Uint8Array;
}

/** Opens a font program by what its bytes are, whatever the document says they are. @throws {DamagedFont} */
export function openProgram(data: Uint8Array): Opened {
  const file = new Bytes(data);
  if (file.length < 16) throw new DamagedFont('it is empty');
  const tag = file.u32(0);
  // Type 1, also in segments.
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
