import type { DataNode } from '../data/node.ts';

/**
 * Tells whether a VAT total is in the currency of the invoice, rather than in the accounting currency (BT-6).
 */
export function isOwnTotal(total: DataNode, currency: string | undefined): boolean {
  return [undefined, currency].includes(total.text('cbc:TaxAmount@currencyID'));
}
