import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import { unlockDocument, type PdfSource, type Result } from '@platen/pdf';

/** Removes the encryption of a PDF. */
export function unlock({ pdf, password }: { pdf: PdfSource; password: string }): Result<ChangedPdf> {
  return changeInput(pdf, unlockDocument, password);
}
