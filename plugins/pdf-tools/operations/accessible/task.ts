import {
  decodeInput,
  forField,
  InputFault,
  PdfDocument,
  readPages,
  readProperties,
  toResult,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { isSigned } from '@platen/pdf/edit';
import type { Violation } from '@platen/pdf-standards';
import { makeAccessibleAndCheck, type AccessiblePdf } from '@platen/pdf-standards/accessibility-task';

export interface AccessibilityRequest {
  pdf: PdfSource;
  title: string | undefined;
  language: string | undefined;
  /** Whether a document with faults is returned without the claim of PDF/UA-1. */
  reports: boolean;
}

/** Why a document without tags cannot be made accessible. */
const UNTAGGED = 'has no tags, which PDF/UA requires: make it with tags, for example with options.accessible';

/**
 * Repairs a tagged document, so that it conforms to PDF/UA-1, and checks the result, which is not encrypted.
 */
export function makeAccessible({
  pdf,
  title,
  language,
  reports,
}: AccessibilityRequest): Result<AccessiblePdf & { pages: number }> {
  const opened = toResult(() => {
    const bytes = decodeInput(pdf, 'pdf');
    return forField('pdf', () => {
      const document = PdfDocument.open(bytes);
      if (isSigned(document))
        throw new InputFault('pdf', 'is signed, and the change would invalidate its signatures');
      const isTagged = document.catalog.dict('StructTreeRoot') !== undefined;
      if (!isTagged && !reports) throw new InputFault('pdf', UNTAGGED);
      return { bytes, isTagged, pages: readPages(document).pages.length, own: readProperties(document) };
    });
  });
  if (!opened.ok) return opened;
  const { bytes, isTagged, pages, own } = opened.value;
  if (!isTagged) {
    const violations: Violation[] = [{ clause: '7.1', message: 'the document has no tags' }];
    return { ok: true, value: { pdf: bytes, claims: [], violations, pages } };
  }
  const made = makeAccessibleAndCheck({
    pdf: bytes,
    title: title ?? own.title,
    language: language ?? own.language,
    links: [],
    claimsPdfua: true,
  });
  if (!made.ok) return made;
  const [first] = made.value.violations;
  if (first && !reports)
    return {
      ok: false,
      code: 'NOT_CONFORMING',
      part: 'pdf',
      message: `cannot be made accessible: ${first.message} (ISO 14289-1, ${first.clause})`,
      details: made.value.violations.map(({ clause, message }) => `${clause}: ${message}`),
    };
  return { ok: true, value: { ...made.value, pages } };
}
