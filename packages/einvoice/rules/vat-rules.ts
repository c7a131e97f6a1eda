import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import { decimalAt } from '../totals/sums.ts';
import { bucketKey, taxedParts } from '../totals/tax-buckets.ts';
import { taxOf } from '../totals/tax.ts';
import { differsByOne, differsFromSum } from './amount-rules.ts';
import { rejectedAs, type InvoiceView, type Rule } from './rule.ts';

/** A VAT category (UNTDID 5305) and its rules. */
interface Category {
  code: string;
  /** The middle part of the identifiers of its rules, such as `IC` in `BR-IC-01`. */
  prefix: string;
  name: string;
  /** The rate of lines, allowances and charges. */
  rate: 'positive' | 'zero' | 'any' | 'none';
  /** The identifiers that seller and buyer must have, or with `no-vat` must not have. */
  identifiers: 'seller' | 'seller-vat' | 'seller-buyer' | 'seller-buyer-vat' | 'no-vat';
  /** Whether the VAT breakdown must have an exemption reason; if false, it must not have one. */
  reason: boolean;
}

const CATEGORIES: readonly Category[] = [
  { code: 'S', prefix: 'S', name: 'Standard rated', rate: 'positive', identifiers: 'seller', reason: false },
  { code: 'Z', prefix: 'Z', name: 'Zero rated', rate: 'zero', identifiers: 'seller', reason: false },
  { code: 'E', prefix: 'E', name: 'Exempt from VAT', rate: 'zero', identifiers: 'seller', reason: true },
  {
    code: 'AE',
    prefix: 'AE',
    name: 'Reverse charge',
    rate: 'zero',
    identifiers: 'seller-buyer',
    reason: true,
  },
  {
    code: 'K',
    prefix: 'IC',
    name: 'Intra-community supply',
    rate: 'zero',
    identifiers: 'seller-buyer-vat',
    reason: true,
  },
  {
    code: 'G',
    prefix: 'G',
    name: 'Export outside the EU',
    rate: 'zero',
    identifiers: 'seller-vat',
    reason: true,
  },
  { code: 'O', prefix: 'O', name: 'Not subject to VAT', rate: 'none', identifiers: 'no-vat', reason: true },
  { code: 'L', prefix: 'AF', name: 'IGIC', rate: 'any', identifiers: 'seller', reason: false },
  { code: 'M', prefix: 'AG', name: 'IPSI', rate: 'any', identifiers: 'seller', reason: false },
];

/**
 * The groups that have a VAT category, with the number of the rule about their identifiers and the path of
 * the category.
 */
const USES = [
  {
    number: 2,
    noun: 'a line',
    select: ({ lines }: InvoiceView) => lines,
    path: 'cac:Item/cac:ClassifiedTaxCategory',
  },
  {
    number: 3,
    noun: 'a document level allowance',
    select: ({ allowances }: InvoiceView) => allowances,
    path: 'cac:TaxCategory',
  },
  {
    number: 4,
    noun: 'a document level charge',
    select: ({ charges }: InvoiceView) => charges,
    path: 'cac:TaxCategory',
  },
] as const;

const CATEGORY = 'cac:TaxCategory';
const REASON_CODE = `${CATEGORY}/cbc:TaxExemptionReasonCode`;
const REASON_TEXT = `${CATEGORY}/cbc:TaxExemptionReason`;

const categoryOf = (node: DataNode, path: string = CATEGORY) => node.text(`${path}/cbc:ID`);
const isOf =
  ({ code }: Category, path: string = CATEGORY) =>
  (node: DataNode) =>
    categoryOf(node, path) === code;

const IDENTIFIER_PHRASES: Readonly<Record<Category['identifiers'], string>> = {
  seller:
    'a VAT identifier (BT-31) or tax registration (BT-32) of the seller, or a VAT identifier of its tax representative (BT-63)',
  'seller-vat': 'a VAT identifier of the seller (BT-31) or its tax representative (BT-63)',
  'seller-buyer':
    'a VAT identifier (BT-31) or tax registration (BT-32) of the seller or a VAT identifier of its tax representative (BT-63), and a VAT identifier (BT-48) or legal registration (BT-47) of the buyer',
  'seller-buyer-vat':
    'a VAT identifier of the seller (BT-31) or its tax representative (BT-63), and a VAT identifier of the buyer (BT-48)',
  'no-vat': 'no VAT identifiers of seller (BT-31), tax representative (BT-63) and buyer (BT-48)',
};

const RATE_PHRASES: Readonly<Record<Category['rate'], string>> = {
  positive: 'must be greater than 0',
  zero: 'must be 0',
  any: 'must be 0 or greater',
  none: 'must be absent',
};

/**
 * Rules about VAT categories (EN 16931-1, 6.4.3): BR-S, BR-Z, BR-E, BR-AE, BR-IC, BR-G, BR-O, BR-AF, BR-AG
 * and BR-B.
 */
export const VAT_RULES: readonly Rule[] = [
  ...CATEGORIES.flatMap(rulesOf),
  {
    id: 'BR-IC-11',
    message: 'An intra-community supply must have a delivery date (BT-72) or an invoicing period (BG-14)',
    from: 1,
    faults: rejectedAs(
      'cac:Delivery/cbc:ActualDeliveryDate',
      (invoice) =>
        hasBreakdown(invoice, 'K') &&
        invoice.root.text('cac:Delivery/cbc:ActualDeliveryDate') === undefined &&
        !invoice.root.child('cac:InvoicePeriod'),
    ),
  },
  {
    id: 'BR-IC-12',
    message: 'An intra-community supply must have a deliver-to country (BT-80)',
    from: 1,
    faults: rejectedAs(
      'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode',
      (invoice) =>
        hasBreakdown(invoice, 'K') &&
        invoice.root.text(
          'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode',
        ) === undefined,
    ),
  },
  {
    id: 'BR-O-11',
    message: 'An invoice that is not subject to VAT must not have a VAT breakdown of another category',
    faults: (invoice) =>
      hasBreakdown(invoice, 'O')
        ? invoice.breakdown.filter((node) => categoryOf(node) !== 'O').map(({ path }) => path)
        : [],
  },
  ...USES.map(({ number, noun, select, path }): Rule => ({
    id: `BR-O-${10 + number}`,
    message: `An invoice that is not subject to VAT must not have ${noun} of another category`,
    faults: (invoice) =>
      hasBreakdown(invoice, 'O')
        ? select(invoice)
            .filter((node) => ![undefined, 'O'].includes(categoryOf(node, path)))
            .map((node) => node.pathOf(`${path}/cbc:ID`))
        : [],
  })),
  {
    id: 'BR-B-01',
    message: 'An invoice with split payment (category B) must have a seller and a buyer in Italy',
    faults: rejectedAs(
      'cac:TaxTotal',
      (invoice) =>
        usesCategory(invoice, 'B') &&
        [invoice.seller, invoice.buyer].some(
          (party) => party.text('cac:PostalAddress/cac:Country/cbc:IdentificationCode') !== 'IT',
        ),
    ),
  },
  {
    id: 'BR-B-02',
    message: 'An invoice with split payment (category B) must not have the category S',
    faults: rejectedAs('cac:TaxTotal', (invoice) => usesCategory(invoice, 'B') && usesCategory(invoice, 'S')),
  },
];

function hasBreakdown({ breakdown }: InvoiceView, code: string): boolean {
  return breakdown.some((node) => categoryOf(node) === code);
}

function usesCategory(invoice: InvoiceView, code: string): boolean {
  return (
    hasBreakdown(invoice, code) ||
    USES.some(({ select, path }) => select(invoice).some((node) => categoryOf(node, path) === code))
  );
}

function rulesOf(category: Category): Rule[] {
  const { prefix, name } = category;
  const id = (number: number) => `BR-${prefix}-${String(number).padStart(2, '0')}`;
  return [
    {
      id: id(1),
      from: 1,
      message: hasSeveralRates(category)
        ? `An invoice must have at least one VAT breakdown of the category "${name}" if it uses that category, and otherwise none`
        : `An invoice must have exactly one VAT breakdown of the category "${name}" if it uses that category, and otherwise none`,
      faults: breakdownFaults(category),
    },
    ...USES.flatMap(({ number, noun, select, path }): Rule[] => [
      {
        id: id(number),
        message: `An invoice with ${noun} of the category "${name}" must have ${IDENTIFIER_PHRASES[category.identifiers]}`,
        faults: (invoice) =>
          select(invoice).some(isOf(category, path)) ? identifierFaults(category, invoice) : [],
      },
      {
        id: id(number + 3),
        message: `The VAT rate of ${noun} of the category "${name}" ${RATE_PHRASES[category.rate]}`,
        faults: (invoice) =>
          select(invoice)
            .filter(isOf(category, path))
            .filter((node) => isWrongRate(category, node.text(`${path}/cbc:Percent`)))
            .map((node) => node.pathOf(`${path}/cbc:Percent`)),
      },
    ]),
    {
      id: id(8),
      message: `The taxable amount (BT-116) of the category "${name}" must equal its line net amounts minus allowances plus charges${hasSeveralRates(category) ? ', for each rate' : ''}`,
      faults: (invoice) =>
        invoice.hasLines
          ? invoice.breakdown
              .filter(isOf(category))
              .filter((node) => isWrongBasis(category, node, invoice))
              .map((node) => node.pathOf('cbc:TaxableAmount'))
          : [],
    },
    {
      id: id(9),
      message: hasSeveralRates(category)
        ? `The tax amount (BT-117) of the category "${name}" must equal its taxable amount times its rate`
        : `The tax amount (BT-117) of the category "${name}" must be 0`,
      faults: (invoice) =>
        invoice.breakdown
          .filter(isOf(category))
          .filter((node) => isWrongTax(category, node))
          .map((node) => node.pathOf('cbc:TaxAmount')),
    },
    {
      id: id(10),
      message: category.reason
        ? `A VAT breakdown of the category "${name}" must have an exemption reason (BT-120) or its code (BT-121)`
        : `A VAT breakdown of the category "${name}" must not have an exemption reason (BT-120, BT-121)`,
      faults: (invoice) =>
        invoice.breakdown
          .filter(isOf(category))
          .filter((node) => hasReason(node) !== category.reason)
          .map((node) => node.pathOf(REASON_TEXT)),
    },
  ];
}

function hasSeveralRates({ rate }: Category): boolean {
  return rate === 'positive' || rate === 'any';
}

function hasReason(node: DataNode): boolean {
  return node.text(REASON_CODE) !== undefined || node.text(REASON_TEXT) !== undefined;
}

function breakdownFaults(category: Category): Rule['faults'] {
  return (invoice) => {
    const count = invoice.breakdown.filter(isOf(category)).length;
    const isUsed = USES.some(({ select, path }) => select(invoice).some(isOf(category, path)));
    const isWrong = isUsed
      ? count === 0 || (count > 1 && !hasSeveralRates(category) && invoice.profile !== 'extended')
      : count > 0 && invoice.hasLines;
    return isWrong ? [invoice.root.pathOf('cac:TaxTotal')] : [];
  };
}

function identifierFaults({ identifiers }: Category, { root, seller, buyer }: InvoiceView): string[] {
  const registrations = seller.children('cac:PartyTaxScheme').filter((node) => node.text('cbc:CompanyID'));
  const sellerVat = registrations.some((node) => node.text('cac:TaxScheme/cbc:ID') === 'VAT');
  const representativeVat =
    root.text('cac:TaxRepresentativeParty/cac:PartyTaxScheme/cbc:CompanyID') !== undefined;
  const buyerVat = buyer.text('cac:PartyTaxScheme/cbc:CompanyID') !== undefined;
  const buyerLegal = buyer.text('cac:PartyLegalEntity/cbc:CompanyID') !== undefined;
  const sellerPath = seller.pathOf('cac:PartyTaxScheme');
  const buyerPath = buyer.pathOf('cac:PartyTaxScheme');
  if (identifiers === 'no-vat')
    return [
      ...(sellerVat ? [sellerPath] : []),
      ...(representativeVat ? [root.pathOf('cac:TaxRepresentativeParty/cac:PartyTaxScheme')] : []),
      ...(buyerVat ? [buyerPath] : []),
    ];
  const acceptsRegistration = identifiers === 'seller' || identifiers === 'seller-buyer';
  const sellerFits = representativeVat || sellerVat || (acceptsRegistration && registrations.length > 0);
  const buyerFits =
    identifiers === 'seller-buyer'
      ? buyerVat || buyerLegal
      : identifiers === 'seller-buyer-vat'
        ? buyerVat
        : true;
  return [...(sellerFits ? [] : [sellerPath]), ...(buyerFits ? [] : [buyerPath])];
}

function isWrongRate({ rate }: Category, text: string | undefined): boolean {
  if (rate === 'none') return text !== undefined;
  const number = Decimal.parse(text ?? '');
  if (!number) return true;
  if (rate === 'positive') return !number.isPositive;
  return rate === 'zero' ? !number.isZero : number.isNegative;
}

function isWrongBasis(category: Category, node: DataNode, invoice: InvoiceView): boolean {
  const { sums } = invoice;
  const taxable = decimalAt(node, 'cbc:TaxableAmount');
  const key = bucketKey(category.code, node.text(`${CATEGORY}/cbc:Percent`));
  const { sum = Decimal.zero, count = 0 } = sums.get(key) ?? {};
  if (!differsFromSum(invoice, { amount: taxable, sum, count })) return false;
  return (
    invoice.profile !== 'extended' ||
    differsFromSum(invoice, { amount: taxable, ...sumOfReason(node, invoice) })
  );
}

/**
 * Adds up the parts with the category, rate and exemption reason of a VAT breakdown, as the profile EXTENDED
 * allows (BR-FXEXT-E-08).
 */
function sumOfReason(node: DataNode, { root }: InvoiceView): { sum: Decimal; count: number } {
  const wanted = node.child(CATEGORY);
  const isSame = (part: DataNode | undefined) =>
    ['cbc:TaxExemptionReason', 'cbc:TaxExemptionReasonCode'].every(
      (name) => part?.text(name) === wanted?.text(name),
    ) && keyOf(part) === keyOf(wanted);
  const amounts = taxedParts(root)
    .filter(({ node: part, path }) => isSame(part.child(path)))
    .map(({ amount }) => amount ?? Decimal.zero);
  return { sum: Decimal.sum(amounts), count: amounts.length };
}

function keyOf(category: DataNode | undefined): string {
  return bucketKey(category?.text('cbc:ID') ?? '', category?.text('cbc:Percent'));
}

function isWrongTax(category: Category, node: DataNode): boolean {
  const tax = decimalAt(node, 'cbc:TaxAmount');
  const taxable = decimalAt(node, 'cbc:TaxableAmount');
  if (!tax) return false;
  return hasSeveralRates(category) ? differsByOne(tax, taxable && taxOf(taxable, node)) : !tax.isZero;
}
