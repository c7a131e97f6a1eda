import type { InvoiceProfile } from '../profiles.ts';
import { invoice, type InvoiceFields } from './build-invoice.ts';
import { faultyAmounts } from './faulty-amounts.ts';
import { faultyCodes } from './faulty-codes.ts';
import { faultyContent } from './faulty-content.ts';
import { faultyVat } from './faulty-vat.ts';
import { faultyXrechnung } from './faulty-xrechnung.ts';

/** An invoice that violates a rule, at a path in its data. */
export interface FaultyInvoice {
  rule: string;
  path: string;
  data: { 'ubl:Invoice': InvoiceFields };
  profile: InvoiceProfile;
}

/** Invoices that each violate a rule: at least one for every rule. */
export const faultyInvoices: readonly FaultyInvoice[] = [
  ...faultyContent,
  ...faultyAmounts,
  ...faultyVat,
  ...faultyCodes,
  ...faultyXrechnung,
].map(([rule, path, fields, profile = 'en16931']) => ({
  rule,
  path: `ubl:Invoice.${path}`,
  profile,
  data: invoice(fields),
}));
