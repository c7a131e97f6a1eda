import { DataNode, type Group } from '../data/node.ts';
import { FORMAT } from '../data/read-data.ts';
import { INVOICE } from '../data/shape.ts';
import { Decimal, MAX_DIGITS } from '../decimal.ts';
import type { Findings } from '../findings.ts';

const TOTALS = [
  'cbc:LineExtensionAmount',
  'cbc:AllowanceTotalAmount',
  'cbc:ChargeTotalAmount',
  'cbc:TaxExclusiveAmount',
  'cbc:TaxInclusiveAmount',
  'cbc:PayableAmount',
].map((name) => `cac:LegalMonetaryTotal/${name}`);

/**
 * Checks that the amounts of a completed invoice are within the limit of {@link MAX_DIGITS} digits. Adds
 * findings for lines, or else one for the first total that exceeds it.
 */
export function checkSizes(invoice: Group, findings: Findings): void {
  const root = new DataNode(invoice, INVOICE.name);
  const isTooLarge = ([node, path]: readonly [DataNode, string]) => {
    const amount = node.text(path);
    return amount !== undefined && Decimal.parse(amount) === undefined;
  };
  const lines = root
    .children('cac:InvoiceLine')
    .map((line) => [line, 'cbc:LineExtensionAmount'] as const)
    .filter(isTooLarge);
  const totals = [
    ...TOTALS.map((path) => [root, path] as const),
    ...root.children('cac:TaxTotal').map((total) => [total, 'cbc:TaxAmount'] as const),
  ].filter(isTooLarge);
  for (const [node, path] of lines.length > 0 ? lines : totals.slice(0, 1))
    findings.add(
      FORMAT,
      node.pathOf(path),
      `must have at most ${MAX_DIGITS} digits before the decimal point; the computed amount has more`,
    );
}
