import { readCMap } from '../fonts/cmap.ts';
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import {
  asDict,
  decodeStream,
  PdfStream,
  resolve,
  resourcesOf,
  type Dict,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';
import { NO_TEXT } from './characters.ts';

/** A range of codes in a ToUnicode map, and the start of its texts. */
const RANGE = /<([\da-f]{2,8})>\s{0,9}<([\da-f]{2,8})>\s{0,9}(?:<[\da-f]{0,512}>|\[)/gi;
/** A code that maps to an empty text. */
const EMPTY = /<[\da-f]{2,8}>\s{0,9}<>/i;

/**
 * Rewrites ToUnicode maps that PDFium misreads: maps with a range whose first and last code differ in more
 * than the last byte, and maps with empty texts. Returns whether it changed the document.
 */
export function repairFonts(document: PdfDocument, pages: readonly Page[]): boolean {
  const visited = new Set<Dict>();
  let changed = false;
  for (const resources of resourcesOf(pages))
    for (const object of resources.dict('Font')?.map.values() ?? []) {
      const font = asDict(object);
      if (!font || visited.has(font)) continue;
      visited.add(font);
      if (repairFont(document, font)) changed = true;
    }
  return changed;
}

function repairFont({ budget }: PdfDocument, font: Dict): boolean {
  const stream = resolve(font.raw('ToUnicode'));
  if (!(stream instanceof PdfStream)) return false;
  const data = decodeStream(stream, budget);
  if (!data) return false;
  const text = Buffer.from(data).toString('latin1');
  const hasEmpty = EMPTY.test(text);
  if (!hasEmpty && !hasWideRange(text)) return false;
  const { unicode } = readCMap(data, () => undefined);
  if (unicode.size === 0) return false;
  if (hasEmpty) for (const [code, shown] of unicode) if (shown === '') unicode.set(code, NO_TEXT);
  font.set('ToUnicode', writeToUnicode(unicode));
  return true;
}

function hasWideRange(text: string): boolean {
  for (const section of text.split('beginbfrange').slice(1)) {
    const [ranges = ''] = section.split('endbfrange', 1);
    for (const [, first = '', last = ''] of ranges.matchAll(RANGE))
      if (first.slice(0, -2).toLowerCase() !== last.slice(0, -2).toLowerCase()) return true;
  }
  return false;
}
