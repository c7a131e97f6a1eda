import type { Violation } from '../violation.ts';

/** A level of a standard, and its check. */
export interface Profile {
  /** The name of the standard, such as `PDF/A`. */
  standard: string;
  /** The level or part of the standard, such as `2b`. */
  level: string;
  /** The rules that the check covers, by their numbers in the standard, such as `6.2.4.3` or `BR-CO-10`. */
  rules: readonly string[];
  /**
   * Checks a file by its bytes alone, and returns the violations.
   * @throws {PdfError} if the file cannot be opened
   */
  check: (pdf: Uint8Array) => Violation[] | Promise<Violation[]>;
  /**
   * Returns why a file cannot be checked, such as an invoice by unknown rules; `undefined` if it can be.
   * `check` rejects such a file.
   */
  obstacle?: (pdf: Uint8Array) => string | undefined;
  /**
   * The part of the profile that the check does not cover. A check with a limit can refute a claim, but
   * cannot confirm it.
   */
  limit?: string;
}
