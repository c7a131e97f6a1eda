import { changeInput, conformingTexts, type ChangedPdf } from '@platen/pdf-standards';
import { numberPages, type PageNumbering, type PdfSource, type Result } from '@platen/pdf';

export function number({ pdf, numbering }: { pdf: PdfSource; numbering: PageNumbering }): Result<ChangedPdf> {
  return changeInput(pdf, (document) => numberPages(document, numbering, conformingTexts(document)));
}
