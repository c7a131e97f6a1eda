import type { ErrorDetail } from '../../src/plugin.ts';

/** A violation of a rule, as the sandbox reports it. */
interface RuleViolation {
  rule: string;
  message: string;
  path: string;
}

/**
 * Converts violations of rules to details of an error. `field` is the field of the request that contains the
 * invoice.
 */
export function invoiceDetails(findings: readonly RuleViolation[], field: string): ErrorDetail[] {
  return findings.map(({ rule, message, path }) => ({
    path: path === '' ? field : `${field}.${path}`,
    code: rule,
    message: `${rule}: ${message}`,
  }));
}
