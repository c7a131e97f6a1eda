import { isCode } from '../data/codes.ts';
import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import { isOwnTotal } from '../totals/own-total.ts';
import { allowanceSums, decimalAt } from '../totals/sums.ts';
import { taxOf } from '../totals/tax.ts';
import {
  missing,
  missingCategory,
  rejected,
  rejectedAs,
  type InvoiceView,
  type Rule,
  type Select,
} from './rule.ts';
import {
  allowances,
  below,
  breakdown,
  buyer,
  charges,
  lineAllowances,
  lineCharges,
  lines,
  root,
  seller,
  totals,
} from './select.ts';

const TOTALS = 'cac:LegalMonetaryTotal';
const REASON = ['cbc:AllowanceChargeReason', 'cbc:AllowanceChargeReasonCode'] as const;
const zero = Decimal.zero;
const TOLERANCE = Decimal.of('1');
const CENT = Decimal.of('0.01');

const total = (invoice: InvoiceView, name: string) => decimalAt(invoice.totals, name);
const orZero = (number: Decimal | undefined) => number ?? zero;

/** Tells whether two amounts are both present and differ after rounding to two decimals. */
export function differs(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && !left.rounded().equals(right.rounded());
}

/**
 * Tells whether an amount differs from a sum. The profile EXTENDED tolerates 0.01 for each of the `count`
 * rounded amounts in the sum (BR-FXEXT-CO-10 to CO-15, BR-FXEXT-S-08).
 */
export function differsFromSum(
  { profile }: InvoiceView,
  { amount, sum, count }: { amount: Decimal | undefined; sum: Decimal | undefined; count: number },
): boolean {
  if (profile !== 'extended' || !amount || !sum) return differs(amount, sum);
  return amount.minus(sum.rounded()).absolute.minus(CENT.times(Decimal.of(String(count)))).isPositive;
}

/**
 * Tells whether two amounts are both present and differ by 1 or more. The official Schematron of EN 16931
 * tolerates smaller differences.
 */
export function differsByOne(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && !left.minus(right).absolute.minus(TOLERANCE).isNegative;
}

/** Counts the lines, allowances and charges. */
function partsOf({ lines: all, allowances: less, charges: more }: InvoiceView): number {
  return all.length + less.length + more.length;
}

/** Returns the VAT total in the currency of the invoice. */
function ownTaxTotal(invoice: InvoiceView): DataNode | undefined {
  return invoice.root.children('cac:TaxTotal').find((node) => isOwnTotal(node, invoice.currency));
}

const hasVatIdentifier = (node: DataNode) =>
  node.text('cbc:CompanyID') !== undefined && node.text('cac:TaxScheme/cbc:ID') === 'VAT';

const isWithoutDates: Parameters<typeof rejected>[2] = (period) =>
  period.text('cbc:StartDate') === undefined && period.text('cbc:EndDate') === undefined;

/** Chooses the VAT registrations of the seller, the buyer and the tax representative. */
const vatRegistrations: Select = (invoice) =>
  [
    below(seller, 'cac:PartyTaxScheme'),
    below(buyer, 'cac:PartyTaxScheme'),
    below(root, 'cac:TaxRepresentativeParty/cac:PartyTaxScheme'),
  ]
    .flatMap((select) => select(invoice))
    .filter((node) => node?.text('cac:TaxScheme/cbc:ID') === 'VAT');

/**
 * Rules about combinations of terms: BR-CO-03 to BR-CO-26 (EN 16931-1, 6.4.2). BR-CO-05 to BR-CO-08 are
 * absent because a program cannot tell whether a text and a code mean the same.
 */
export const COMBINATION_RULES: readonly Rule[] = [
  {
    id: 'BR-CO-03',
    message: 'The tax point date (BT-7) and its code (BT-8) must not both be present',
    faults: rejectedAs(
      'cbc:TaxPointDate',
      (invoice) =>
        invoice.root.text('cbc:TaxPointDate') !== undefined &&
        invoice.root.text('cac:InvoicePeriod/cbc:DescriptionCode') !== undefined,
    ),
  },
  {
    id: 'BR-CO-04',
    message: 'Each line must have a VAT category code (BT-151)',
    faults: missingCategory(lines, 'cac:Item/cac:ClassifiedTaxCategory'),
  },
  {
    id: 'BR-CO-09',
    message: 'A VAT identifier (BT-31, BT-48, BT-63) must begin with a country code, or EL for Greece',
    faults: rejected(vatRegistrations, 'cbc:CompanyID', (node) => {
      const prefix = (node.text('cbc:CompanyID') ?? '').slice(0, 2);
      return node.text('cbc:CompanyID') !== undefined && prefix !== 'EL' && !isCode('country', prefix);
    }),
  },
  {
    id: 'BR-CO-10',
    message:
      'The sum of the line net amounts (BT-106) must equal the sum of the net amounts of all lines (BT-131)',
    faults: rejectedAs(`${TOTALS}/cbc:LineExtensionAmount`, (invoice) => {
      const sum = Decimal.sum(
        invoice.lines.map((line) => orZero(decimalAt(line, 'cbc:LineExtensionAmount'))),
      );
      const amount = total(invoice, 'cbc:LineExtensionAmount');
      return invoice.hasLines && differsFromSum(invoice, { amount, sum, count: invoice.lines.length });
    }),
  },
  {
    id: 'BR-CO-11',
    message: 'The sum of allowances (BT-107) must equal the sum of all document level allowances (BT-92)',
    faults: rejectedAs(`${TOTALS}/cbc:AllowanceTotalAmount`, (invoice) =>
      differsFromSum(invoice, {
        amount: orZero(total(invoice, 'cbc:AllowanceTotalAmount')),
        sum: allowanceSums(invoice.allowances).allowances,
        count: invoice.allowances.length,
      }),
    ),
  },
  {
    id: 'BR-CO-12',
    message: 'The sum of charges (BT-108) must equal the sum of all document level charges (BT-99)',
    faults: rejectedAs(`${TOTALS}/cbc:ChargeTotalAmount`, (invoice) =>
      differsFromSum(invoice, {
        amount: orZero(total(invoice, 'cbc:ChargeTotalAmount')),
        sum: allowanceSums(invoice.charges).charges,
        count: invoice.charges.length,
      }),
    ),
  },
  {
    id: 'BR-CO-13',
    from: 1,
    message:
      'The total without VAT (BT-109) must equal the sum of the line net amounts (BT-106) minus allowances (BT-107) plus charges (BT-108)',
    faults: rejectedAs(`${TOTALS}/cbc:TaxExclusiveAmount`, (invoice) =>
      differsFromSum(invoice, {
        amount: total(invoice, 'cbc:TaxExclusiveAmount'),
        sum: total(invoice, 'cbc:LineExtensionAmount')
          ?.minus(orZero(total(invoice, 'cbc:AllowanceTotalAmount')))
          .plus(orZero(total(invoice, 'cbc:ChargeTotalAmount'))),
        count: partsOf(invoice),
      }),
    ),
  },
  {
    id: 'BR-CO-14',
    message: 'The VAT total (BT-110) must equal the sum of the tax amounts of the VAT breakdown (BT-117)',
    faults: (invoice) => {
      const own = ownTaxTotal(invoice);
      const subtotals = own?.children('cac:TaxSubtotal') ?? [];
      const sum = Decimal.sum(subtotals.map((node) => orZero(decimalAt(node, 'cbc:TaxAmount'))));
      return own && subtotals.length > 0 && differs(decimalAt(own, 'cbc:TaxAmount'), sum)
        ? [own.pathOf('cbc:TaxAmount')]
        : [];
    },
  },
  {
    id: 'BR-CO-15',
    message:
      'The total with VAT (BT-112) must equal the total without VAT (BT-109) plus the VAT total (BT-110)',
    faults: rejectedAs(`${TOTALS}/cbc:TaxInclusiveAmount`, (invoice) => {
      const own = ownTaxTotal(invoice);
      const tax = own ? orZero(decimalAt(own, 'cbc:TaxAmount')) : zero;
      return differsFromSum(invoice, {
        amount: total(invoice, 'cbc:TaxInclusiveAmount'),
        sum: total(invoice, 'cbc:TaxExclusiveAmount')?.plus(tax),
        count: partsOf(invoice),
      });
    }),
  },
  {
    id: 'BR-CO-16',
    from: 1,
    message:
      'The amount due (BT-115) must equal the total with VAT (BT-112) minus the paid amount (BT-113) plus the rounding amount (BT-114)',
    faults: rejectedAs(`${TOTALS}/cbc:PayableAmount`, (invoice) =>
      differs(
        total(invoice, 'cbc:PayableAmount'),
        total(invoice, 'cbc:TaxInclusiveAmount')
          ?.minus(orZero(total(invoice, 'cbc:PrepaidAmount')))
          .plus(orZero(total(invoice, 'cbc:PayableRoundingAmount')))
          .plus(invoice.adjustment),
      ),
    ),
  },
  {
    id: 'BR-CO-17',
    message:
      'The tax amount (BT-117) must equal the taxable amount (BT-116) times the rate (BT-119), rounded',
    faults: rejected(breakdown, 'cbc:TaxAmount', (node) => {
      const taxable = decimalAt(node, 'cbc:TaxableAmount');
      return differsByOne(decimalAt(node, 'cbc:TaxAmount'), taxable && taxOf(taxable, node));
    }),
  },
  {
    id: 'BR-CO-18',
    from: 1,
    message: 'An invoice must have at least one VAT breakdown (BG-23)',
    faults: rejectedAs('cac:TaxTotal', (invoice) => invoice.breakdown.length === 0),
  },
  {
    id: 'BR-CO-19',
    message: 'An invoicing period (BG-14) must have a start date (BT-73) or an end date (BT-74)',
    faults: rejected(
      below(root, 'cac:InvoicePeriod'),
      'cbc:StartDate',
      (period, invoice) =>
        isWithoutDates(period, invoice) && period.text('cbc:DescriptionCode') === undefined,
    ),
  },
  {
    id: 'BR-CO-20',
    message: 'The period of a line (BG-26) must have a start date (BT-134) or an end date (BT-135)',
    faults: rejected(below(lines, 'cac:InvoicePeriod'), 'cbc:StartDate', isWithoutDates),
  },
  {
    id: 'BR-CO-21',
    message:
      'Each document level allowance (BG-20) must have a reason (BT-97), a reason code (BT-98), or both',
    faults: missing(allowances, ...REASON),
  },
  {
    id: 'BR-CO-22',
    message:
      'Each document level charge (BG-21) must have a reason (BT-104), a reason code (BT-105), or both',
    faults: missing(charges, ...REASON),
  },
  {
    id: 'BR-CO-23',
    message: 'Each line allowance (BG-27) must have a reason (BT-139), a reason code (BT-140), or both',
    faults: missing(lineAllowances, ...REASON),
  },
  {
    id: 'BR-CO-24',
    message: 'Each line charge (BG-28) must have a reason (BT-144), a reason code (BT-145), or both',
    faults: missing(lineCharges, ...REASON),
  },
  {
    id: 'BR-CO-25',
    from: 1,
    message:
      'With a positive amount due (BT-115), an invoice must have a due date (BT-9) or payment terms (BT-20)',
    faults: rejectedAs(
      'cbc:DueDate',
      (invoice) =>
        total(invoice, 'cbc:PayableAmount')?.isPositive === true &&
        invoice.root.text('cbc:DueDate') === undefined &&
        invoice.root.text('cac:PaymentTerms/cbc:Note') === undefined,
    ),
  },
  {
    id: 'BR-CO-26',
    message:
      'A seller must have an identifier (BT-29), a legal registration identifier (BT-30) or a VAT identifier (BT-31)',
    faults: rejected(
      seller,
      'cac:PartyTaxScheme',
      (party) =>
        party.text('cac:PartyIdentification/cbc:ID') === undefined &&
        party.text('cac:PartyLegalEntity/cbc:CompanyID') === undefined &&
        !party.children('cac:PartyTaxScheme').some(hasVatIdentifier),
    ),
  },
];

/** The amounts that must have at most two decimals. */
const DECIMALS: readonly (readonly [number: string, term: string, select: Select, path: string])[] = [
  ['01', 'BT-92', allowances, 'cbc:Amount'],
  ['02', 'BT-93', allowances, 'cbc:BaseAmount'],
  ['05', 'BT-99', charges, 'cbc:Amount'],
  ['06', 'BT-100', charges, 'cbc:BaseAmount'],
  ['09', 'BT-106', totals, 'cbc:LineExtensionAmount'],
  ['10', 'BT-107', totals, 'cbc:AllowanceTotalAmount'],
  ['11', 'BT-108', totals, 'cbc:ChargeTotalAmount'],
  ['12', 'BT-109', totals, 'cbc:TaxExclusiveAmount'],
  ['13', 'BT-110', (invoice) => [ownTaxTotal(invoice)], 'cbc:TaxAmount'],
  ['14', 'BT-112', totals, 'cbc:TaxInclusiveAmount'],
  [
    '15',
    'BT-111',
    (invoice) =>
      invoice.root.children('cac:TaxTotal').filter(({ path }) => path !== ownTaxTotal(invoice)?.path),
    'cbc:TaxAmount',
  ],
  ['16', 'BT-113', totals, 'cbc:PrepaidAmount'],
  ['17', 'BT-114', totals, 'cbc:PayableRoundingAmount'],
  ['18', 'BT-115', totals, 'cbc:PayableAmount'],
  ['19', 'BT-116', breakdown, 'cbc:TaxableAmount'],
  ['20', 'BT-117', breakdown, 'cbc:TaxAmount'],
  ['23', 'BT-131', lines, 'cbc:LineExtensionAmount'],
  ['24', 'BT-136', lineAllowances, 'cbc:Amount'],
  ['25', 'BT-137', lineAllowances, 'cbc:BaseAmount'],
  ['27', 'BT-141', lineCharges, 'cbc:Amount'],
  ['28', 'BT-142', lineCharges, 'cbc:BaseAmount'],
];

/** Rules about the decimals of amounts: BR-DEC-01 to BR-DEC-28. */
export const DECIMAL_RULES: readonly Rule[] = DECIMALS.map(([number, term, select, path]) => ({
  id: `BR-DEC-${number}`,
  message: `The amount ${term} must have at most two decimals`,
  faults: rejected(select, path, (node) => /\.[0-9]{3}/.test(node.text(path) ?? '')),
}));
