import {
  addFields,
  fillForm,
  forField,
  listFields,
  openInput,
  toResult,
  type AddOrder,
  type Base64Pdf,
  type Filled,
  type FillOrder,
  type Result,
} from '@platen/pdf';
import { presentForm } from './present.ts';

// What runs in the sandbox. PDFs come as the caller sent them, in base64, and go as bytes.

/** Reads the fields of a form, as JSON in the shape of the API's answer: a form may have a hundred thousand of them. */
export function list({ pdf }: { pdf: Base64Pdf }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const form = presentForm(forField('pdf', () => listFields(document)));
    return Buffer.from(JSON.stringify(form));
  });
}

/** Adds fields to a document, or says what the browser is to draw first. */
export function add({ pdf, ...order }: AddOrder & { pdf: Base64Pdf }): Result<Filled> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addFields(document, order));
  });
}

/** Fills a form, or says what the browser is to draw first. */
export function fillIn({ pdf, ...order }: FillOrder & { pdf: Base64Pdf }): Result<Filled> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => fillForm(document, order));
  });
}
