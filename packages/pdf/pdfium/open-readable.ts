import { drawAnnotations } from '../annotations/draw-annotations.ts';
import { decodeInput, forField, type PdfSource } from '../input.ts';
import {
  asDict,
  informationOf,
  PdfDocument,
  readPages,
  Ref,
  writePdf,
  type Page,
  type PdfObject,
  RenderingError,
} from '../objects/index.ts';
import { nameStateFonts } from './name-state-fonts.ts';
import { PdfiumDocument } from './pdfium-document.ts';

/**
 * Opens a PDF of a caller in PDFium. Rewrites the file first if PDFium cannot open it or could find other
 * pages than the object layer, so that pages have the same numbers in all operations. Also adapts
 * annotations, inherited resources and fonts that PDFium would not find.
 * @param repair changes what PDFium does not read, and returns whether it has changed anything
 * @throws {InputFault} naming the field if the file is not a PDF, needs a password or cannot be rewritten.
 * @throws {RenderingError} if PDFium cannot open the rewritten file.
 */
export async function openReadable(
  source: PdfSource,
  field: string,
  repair: (document: PdfDocument, pages: readonly Page[]) => boolean = () => false,
): Promise<PdfiumDocument> {
  const bytes = decodeInput(source, field);
  const document = forField(field, () => PdfDocument.open(bytes));
  const { pages, isRegular } = forField(field, () => readPages(document));
  const changes = forField(field, () => [
    drawAnnotations(pages),
    inheritResources(pages),
    nameStateFonts(pages),
    repair(document, pages),
  ]);
  if (changes.includes(true) || !isRegular) return openRewritten(document, field);
  const opened = await PdfiumDocument.open(bytes).catch((error: unknown) => {
    if (error instanceof RenderingError) return undefined;
    throw error;
  });
  if (opened?.pageCount === pages.length) return opened;
  opened?.[Symbol.dispose]();
  return openRewritten(document, field);
}

/**
 * Copies inherited resources to pages with annotations, because PDFium loses them when it makes the
 * annotations part of the page. Returns whether it has changed a page.
 */
function inheritResources(pages: readonly Page[]): boolean {
  let hasChanged = false;
  /** Whether a list of annotations, which pages may share, contains one that is drawn. */
  const drawn = new Map<PdfObject[], boolean>();
  for (const { dict, inherited } of pages) {
    const resources = inherited.get('Resources');
    const annotations = dict.array('Annots');
    if (resources === undefined || !annotations) continue;
    const isDrawnList = drawn.get(annotations) ?? annotations.some(isDrawn);
    drawn.set(annotations, isDrawnList);
    if (!isDrawnList) continue;
    dict.set('Resources', resources);
    hasChanged = true;
  }
  return hasChanged;
}

function isDrawn(annotation: PdfObject): boolean {
  const type = asDict(annotation)?.name('Subtype');
  return type !== undefined && type !== 'Link';
}

function openRewritten(document: PdfDocument, field: string): Promise<PdfiumDocument> {
  const { catalog, version, compact } = document;
  const pdf = forField(field, () =>
    writePdf({ root: Ref.to(catalog), info: informationOf(document), version, compact }),
  );
  return PdfiumDocument.open(pdf);
}
