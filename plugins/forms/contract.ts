import type { PdfSource, FieldDefinition, FieldInputValue } from '@platen/pdf';
import type { Account, RawJson } from '../../src/plugin.ts';
import type { MadePdf } from '../files/contract.ts';

export type {
  NewFieldType,
  FieldDefinition,
  FieldKind,
  ListedField,
  ListedForm,
  WidgetLocation,
} from '@platen/pdf';
export type { FieldInputValue } from '@platen/pdf';

/** A request to add fields. */
export interface AddRequest {
  /** The account whose share of the browser is used. */
  account: Account;
  pdf: PdfSource;
  fields: readonly FieldDefinition[];
}

/** A request to fill a form. */
export interface FillRequest {
  /** The account whose share of the browser is used. */
  account: Account;
  pdf: PdfSource;
  fields: { name: string; value: FieldInputValue }[];
  /** Whether to flatten all fields of the form into page content. */
  flatten: boolean;
}

/**
 * Works on the interactive forms of PDFs. All work runs in the sandbox.
 * @throws {AppError} VALIDATION_ERROR naming the field if a file is not a PDF, is damaged beyond repair,
 * needs a password, is larger than 27,000,000 bytes or exceeds the limits for time or memory; RATE_LIMITED if
 * too much work is queued.
 */
export interface FormsService {
  /** Lists all fields of a form, in the shape of the response of `POST /v1/pdf/forms/list-fields`. */
  list(pdf: PdfSource): Promise<RawJson>;
  /**
   * Adds fields, all of them or none. The original bytes are unchanged, and existing signatures stay valid.
   * @throws {AppError} VALIDATION_ERROR naming an invalid definition, or a signature that forbids new fields.
   */
  add(request: AddRequest): Promise<MadePdf>;
  /**
   * Fills fields of a form, all of them or none.
   * @throws {AppError} VALIDATION_ERROR naming a field that does not accept its value; NOT_IMPLEMENTED for
   * text that needs the plugin `render` if it is off.
   */
  fillIn(request: FillRequest): Promise<MadePdf>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    forms: FormsService;
  }
}
