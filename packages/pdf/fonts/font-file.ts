import { decodeStream, PdfStream, type Dict, type UnpackBudget } from '../objects/index.ts';
import { openProgram, type Opened } from './open-program.ts';
import { DamagedFont } from './program.ts';

const KEYS = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/** The program that a font descriptor has embedded. */
export interface FontFile extends Opened {
  key: (typeof KEYS)[number];
  /** Whether the program lies in a font of another format, which PDF 1.4 does not know. */
  contained: boolean;
  /** What the stream says it is. */
  subtype: string | undefined;
}

/** Opens the program of a font descriptor; `undefined` when there is none, or none that can be read. */
export function readFontFile(descriptor: Dict | undefined, budget: UnpackBudget): FontFile | undefined {
  for (const key of KEYS) {
    const stream = descriptor?.get(key);
    if (!(stream instanceof PdfStream)) continue;
    const data = decodeStream(stream, budget);
    if (!data) continue;
    try {
      const opened = openProgram(data);
      const contained = opened.bytes.length !== data.length;
      return { ...opened, key, contained, subtype: stream.dict.name('Subtype') };
    } catch (error) {
      if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}
