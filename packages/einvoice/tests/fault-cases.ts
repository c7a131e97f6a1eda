import type { InvoiceProfile } from '../profiles.ts';
import { allowance, buyer, category, line, seller, type InvoiceFields } from './build-invoice.ts';

/**
 * A rule, the fields that make a valid invoice violate it, and the path of the violation below `ubl:Invoice`.
 */
export type FaultCase = readonly [
  rule: string,
  path: string,
  fields: InvoiceFields,
  profile?: InvoiceProfile,
];

/** The path of the seller. */
export const SELLER = 'cac:AccountingSupplierParty.cac:Party';
/** The path of the buyer. */
export const BUYER = 'cac:AccountingCustomerParty.cac:Party';
/** The path of the totals. */
export const TOTALS = 'cac:LegalMonetaryTotal';
/** The path of the first VAT subtotal. */
export const SUBTOTAL = 'cac:TaxTotal[0].cac:TaxSubtotal[0]';
/** The path of the first line. */
export const LINE = 'cac:InvoiceLine[0]';
/** The path of the item of the first line. */
export const ITEM = `${LINE}.cac:Item`;
/** The path of the first payment instruction. */
export const MEANS = 'cac:PaymentMeans[0]';
/** The VAT category S with the rate of 19%. */
export const S19 = category('S', '19');

export const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

/** Replaces the lines. */
export const lines = (...all: InvoiceFields[]) => ({ 'cac:InvoiceLine': all });
/** Adds fields to the only line. */
export const ofLine = (more: InvoiceFields) => lines(line({ more }));
/** Adds fields to the item of the only line. */
export const ofItem = (item: InvoiceFields) => lines(line({ item }));
/** Sets a total. */
export const totals = (name: string, amount: string) => ({ 'cac:LegalMonetaryTotal': { [name]: amount } });
/** Replaces fields of the seller. */
export const ofSeller = (fields: InvoiceFields) => ({
  'cac:AccountingSupplierParty': { 'cac:Party': { ...seller, ...fields } },
});
/** Replaces fields of the buyer. */
export const ofBuyer = (fields: InvoiceFields) => ({
  'cac:AccountingCustomerParty': { 'cac:Party': { ...buyer(), ...fields } },
});
/** Replaces the payment instructions. */
export const payBy = (...means: InvoiceFields[]) => ({ 'cac:PaymentMeans': means });
/** Sets the VAT breakdown to one subtotal. */
export const tax = (
  taxable: string | undefined,
  amount: string | undefined,
  of: InvoiceFields,
  total = amount,
) => ({
  'cac:TaxTotal': [
    {
      'cbc:TaxAmount': total,
      'cac:TaxSubtotal': [{ 'cbc:TaxableAmount': taxable, 'cbc:TaxAmount': amount, 'cac:TaxCategory': of }],
    },
  ],
});
/** Adds an allowance or charge on document level. */
export const documentLevel = (
  kind: 'allowance' | 'charge',
  fields: InvoiceFields = {},
  of: InvoiceFields = S19,
) => ({ 'cac:AllowanceCharge': [{ ...allowance(kind, '1.00', of), ...fields }] });
/** Adds an allowance or charge to the only line. */
export const lineLevel = (kind: 'allowance' | 'charge', fields: InvoiceFields) =>
  ofLine({ 'cac:AllowanceCharge': [{ ...allowance(kind, '1.00'), ...fields }] });

/** A payment card. */
export const card = { 'cac:CardAccount': { 'cbc:PrimaryAccountNumberID': '1234' } };
/** A direct debit. */
export const mandate = {
  'cac:PaymentMandate': {
    'cbc:ID': 'M-1',
    'cac:PayerFinancialAccount': { 'cbc:ID': 'DE02120300000000202051' },
  },
};
