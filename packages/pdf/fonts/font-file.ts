import { decodeStream, PdfStream, type Dict, type UnpackBudget } from '../objects/index.ts';
import { openProgram, type OpenedProgram } from './open-program.ts';
import { DamagedFont } from './program.ts';

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
