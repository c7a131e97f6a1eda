import { answer, forField, openInput, type SentPdf } from '../../src/pdf/pdf.ts';
import type { TaskResult } from '../../src/plugin.ts';
import { addFields, type AddOrder } from './add/add-fields.ts';
import { fillForm, type Filled, type FillOrder } from './fill/fill.ts';
import { listFields, type ListedForm } from './fields/list-fields.ts';

// What runs in the tool process. PDFs come as the caller sent them, in base64, and go as bytes.

/** Reads the fields of a form. */
export function list({ pdf }: { pdf: SentPdf }): TaskResult<ListedForm> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => listFields(document));
  });
}

/** Adds fields to a document, or says what the browser is to draw first. */
export function add({ pdf, ...order }: AddOrder & { pdf: SentPdf }): TaskResult<Filled> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addFields(document, order));
  });
}

/** Fills a form, or says what the browser is to draw first. */
export function fillIn({ pdf, ...order }: FillOrder & { pdf: SentPdf }): TaskResult<Filled> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => fillForm(document, order));
  });
}
