import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import { lineAmount } from '../totals/complete.ts';
import { isOwnTotal } from '../totals/own-total.ts';
import { decimalAt } from '../totals/sums.ts';
import { missing, rejected, rejectedAs, type InvoiceView, type Rule, type Select } from './rule.ts';
import {
  allowances,
  below,
  buyer,
  charges,
  hasPaymentCode,
  lineAllowances,
  lineCharges,
  lines,
  payments,
  seller,
} from './select.ts';

const prices = below(lines, 'cac:Price');
const allAllowances: Select = (invoice) =>
  [allowances, charges, lineAllowances, lineCharges].flatMap((select) => select(invoice));

const DIRECT_DEBIT: ReadonlySet<string> = new Set(['49', '59']);
const ROUNDING = Decimal.of('0.02');
const HUNDRED = Decimal.of('100');

/** Tells whether two amounts are both present and differ by more than 0.02. */
function differsBeyondRounding(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && left.minus(right).absolute.minus(ROUNDING).isPositive;
}

/** Tells whether the start or end date of a line is outside the invoicing period. */
function isOutside(line: DataNode, invoice: InvoiceView, name: 'cbc:StartDate' | 'cbc:EndDate'): boolean {
  const lineDate = line.text(`cac:InvoicePeriod/${name}`);
  const invoiceDate = invoice.root.text(`cac:InvoicePeriod/${name}`);
  if (lineDate === undefined || invoiceDate === undefined) return false;
  return name === 'cbc:StartDate' ? lineDate < invoiceDate : lineDate > invoiceDate;
}

/**
 * The rules of Peppol BIS Billing 3 that XRechnung 3.0 adopts, except R001, R008 and R043: the writer of the
 * XML always satisfies them.
 */
export const PEPPOL_RULES: readonly Rule[] = [
  {
    id: 'PEPPOL-EN16931-R005',
    message: 'The VAT accounting currency (BT-6) must differ from the currency of the invoice (BT-5)',
    faults: rejectedAs(
      'cbc:TaxCurrencyCode',
      (invoice) =>
        invoice.currency !== undefined && invoice.root.text('cbc:TaxCurrencyCode') === invoice.currency,
    ),
  },
  {
    id: 'PEPPOL-EN16931-R010',
    message: 'A buyer must have an electronic address (BT-49)',
    faults: missing(buyer, 'cbc:EndpointID'),
  },
  {
    id: 'PEPPOL-EN16931-R020',
    message: 'A seller must have an electronic address (BT-34)',
    faults: missing(seller, 'cbc:EndpointID'),
  },
  {
    id: 'PEPPOL-EN16931-R040',
    message: 'The amount of an allowance or charge must equal its base amount times its percentage',
    faults: rejected(allAllowances, 'cbc:Amount', (node) => {
      const base = decimalAt(node, 'cbc:BaseAmount');
      const percent = decimalAt(node, 'cbc:MultiplierFactorNumeric');
      const computed = base && percent && base.times(percent).dividedBy(HUNDRED, 8);
      return differsBeyondRounding(decimalAt(node, 'cbc:Amount'), computed);
    }),
  },
  {
    id: 'PEPPOL-EN16931-R041',
    message: 'An allowance or charge with a percentage must have a base amount',
    faults: rejected(
      allAllowances,
      'cbc:BaseAmount',
      hasOnly('cbc:MultiplierFactorNumeric', 'cbc:BaseAmount'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R042',
    message: 'An allowance or charge with a base amount must have a percentage',
    faults: rejected(
      allAllowances,
      'cbc:MultiplierFactorNumeric',
      hasOnly('cbc:BaseAmount', 'cbc:MultiplierFactorNumeric'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R044',
    message: 'A price may have a discount (BT-147) but must not have a charge',
    faults: rejected(
      prices,
      'cac:AllowanceCharge/cbc:ChargeIndicator',
      (price) => price.text('cac:AllowanceCharge/cbc:ChargeIndicator') === 'true',
    ),
  },
  {
    id: 'PEPPOL-EN16931-R046',
    message:
      'The net price of an item (BT-146) must equal its gross price (BT-148) minus the discount (BT-147)',
    faults: rejected(prices, 'cbc:PriceAmount', (price) => {
      const gross = decimalAt(price, 'cac:AllowanceCharge/cbc:BaseAmount');
      const discount = decimalAt(price, 'cac:AllowanceCharge/cbc:Amount') ?? Decimal.zero;
      return (
        gross !== undefined && decimalAt(price, 'cbc:PriceAmount')?.equals(gross.minus(discount)) === false
      );
    }),
  },
  {
    id: 'PEPPOL-EN16931-R053',
    message: 'An invoice must have at most one VAT total in its currency (BT-110)',
    faults: (invoice) =>
      taxTotals(invoice, true)
        .slice(1)
        .map(({ path }) => path),
  },
  {
    id: 'PEPPOL-EN16931-R054',
    message:
      'An invoice must have exactly one VAT total in another currency (BT-111) if it has a VAT accounting currency (BT-6), and otherwise none',
    faults: (invoice) => {
      const others = taxTotals(invoice, false);
      if (invoice.root.text('cbc:TaxCurrencyCode') === undefined) return others.map(({ path }) => path);
      return others.length === 0
        ? [invoice.root.pathOf('cac:TaxTotal')]
        : others.slice(1).map(({ path }) => path);
    },
  },
  {
    id: 'PEPPOL-EN16931-R055',
    message: 'The VAT totals in both currencies (BT-110, BT-111) must have the same sign',
    faults: (invoice) => {
      const [own] = taxTotals(invoice, true);
      const tax = own && decimalAt(own, 'cbc:TaxAmount');
      return taxTotals(invoice, false)
        .filter((other) => tax && decimalAt(other, 'cbc:TaxAmount')?.isNegative === !tax.isNegative)
        .map((other) => other.pathOf('cbc:TaxAmount'));
    },
  },
  {
    id: 'PEPPOL-EN16931-R061',
    message: 'A direct debit (BT-81 is 49 or 59) must have a mandate reference (BT-89)',
    faults: rejected(
      payments,
      'cac:PaymentMandate/cbc:ID',
      (means) => hasPaymentCode(means, DIRECT_DEBIT) && means.text('cac:PaymentMandate/cbc:ID') === undefined,
    ),
  },
  {
    id: 'PEPPOL-EN16931-R101',
    message: 'The object of a line (BT-128) must have the document type code 130',
    faults: rejected(
      below(lines, 'cac:DocumentReference'),
      'cbc:DocumentTypeCode',
      (object) => object.text('cbc:DocumentTypeCode') !== '130',
    ),
  },
  {
    id: 'PEPPOL-EN16931-R110',
    message: 'The period of a line must not start before the invoicing period',
    faults: rejected(lines, 'cac:InvoicePeriod/cbc:StartDate', (line, invoice) =>
      isOutside(line, invoice, 'cbc:StartDate'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R111',
    message: 'The period of a line must not end after the invoicing period',
    faults: rejected(lines, 'cac:InvoicePeriod/cbc:EndDate', (line, invoice) =>
      isOutside(line, invoice, 'cbc:EndDate'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R120',
    message:
      'The net amount of a line must equal its quantity times its net price, minus allowances, plus charges',
    faults: rejected(lines, 'cbc:LineExtensionAmount', (line) =>
      differsBeyondRounding(decimalAt(line, 'cbc:LineExtensionAmount'), lineAmount(line)),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R121',
    message: 'A base quantity must be greater than 0',
    faults: rejected(
      lines,
      'cac:Price/cbc:BaseQuantity',
      (line) => decimalAt(line, 'cac:Price/cbc:BaseQuantity')?.isPositive === false,
    ),
  },
  {
    id: 'PEPPOL-EN16931-R130',
    message: 'The unit of the base quantity must be the unit of the invoiced quantity',
    faults: rejected(lines, 'cac:Price/cbc:BaseQuantity@unitCode', (line) => {
      const unit = line.text('cac:Price/cbc:BaseQuantity@unitCode');
      return unit !== undefined && unit !== line.text('cbc:InvoicedQuantity@unitCode');
    }),
  },
];

/** Returns the VAT totals in the currency of the invoice, or the VAT totals in other currencies. */
function taxTotals(invoice: InvoiceView, isOwn: boolean): DataNode[] {
  return invoice.root
    .children('cac:TaxTotal')
    .filter((total) => isOwnTotal(total, invoice.currency) === isOwn);
}

function hasOnly(path: string, other: string): Parameters<typeof rejected>[2] {
  return (node) => node.text(path) !== undefined && node.text(other) === undefined;
}
