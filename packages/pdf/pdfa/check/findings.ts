import type { Dict, PdfDocument } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';

/** The maximum number of reported violations. */
const MAX_FINDINGS = 50;

/** Collects violations, each message once. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly #reported = new Set<string>();

  /** Reports a violation. */
  add(clause: string, message: string): void {
    const key = `${clause} ${message}`;
    if (this.#reported.has(key) || this.violations.length >= MAX_FINDINGS) return;
    this.#reported.add(key);
    this.violations.push({ clause, message });
  }

  /** Reports a violation unless the condition holds. */
  expect(holds: boolean, clause: string, message: string): void {
    if (!holds) this.add(clause, message);
  }
}

/** The document to check, and where to report violations. */
export interface CheckContext {
  document: PdfDocument;
  pages: readonly Dict[];
  graph: ContentGraph;
  findings: Findings;
}
