import type { Base64Pdf, FieldDefinition, SentValue } from '@platen/pdf';
import type { Account, RawJson } from '../../src/plugin.ts';

export type {
  AddedKind,
  FieldDefinition,
  FieldKind,
  ListedField,
  ListedForm,
  ListedPlace,
} from '@platen/pdf';
export type { SentValue } from '@platen/pdf';

/** Fields that are to be added. */
export interface AddRequest {
  /** Whose turn it is while values are drawn. */
  account: Account;
  pdf: Base64Pdf;
  fields: readonly FieldDefinition[];
}

/** A form that is to be filled. */
export interface FillRequest {
  /** Whose turn it is while the browser draws. */
  account: Account;
  pdf: Base64Pdf;
  fields: { name: string; value: SentValue }[];
  /** Makes all fields of the form content of the pages. */
  flatten: boolean;
}

/**
 * Works on the interactive forms of PDFs that callers send in base64. All of it runs in the sandbox.
 * @throws {AppError} VALIDATION_ERROR naming the field for a file that is no PDF, is damaged beyond repair, needs a password, is larger
 * than 27,000,000 bytes or takes more time or memory than there is; RATE_LIMITED when too much work waits.
 */
export interface FormsService {
  /** Reads all fields of a form, in the shape of the answer of `POST /v1/pdf/forms/list-fields`. */
  list(pdf: Base64Pdf): Promise<RawJson>;
  /**
   * Adds fields, all of them or none. What was in the file stays; signatures that it has stay valid, and where they forbid new fields
   * nothing is added.
   */
  add(request: AddRequest): Promise<Uint8Array>;
  /**
   * Fills fields of a form, all of them or none.
   * @throws {AppError} VALIDATION_ERROR naming the field for a value that it does not take; NOT_IMPLEMENTED for text that only the
   * plugin `render` can draw, when that is off.
   */
  fillIn(request: FillRequest): Promise<Uint8Array>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    forms: FormsService;
  }
}

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
