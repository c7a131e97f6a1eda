/** A violation of PDF/A-1b. */
export interface Violation {
  /** The violated clause of ISO 19005-1, such as `6.3.4`. */
  clause: string;
  /** Describes the violation in a sentence without initial capital and full stop, such as `the font Arial is not embedded`. */
  message: string;
}

/** Thrown when a document cannot be converted to PDF/A-1b. */
export class PdfaError extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ clause, message }) => `${clause}: ${message}`).join('; '));
    this.name = 'PdfaError';
    this.violations = violations;
  }
}
