import { answer, forField, openInput, type SentPdf } from '../../src/pdf/pdf.ts';
import type { TaskResult } from '../../src/plugin.ts';
import { addFields } from './add/add-fields.ts';
import type { FieldDefinition } from './add/definition.ts';
import { listFields, type ListedForm } from './fields/list-fields.ts';

// What runs in the tool process. PDFs come as the caller sent them, in base64, and go as bytes.

/** Reads the fields of a form. */
export function list({ pdf }: { pdf: SentPdf }): TaskResult<ListedForm> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => listFields(document));
  });
}

/** Adds fields to a document; their texts and choices are empty. */
export function add({
  pdf,
  definitions,
}: {
  pdf: SentPdf;
  definitions: FieldDefinition[];
}): TaskResult<Uint8Array> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addFields(document, definitions));
  });
}
