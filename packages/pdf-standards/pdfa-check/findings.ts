import type { Dict, PdfDocument } from '@platen/pdf/objects';
import type { ContentGraph } from '../content/graph.ts';
import type { LevelRules, PdfaLevel, Rule } from '../levels.ts';
import { violationOf, type Violation } from '../violation.ts';

/** The maximum number of reported violations. */
const MAX_FINDINGS = 50;

/** Collects violations, each message once. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly rules: LevelRules;
  readonly #reported = new Set<string>();

  constructor(rules: LevelRules) {
    this.rules = rules;
  }

  /** Reports a violation. */
  add(rule: Rule, message: string): void {
    const violation = violationOf({ rule, message }, this.rules);
    const key = `${violation.clause} ${message}`;
    if (this.#reported.has(key) || this.violations.length >= MAX_FINDINGS) return;
    this.#reported.add(key);
    this.violations.push(violation);
  }

  /** Reports a violation unless the condition holds. */
  expect(holds: boolean, rule: Rule, message: string): void {
    if (!holds) this.add(rule, message);
  }
}

/** The document to check, and the collector of its violations. */
export interface CheckContext {
  document: PdfDocument;
  pages: readonly Dict[];
  graph: ContentGraph;
  findings: Findings;
  /** Tells whether an embedded file conforms to a level. */
  conforms: (pdf: Uint8Array, level: PdfaLevel) => boolean;
}
