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
} from '../objects/index.ts';
import { nameStateFonts } from './name-state-fonts.ts';
import { PdfiumDocument, RenderingError } from './pdfium-document.ts';

/**
 * Opens a PDF of a caller in PDFium. A file in which PDFium finds fewer or more pages than the object layer is repaired first, so that
 * pages have the same numbers in all operations. Annotations that PDFium would not draw get an appearance, and their pages get the resources that
 * they inherit.
 * @param repair changes what PDFium does not read, and returns whether it has changed anything
 * @throws {InputFault} naming the field if the file is not a PDF, needs a password or cannot be repaired.
 */
export async function openReadable(
  source: PdfSource,
  field: string,
  repair: (document: PdfDocument, pages: readonly Page[]) => boolean = () => false,
): Promise<PdfiumDocument> {
  const bytes = decodeInput(source, field);
  const document = forField(field, () => PdfDocument.open(bytes));
  const pages = forField(field, () => readPages(document).pages);
  const changes = forField(field, () => [
    drawAnnotations(pages),
    inheritResources(pages),
    nameStateFonts(pages),
    repair(document, pages),
  ]);
  if (changes.includes(true)) return openRewritten(document, field);
  const opened = await PdfiumDocument.open(bytes).catch((error: unknown) => {
    if (error instanceof RenderingError) return undefined;
    throw error;
  });
  if (opened?.pageCount === pages.length) return opened;
  opened?.[Symbol.dispose]();
  return openRewritten(document, field);
}

/**
 * Gives pages with annotations the resources that they inherit, which PDFium would lose when it makes the annotations part of the page. Returns
 * whether there are any such pages.
 */
function inheritResources(pages: readonly Page[]): boolean {
  let hasAny = false;
  for (const { dict, inherited } of pages) {
    const resources = inherited.get('Resources');
    if (resources === undefined || !dict.array('Annots')?.some(isDrawn)) continue;
    dict.set('Resources', resources);
    hasAny = true;
  }
  return hasAny;
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
