import type { LevelRules, Rule } from './levels.ts';

/** A violation of PDF/A or PDF/UA. */
export interface Violation {
  /**
   * The violated clause of the standard, such as `6.3.4`. The clause `file` means that the file cannot be
   * read (PDF/UA only).
   */
  clause: string;
  /** A sentence without an initial capital and a full stop, such as `the font Arial is not embedded`. */
  message: string;
}

/** A rule that a document breaks. The level determines its clause. */
export interface Breach {
  rule: Rule;
  /** As in {@link Violation}. */
  message: string;
}

export function violationOf({ rule, message }: Breach, { clauses }: LevelRules): Violation {
  return { clause: clauses[rule], message };
}

/** Thrown by a step of the conversion for the rules that it cannot make the document follow. */
export class BreachError extends Error {
  override name = 'BreachError';
  readonly breaches: readonly Breach[];

  constructor(breaches: readonly Breach[]) {
    super(breaches.map(({ rule, message }) => `${rule}: ${message}`).join('; '));
    this.breaches = breaches;
  }
}

/** Thrown when a document cannot be converted to PDF/A. */
export class PdfaError extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ clause, message }) => `${clause}: ${message}`).join('; '));
    this.name = 'PdfaError';
    this.violations = violations;
  }
}
