import {
  addFields,
  fillForm,
  forField,
  listFields,
  openInput,
  readPages,
  toResult,
  type AddFieldsRequest,
  type PdfDocument,
  type PdfSource,
  type FormResult,
  type FillFormRequest,
  type Result,
} from '@platen/pdf';
import { removeFalseClaims } from '@platen/pdf-standards';
import { presentForm } from './present.ts';

// These tasks run in the sandbox. They accept PDFs as bytes or base64 and return bytes.

/** The result of a task: a PDF with its number of pages, or the texts that the browser must draw first. */
export type CountedFormResult =
  | (Extract<FormResult, { pdf: Uint8Array }> & { pages: number })
  | Exclude<FormResult, { pdf: Uint8Array }>;

/**
 * Lists the fields of a form. Returns JSON in the shape of the response, because a form can have 200,000
 * fields.
 */
export function list({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const form = presentForm(forField('pdf', () => listFields(document)));
    return Buffer.from(JSON.stringify(form));
  });
}

/** Adds fields to a document, or returns the texts that the browser must draw first. */
export function add({ pdf, ...request }: AddFieldsRequest & { pdf: PdfSource }): Result<CountedFormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => withPages(document, addFields(document, request)));
  });
}

/** Fills a form, or returns the texts that the browser must draw first. */
export function fillIn({ pdf, ...request }: FillFormRequest & { pdf: PdfSource }): Result<CountedFormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => withPages(document, fillForm(document, request)));
  });
}

function withPages(document: PdfDocument, result: FormResult): CountedFormResult {
  if (!('pdf' in result)) return result;
  return { pdf: removeFalseClaims(result.pdf), pages: readPages(document).pages.length };
}
