import { PdfError } from './errors.ts';
import { Dict, PdfStream, Ref, type PdfObject } from './objects.ts';

const HEAD_BYTES = 1024;
const OBJECT_HEAD_CHARACTERS = 64;

/** A file whose objects were found by searching it. */
interface SearchedFile {
  bytes: Buffer;
  catalog: Dict;
  /** Tells whether the search found an object with this number. */
  has: (number: number) => boolean;
}

/**
 * Rejects a file whose end is missing if a reachable object is missing too. Readers would silently show its
 * pages without text or images.
 * @throws {PdfError}
 */
export function rejectTruncated({ bytes, catalog, has }: SearchedFile): void {
  if (!isEndMissing(bytes)) return;
  const unfinished = unfinishedObject(bytes);
  if (reachesMissing(catalog, (number) => number === unfinished || !has(number)))
    throw new PdfError(
      'damaged',
      'is truncated: the end of the file is missing; it was probably cut off in transfer',
    );
}

/**
 * Tells whether the end-of-file marker is missing, or a linearized file declares a greater length (ISO
 * 32000-1, 7.5.5 and F.3.3).
 */
function isEndMissing(bytes: Buffer): boolean {
  const length = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1];
  return Number(length ?? 0) > bytes.length || !bytes.includes('%%EOF');
}

/** Returns the number of the object in which the file ends. */
function unfinishedObject(bytes: Buffer): number | undefined {
  const from = bytes.lastIndexOf('endobj') + 'endobj'.length;
  const head = bytes.toString('latin1', from, from + OBJECT_HEAD_CHARACTERS);
  const number = /^\s*(\d+)\s+\d+\s+obj\b/.exec(head)?.[1];
  return number === undefined ? undefined : Number(number);
}

function reachesMissing(from: PdfObject, isMissing: (number: number) => boolean): boolean {
  const seen = new Set<Ref>();
  const waiting: PdfObject[] = [from];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof Ref) {
      if (seen.has(object)) continue;
      seen.add(object);
      if (isMissing(object.number)) return true;
      waiting.push(object.value);
    } else if (Array.isArray(object)) for (const item of object) waiting.push(item);
    else if (object instanceof Dict) for (const value of object.map.values()) waiting.push(value);
    else if (object instanceof PdfStream) waiting.push(object.dict);
  }
  return false;
}
