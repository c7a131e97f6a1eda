import type { TaskResult } from '../../src/plugin.ts';
import { readInfo, type PdfInfo } from './info/read-info.ts';
import { answer, forField, openInput } from './input.ts';

// What runs in the tool process. PDFs come as the caller sent them, in base64, and go as bytes.

/** Says what is known about a PDF. */
export function info({ pdf }: { pdf: string }): TaskResult<PdfInfo> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => readInfo(document, document.sizeBytes));
  });
}
