import { PdfError } from './errors.ts';
import { Dict, PdfStream, Ref, type PdfObject } from './objects.ts';

const HEAD_BYTES = 1024;
const OBJECT_HEAD_CHARACTERS = 64;

/** What is looked at of a file that was found by searching. */
export interface SearchedFile {
  bytes: Buffer;
  catalog: Dict;
  /** Tells whether the search found an object of this number. */
  has: (number: number) => boolean;
}

/**
 * Refuses a file whose end is missing when something that it shows is missing too: readers would show its pages without their text
 * or pictures, and nobody would notice. @throws {PdfError}
 */
export function rejectTruncated({ bytes, catalog, has }: SearchedFile): void {
  if (!lacksEnd(bytes)) return;
  const unfinished = unfinishedObject(bytes);
  if (reachesLost(catalog, (number) => number === unfinished || !has(number)))
    throw new PdfError(
      'damaged',
      'is damaged: its end is missing, and what it holds; it was probably cut off on its way',
    );
}

/** There is no mark of an end, or a file made for the web says that it is longer (ISO 32000-1, 7.5.5 and F.3.3). */
function lacksEnd(bytes: Buffer): boolean {
  const length = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1];
  return Number(length ?? 0) > bytes.length || !bytes.includes('%%EOF');
}

/** The number of the object that the file ends in. */
function unfinishedObject(bytes: Buffer): number | undefined {
  const from = bytes.lastIndexOf('endobj') + 'endobj'.length;
  const head = bytes.toString('latin1', from, from + OBJECT_HEAD_CHARACTERS);
  const number = /^\s*(\d+)\s+\d+\s+obj\b/.exec(head)?.[1];
  return number === undefined ? undefined : Number(number);
}

function reachesLost(from: PdfObject, isLost: (number: number) => boolean): boolean {
  const seen = new Set<Ref>();
  const waiting: PdfObject[] = [from];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof Ref) {
      if (seen.has(object)) continue;
      seen.add(object);
      if (isLost(object.number)) return true;
      waiting.push(object.value);
    } else if (Array.isArray(object)) for (const item of object) waiting.push(item);
    else if (object instanceof Dict) for (const value of object.map.values()) waiting.push(value);
    else if (object instanceof PdfStream) waiting.push(object.dict);
  }
  return false;
}
