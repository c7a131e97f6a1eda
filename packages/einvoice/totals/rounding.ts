import { DataNode, type Group } from '../data/node.ts';
import { FORMAT } from '../data/read-data.ts';
import { INVOICE } from '../data/shape.ts';
import type { Findings } from '../findings.ts';
import { INVOICE_PROFILES, profileRules, type InvoiceProfile } from '../profiles.ts';
import { decimalAt } from './sums.ts';

const ROUNDING = 'cac:LegalMonetaryTotal/cbc:PayableRoundingAmount';
/** The smallest scope whose profiles have the rounding amount (Factur-X 1.0.07, BT-114). */
const SCOPE = 3;
const NAMES = INVOICE_PROFILES.filter((profile) => profileRules(profile).scope >= SCOPE);

/**
 * Checks that the profile has the rounding amount (BT-114) if the data has one. Without it, the amount due
 * would not follow from the other totals of the XML (BR-CO-16).
 */
export function checkRounding(invoice: Group, profile: InvoiceProfile, findings: Findings): void {
  const root = new DataNode(invoice, INVOICE.name);
  const rounding = decimalAt(root, ROUNDING);
  if (!rounding || rounding.isZero || profileRules(profile).scope >= SCOPE) return;
  findings.add(
    FORMAT,
    root.pathOf(ROUNDING),
    `is not a term of the profile ${profile}: choose one of ${NAMES.join(', ')}, or leave it out`,
  );
}
