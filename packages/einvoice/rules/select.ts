import type { DataNode } from '../data/node.ts';
import type { Select } from './rule.ts';

/** The payment type codes (BT-81) of credit transfers: any credit transfer, and a SEPA credit transfer. */
export const CREDIT_TRANSFER: ReadonlySet<string> = new Set(['30', '58']);

/** Chooses the invoice. */
export const root: Select = ({ root: node }) => [node];
/** Chooses the document totals (BG-22). */
export const totals: Select = ({ totals: node }) => [node];
/** Chooses the seller (BG-4). */
export const seller: Select = ({ seller: node }) => [node];
/** Chooses the buyer (BG-7). */
export const buyer: Select = ({ buyer: node }) => [node];
/** Chooses the lines (BG-25). */
export const lines: Select = ({ lines: list }) => list;
/** Chooses the VAT breakdown (BG-23). */
export const breakdown: Select = ({ breakdown: list }) => list;
/** Chooses the document level allowances (BG-20). */
export const allowances: Select = ({ allowances: list }) => list;
/** Chooses the document level charges (BG-21). */
export const charges: Select = ({ charges: list }) => list;
/** Chooses the allowances of lines (BG-27). */
export const lineAllowances: Select = ({ lineAllowances: list }) => list;
/** Chooses the charges of lines (BG-28). */
export const lineCharges: Select = ({ lineCharges: list }) => list;
/** Chooses the payment instructions (BG-16). */
export const payments: Select = ({ root: node }) => node.children('cac:PaymentMeans');

/** Chooses the groups at a path below other groups. */
export function below(select: Select, path: string): Select {
  return (invoice) => select(invoice).flatMap((node) => node?.children(path) ?? []);
}

/** Tells whether a payment instruction has one of `codes` as its type code (BT-81). */
export function hasPaymentCode(means: DataNode, codes: ReadonlySet<string>): boolean {
  return codes.has(means.text('cbc:PaymentMeansCode') ?? '');
}
