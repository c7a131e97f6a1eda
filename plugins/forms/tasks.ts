import {
  addFields,
  fillForm,
  forField,
  listFields,
  openInput,
  toResult,
  type AddFieldsRequest,
  type PdfSource,
  type FormResult,
  type FillFormRequest,
  type Result,
} from '@platen/pdf';
import { presentForm } from './present.ts';

// These tasks run in the sandbox. They accept PDFs in base64 and return bytes.

/** Lists the fields of a form as JSON in the shape of the API's response: a form may have a hundred thousand of them. */
export function list({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const form = presentForm(forField('pdf', () => listFields(document)));
    return Buffer.from(JSON.stringify(form));
  });
}

/** Adds fields to a document, or returns the texts that the browser must draw first. */
export function add({ pdf, ...request }: AddFieldsRequest & { pdf: PdfSource }): Result<FormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addFields(document, request));
  });
}

/** Fills a form, or returns the texts that the browser must draw first. */
export function fillIn({ pdf, ...request }: FillFormRequest & { pdf: PdfSource }): Result<FormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => fillForm(document, request));
  });
}
