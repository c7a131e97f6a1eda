import { contentsOf } from '../edit/page-content.ts';
import {
  decodeStream,
  Dict,
  Name,
  PdfStream,
  readContent,
  readPages,
  resolve,
  type Operation,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';

/** Operators that show text, stroke a path, or paint an image, a form or a shading. */
const PAINTING = new Set(['Tj', 'TJ', "'", '"', 'S', 's', 'B', 'B*', 'b', 'b*', 'Do', 'sh', 'BI']);
const FILLING = new Set(['f', 'F', 'f*']);

/** For each operator that sets the colour of fills, the value of each operand that means white. */
const WHITE: Readonly<Record<string, number>> = { g: 1, rg: 1, k: 0 };
/** Operators that set a colour in another colour space. */
const OTHER_COLOURS = new Set(['cs', 'sc', 'scn']);

/**
 * Returns the numbers of the pages, from 1, on which nothing is drawn. White areas, such as the background of
 * a document, and artifacts that are watermarks, such as the mark of test documents, do not count as drawn.
 * @throws {PdfError} if the file has no pages
 */
export function findBlankPages(document: PdfDocument): number[] {
  return readPages(document).pages.flatMap((page, index) => (isBlank(document, page) ? [index + 1] : []));
}

function isBlank({ budget }: PdfDocument, page: Page): boolean {
  if ((page.dict.array('Annots') ?? []).length > 0) return false;
  const parts: Uint8Array[] = [];
  for (const part of contentsOf(page)) {
    const stream = resolve(part);
    if (!(stream instanceof PdfStream)) continue;
    const content = decodeStream(stream, budget);
    // A stream that cannot be read may draw something.
    if (!content) return false;
    parts.push(content, Buffer.from('\n'));
  }
  return !draws(Buffer.concat(parts));
}

function draws(content: Uint8Array): boolean {
  let isWhite = false;
  const saved: boolean[] = [];
  /** For each open marked content, whether it is a watermark or within one. */
  const marked: boolean[] = [];
  for (const operation of readContent(content)) {
    const { operator } = operation;
    if (operator === 'BDC' || operator === 'BMC')
      marked.push(marked.at(-1) === true || isWatermark(operation));
    else if (operator === 'EMC') marked.pop();
    else if (operator === 'q') saved.push(isWhite);
    else if (operator === 'Q') isWhite = saved.pop() ?? isWhite;
    else if (Object.hasOwn(WHITE, operator))
      isWhite = operation.operands.every((value) => value === WHITE[operator]);
    else if (OTHER_COLOURS.has(operator)) isWhite = false;
    else if (marked.at(-1) === true) continue;
    else if (PAINTING.has(operator) || (FILLING.has(operator) && !isWhite)) return true;
  }
  return false;
}

/** Recognises the begin of an artifact that is a watermark (ISO 32000-1 14.8.2.2). */
function isWatermark({ operands: [tag, properties] }: Operation): boolean {
  if (!(tag instanceof Name) || tag.value !== 'Artifact' || !(properties instanceof Dict)) return false;
  const subtype = properties.get('Subtype');
  return subtype instanceof Name && subtype.value === 'Watermark';
}
