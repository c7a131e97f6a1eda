import type { Group } from '../data/node.ts';
import type { Decimal } from '../decimal.ts';
import { Findings } from '../findings.ts';
import { profileRules, type InvoiceProfile, type InvoiceSyntax } from '../profiles.ts';
import { COMBINATION_RULES, DECIMAL_RULES } from './amount-rules.ts';
import { checkCodes, CODE_RULE_IDS } from './code-rules.ts';
import { CONTENT_RULES } from './content-rules.ts';
import { viewInvoice, type Rule } from './rule.ts';
import { VAT_RULES } from './vat-rules.ts';
import { XRECHNUNG_RULES } from './xrechnung-rules.ts';

/** All business rules except the rules about code lists. */
export const RULES: readonly Rule[] = [
  ...CONTENT_RULES,
  ...COMBINATION_RULES,
  ...DECIMAL_RULES,
  ...VAT_RULES,
];

/** Returns the identifiers of the rules that apply to a profile. */
export function ruleIds(profile: InvoiceProfile): string[] {
  return [...rulesFor(profile).map(({ id }) => id), ...CODE_RULE_IDS];
}

function rulesFor(profile: InvoiceProfile): Rule[] {
  const { scope } = profileRules(profile);
  const rules = profile === 'xrechnung' ? [...RULES, ...XRECHNUNG_RULES] : RULES;
  return rules.filter(({ from = 0 }) => from <= scope);
}

/** The rules to check. */
export interface RuleSet {
  /** The profile; `undefined` if it is unknown, whose invoices are checked by the rules of EN 16931. */
  profile: InvoiceProfile | undefined;
  syntax: InvoiceSyntax;
  /** Changes the amount due (EXTENDED only). */
  adjustment?: Decimal | undefined;
}

/**
 * Adds to `findings` the violations of the rules that apply to a profile: the rules of EN 16931, and for
 * `xrechnung` also the rules of XRechnung.
 */
export function checkInvoice(
  invoice: Group,
  { profile: given, syntax, adjustment }: RuleSet,
  findings: Findings,
): void {
  const profile = given ?? 'en16931';
  const { scope } = profileRules(profile);
  const view = viewInvoice(invoice, { profile, scope, syntax, adjustment });
  for (const { id, message, faults } of rulesFor(profile))
    for (const path of faults(view)) findings.add(id, path, message);
  const isFacturX = syntax === 'cii' && given !== undefined && given !== 'xrechnung';
  checkCodes(view.root, { isFacturX, findings });
}
