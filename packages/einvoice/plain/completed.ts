import { DataNode, type Group } from '../data/node.ts';
import { INVOICE } from '../data/shape.ts';
import { isOwnTotal } from '../totals/own-total.ts';
import { isTree, typeName, type Tree } from './read-plain.ts';

/**
 * Returns a plain invoice with everything that was computed: the amounts and the VAT of lines, discounts and
 * charges, the codes of units, and the totals with the VAT by category and rate. Amounts are text, such as
 * `"1785.00"`.
 */
export function completedPlain(data: Tree, invoice: Group): Tree {
  const root = new DataNode(invoice, INVOICE.name);
  const lines = root.children('cac:InvoiceLine');
  const allowances = root.children('cac:AllowanceCharge');
  const completed: Tree = { ...data, type: typeName(root.text('cbc:InvoiceTypeCode')) };
  if (Array.isArray(data['lines']))
    completed['lines'] = data['lines'].map((line: Tree, index) => completedLine(line, lines[index]));
  for (const name of Object.keys(data)) {
    const list = data[name];
    if ((name !== 'discounts' && name !== 'charges') || !Array.isArray(list)) continue;
    const own = allowances.splice(0, list.length);
    completed[name] = list.map((item: Tree, index) => ({
      ...item,
      amount: own[index]?.text('cbc:Amount') ?? item['amount'],
      vat_details: vatOf(own[index]?.child('cac:TaxCategory')),
    }));
  }
  completed['totals'] = totalsOf(root, data);
  return completed;
}

function completedLine(line: Tree, node: DataNode | undefined): Tree {
  const { discount } = line;
  return {
    ...line,
    id: node?.text('cbc:ID'),
    unit_code: node?.text('cbc:InvoicedQuantity@unitCode'),
    amount: node?.text('cbc:LineExtensionAmount'),
    vat_details: vatOf(node?.child('cac:Item/cac:ClassifiedTaxCategory')),
    ...(isTree(discount) && {
      discount: { ...discount, amount: node?.text('cac:AllowanceCharge/cbc:Amount') },
    }),
  };
}

/** Returns the code and the rate of a VAT category. The category O, not subject to VAT, has the rate 0. */
function vatOf(category: DataNode | undefined): Tree {
  return { category: category?.text('cbc:ID'), rate: category?.text('cbc:Percent') ?? '0' };
}

/** The names of the totals by their elements. */
const TOTALS: readonly (readonly [name: string, element: string])[] = [
  ['lines', 'cbc:LineExtensionAmount'],
  ['discounts', 'cbc:AllowanceTotalAmount'],
  ['charges', 'cbc:ChargeTotalAmount'],
  ['net', 'cbc:TaxExclusiveAmount'],
  ['gross', 'cbc:TaxInclusiveAmount'],
  ['prepaid', 'cbc:PrepaidAmount'],
  ['due', 'cbc:PayableAmount'],
];

function totalsOf(root: DataNode, data: Tree): Tree {
  const totals: Tree = {};
  for (const [name, element] of TOTALS) {
    const amount = root.text(`cac:LegalMonetaryTotal/${element}`);
    if (amount !== undefined) totals[name] = amount;
  }
  const currency = root.text('cbc:DocumentCurrencyCode');
  for (const total of root.children('cac:TaxTotal'))
    if (isOwnTotal(total, currency)) {
      totals['tax'] = total.text('cbc:TaxAmount');
      totals['taxes'] = total.children('cac:TaxSubtotal').map(taxOf);
    } else totals['tax_in_tax_currency'] = total.text('cbc:TaxAmount');
  return { ...(isTree(data['totals']) ? data['totals'] : {}), ...totals };
}

function taxOf(subtotal: DataNode): Tree {
  const category = subtotal.child('cac:TaxCategory');
  const reason = category?.text('cbc:TaxExemptionReason');
  const code = category?.text('cbc:TaxExemptionReasonCode');
  return {
    vat: {
      ...vatOf(category),
      ...(reason !== undefined && { reason }),
      ...(code !== undefined && { reason_code: code }),
    },
    net: subtotal.text('cbc:TaxableAmount'),
    tax: subtotal.text('cbc:TaxAmount'),
  };
}
