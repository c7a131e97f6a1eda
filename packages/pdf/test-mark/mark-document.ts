import { writeEdits } from '../edit/edit.ts';
import { contentsOf, contentStream, PageContents } from '../edit/page-content.ts';
import {
  decodeStream,
  geometryOf,
  PdfStream,
  readPages,
  resolve,
  type Dict,
  type Page,
  type PageGeometry,
  type PdfDocument,
  type Ref,
} from '../objects/index.ts';
import { changeProperties, readProperties } from '../properties/properties.ts';
import { placeMark } from '../watermark/placement.ts';
import { GREY, LINES, OUTLINES, WORD } from './test-word.ts';

/** The keyword of a document that was made for tests. */
const TEST_KEYWORD = 'TEST';

/**
 * Marks a document that was made for tests. Draws the outlines of the word TEST over each page, as an
 * artifact (ISO 32000-1 14.8.2.2), and adds the keyword TEST to the information dictionary and to XMP. The
 * mark has neither text nor transparency, so that a document that conforms to PDF/A or PDF/UA still conforms
 * to it. Returns `null` for a document whose pages are all marked, which must not change: it may be signed.
 * @param now epoch milliseconds
 * @throws {InputFault} if the document must not be changed
 */
export function markAsTest(document: PdfDocument, now: number): Uint8Array | null {
  const { pages } = readPages(document);
  const contents = new PageContents(document);
  const streams = new Map<string, Ref>();
  const changed = new Map<Page, Dict>();
  for (const page of pages) {
    const drawing = drawingOf(geometryOf(page));
    if (endsWith(document, page, drawing)) continue;
    const stream = streams.get(drawing) ?? contentStream(drawing);
    streams.set(drawing, stream);
    changed.set(page, page.dict.copy().set('Contents', contents.append(page.dict.raw('Contents'), stream)));
  }
  const { keywords } = readProperties(document);
  if (changed.size === 0 && keywords.includes(TEST_KEYWORD)) return null;
  const added = keywords.filter((keyword) => keyword !== TEST_KEYWORD).concat(TEST_KEYWORD);
  return writeEdits(document, {
    ...changeProperties(document, { keywords: added }, now),
    pages: { all: pages, changed },
  });
}

/** Tells whether a drawing is the last content of a page, over which nothing else is drawn. */
function endsWith({ budget }: PdfDocument, page: Page, drawing: string): boolean {
  const last = resolve(contentsOf(page).at(-1));
  const decoded = last instanceof PdfStream ? decodeStream(last, budget) : undefined;
  return decoded !== undefined && Buffer.from(drawing, 'latin1').equals(decoded);
}

function drawingOf(geometry: PageGeometry): string {
  const [matrix = []] = placeMark(geometry, WORD, {
    position: 'center',
    rotation: 45,
    tile: false,
    size: { largest: 100, fill: 0.9 },
    scale: 1,
  });
  const paths = OUTLINES.map(
    (outline) => `${outline.map(([x, y], index) => `${x} ${y} ${index === 0 ? 'm' : 'l'}`).join(' ')} h\n`,
  ).join('');
  return [
    '/Artifact <</Type /Pagination /Subtype /Watermark>> BDC\n',
    `q ${matrix.map((value) => Number(value.toFixed(5))).join(' ')} cm 1 j [] 0 d\n`,
    `1 G ${LINES.white} w\n${paths}S\n`,
    `${GREY} G ${LINES.grey} w\n${paths}S\n`,
    'Q\nEMC\n',
  ].join('');
}
