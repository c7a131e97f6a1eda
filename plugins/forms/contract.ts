import type { SentPdf } from '../pdf-tools/contract.ts';
import type { ListedForm } from './fields/list-fields.ts';

export type { FieldKind } from './fields/field.ts';
export type { ListedField, ListedForm, ListedPlace } from './fields/list-fields.ts';

/**
 * Works on the interactive forms of PDFs that callers send in base64. All of it runs in the tool process.
 * @throws {AppError} VALIDATION_ERROR naming the field for a file that is no PDF, is damaged beyond repair, needs a password, is larger
 * than 27,000,000 bytes or takes more time or memory than there is; RATE_LIMITED when too much work waits.
 */
export interface FormsService {
  /** Reads all fields of a form. */
  list(pdf: SentPdf): Promise<ListedForm>;
  /** Makes a link to a stored result that holds 30 days. */
  link(fileId: string): Promise<string>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    forms: FormsService;
  }
}
