import type { Violation } from '../violation.ts';

/** The maximum number of reported violations. */
const MAX_FINDINGS = 50;

/** Collects violations of ISO 14289-1, each message once. */
export class UaFindings {
  readonly violations: Violation[] = [];
  readonly #reported = new Set<string>();

  /** Reports a violation of a clause. */
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
