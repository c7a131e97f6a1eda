/** A violation of a rule. */
export interface Finding {
  /** The rule, such as `BR-16` or `BR-CO-10`; `FORMAT` for data that is not an invoice at all. */
  rule: string;
  /** States the requirement. */
  message: string;
  /** The path in the data, such as `ubl:Invoice.cac:InvoiceLine[0].cbc:ID`. */
  path: string;
}

/** The most findings that are reported for an invoice. */
export const MAX_FINDINGS = 100;

/** Collects findings up to {@link MAX_FINDINGS}. */
export class Findings {
  readonly list: Finding[] = [];

  get isFull(): boolean {
    return this.list.length >= MAX_FINDINGS;
  }

  add(rule: string, path: string, message: string): void {
    if (!this.isFull) this.list.push({ rule, message, path });
  }
}
