import { DataNode, type Group } from '../data/node.ts';
import { FORMAT } from '../data/read-data.ts';
import { INVOICE, type GroupShape } from '../data/shape.ts';
import { Decimal } from '../decimal.ts';
import type { Findings } from '../findings.ts';
import type { InvoiceProfile } from '../profiles.ts';
import { decimalsOf } from './currency.ts';

/** The group of a line whose amounts are prices, which may have more decimals than the currency. */
const PRICE = 'cac:Price';

/**
 * Checks that the amounts of an invoice can be paid in their currency: an amount in JPY must not have
 * decimals. XRechnung is an exception, because it requires line amounts with two decimals in any currency
 * (PEPPOL-EN16931-R120). BR-DEC limits amounts in other currencies.
 */
export function checkMinorUnits(invoice: Group, profile: InvoiceProfile, findings: Findings): void {
  if (profile === 'xrechnung') return;
  const root = new DataNode(invoice, INVOICE.name);
  checkGroup(root, INVOICE, { currency: root.text('cbc:DocumentCurrencyCode'), findings });
}

function checkGroup(
  node: DataNode,
  { children }: GroupShape,
  invoice: { currency: string | undefined; findings: Findings },
): void {
  for (const child of children) {
    if (child.kind === 'group') {
      if (child.name === PRICE) continue;
      for (const one of node.children(child.name)) checkGroup(one, child, invoice);
    } else if (child.type === 'amount') {
      const currency = node.text(`${child.name}@currencyID`) ?? invoice.currency;
      const amount = Decimal.parse(node.text(child.name) ?? '');
      if (amount && amount.decimals > 0 && decimalsOf(currency) === 0)
        invoice.findings.add(
          FORMAT,
          node.pathOf(child.name),
          `must be a whole number, because ${currency} has no decimals`,
        );
    }
  }
}
