import { decodeStream, Name, PdfStream, type Dict, type PdfDocument } from '../objects/index.ts';
import { readCMap, type CMap } from './cmap.ts';
import { predefinedCMap } from './predefined-cmaps.ts';

/**
 * Returns the texts of the ToUnicode CMap of a font, by code key. They are empty if the font has no readable
 * ToUnicode CMap.
 */
export function toUnicodeOf(font: Dict, { budget }: PdfDocument): ReadonlyMap<number, string> {
  const stream = font.get('ToUnicode');
  const data = stream instanceof PdfStream ? decodeStream(stream, budget) : undefined;
  return data ? readCMap(data, () => undefined).unicode : new Map();
}

/**
 * Returns the CMap of a composite font, predefined or embedded; `undefined` if it is unknown or unreadable.
 */
export function cmapOf(font: Dict, { budget }: PdfDocument): CMap | undefined {
  const encoding = font.get('Encoding');
  if (encoding instanceof Name) return predefinedCMap(encoding.value);
  const data = encoding instanceof PdfStream ? decodeStream(encoding, budget) : undefined;
  return data && readCMap(data, predefinedCMap);
}
