import {
  addFields,
  fillForm,
  forField,
  listFields,
  openInput,
  toResult,
  type AddFieldsRequest,
  type Base64Pdf,
  type FormResult,
  type FillFormRequest,
  type ListedForm,
  type Result,
} from '@platen/pdf';

// What runs in the sandbox. PDFs come as the caller sent them, in base64, and go as bytes.

/** Reads the fields of a form. */
export function list({ pdf }: { pdf: Base64Pdf }): Result<ListedForm> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => listFields(document));
  });
}

/** Adds fields to a document, or says what the browser is to draw first. */
export function add({ pdf, ...request }: AddFieldsRequest & { pdf: Base64Pdf }): Result<FormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addFields(document, request));
  });
}

/** Fills a form, or says what the browser is to draw first. */
export function fillIn({ pdf, ...request }: FillFormRequest & { pdf: Base64Pdf }): Result<FormResult> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => fillForm(document, request));
  });
}
