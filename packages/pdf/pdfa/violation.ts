/** What keeps a document from being PDF/A-1b. */
export interface Violation {
  /** The clause of ISO 19005-1 that it breaks, such as `6.3.4`. */
  clause: string;
  /** What was found, and where; a sentence without its subject and full stop. */
  message: string;
}

/** Says that a document cannot be made PDF/A-1b, or was not, and by which clauses. */
export class PdfaError extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ clause, message }) => `${clause}: ${message}`).join('; '));
    this.name = 'PdfaError';
    this.violations = violations;
  }
}
