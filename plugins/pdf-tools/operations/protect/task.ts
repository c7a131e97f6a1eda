import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import { protectDocument, type PdfSource, type ProtectionRequest, type Result } from '@platen/pdf';

const FIELDS = { ownerPassword: 'owner_password', userPassword: 'user_password' };

export function protect({
  pdf,
  protection,
}: {
  pdf: PdfSource;
  protection: ProtectionRequest;
}): Result<ChangedPdf> {
  return changeInput(pdf, (document) => protectDocument(document, protection, FIELDS));
}
