import type { Dict, PdfDocument } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';

/** Most findings that are told: one of a kind is enough to know what is wrong. */
const MAX_FINDINGS = 50;

/** Collects what is found; the same is told once. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly #told = new Set<string>();

  /** Tells that a clause is broken. */
  add(clause: string, message: string): void {
    const key = `${clause} ${message}`;
    if (this.#told.has(key) || this.violations.length >= MAX_FINDINGS) return;
    this.#told.add(key);
    this.violations.push({ clause, message });
  }

  /** Tells that a clause is broken, unless something holds. */
  expect(holds: boolean, clause: string, message: string): void {
    if (!holds) this.add(clause, message);
  }
}

/** A document that is checked. */
export interface Checked {
  document: PdfDocument;
  pages: readonly Dict[];
  graph: ContentGraph;
  findings: Findings;
}
