import { Decimal } from '../decimal.ts';
import { decimalAt } from '../totals/sums.ts';
import { missing, missingCategory, missingGroup, rejected, type Rule, type Select } from './rule.ts';
import {
  allowances,
  below,
  breakdown,
  buyer,
  charges,
  CREDIT_TRANSFER,
  hasPaymentCode,
  lineAllowances,
  lineCharges,
  lines,
  payments,
  root,
  seller,
  totals,
} from './select.ts';

const representative: Select = below(root, 'cac:TaxRepresentativeParty');

const REASON = ['cbc:AllowanceChargeReason', 'cbc:AllowanceChargeReasonCode'] as const;
const COUNTRY = 'cac:Country/cbc:IdentificationCode';

const isNegative = (number: Decimal | undefined) => number?.isNegative === true;
const endsBeforeStart: Parameters<typeof rejected>[2] = (period) => {
  const start = period.text('cbc:StartDate');
  const end = period.text('cbc:EndDate');
  return start !== undefined && end !== undefined && end < start;
};

/** Rules about the presence and values of single terms: BR-01 to BR-67 (EN 16931-1, 6.4.1). */
export const CONTENT_RULES: readonly Rule[] = [
  {
    id: 'BR-01',
    message: 'An invoice must have a specification identifier (BT-24)',
    faults: missing(root, 'cbc:CustomizationID'),
  },
  { id: 'BR-02', message: 'An invoice must have a number (BT-1)', faults: missing(root, 'cbc:ID') },
  {
    id: 'BR-03',
    message: 'An invoice must have an issue date (BT-2)',
    faults: missing(root, 'cbc:IssueDate'),
  },
  {
    id: 'BR-04',
    message: 'An invoice must have a type code (BT-3)',
    faults: missing(root, 'cbc:InvoiceTypeCode'),
  },
  {
    id: 'BR-05',
    message: 'An invoice must have a currency code (BT-5)',
    faults: missing(root, 'cbc:DocumentCurrencyCode'),
  },
  {
    id: 'BR-06',
    message: 'An invoice must have the name of the seller (BT-27)',
    faults: missing(seller, 'cac:PartyLegalEntity/cbc:RegistrationName'),
  },
  {
    id: 'BR-07',
    message: 'An invoice must have the name of the buyer (BT-44)',
    faults: missing(buyer, 'cac:PartyLegalEntity/cbc:RegistrationName'),
  },
  {
    id: 'BR-08',
    message: 'An invoice must have the postal address of the seller (BG-5)',
    faults: missingGroup(seller, 'cac:PostalAddress'),
  },
  {
    id: 'BR-09',
    message: 'The address of the seller must have a country code (BT-40)',
    faults: missing(below(seller, 'cac:PostalAddress'), COUNTRY),
  },
  {
    id: 'BR-10',
    from: 1,
    message: 'An invoice must have the postal address of the buyer (BG-8)',
    faults: missingGroup(buyer, 'cac:PostalAddress'),
  },
  {
    id: 'BR-11',
    from: 1,
    message: 'The address of the buyer must have a country code (BT-55)',
    faults: missing(below(buyer, 'cac:PostalAddress'), COUNTRY),
  },
  {
    id: 'BR-12',
    from: 1,
    message: 'An invoice must have the sum of the line net amounts (BT-106)',
    faults: missing(totals, 'cbc:LineExtensionAmount'),
  },
  {
    id: 'BR-13',
    message: 'An invoice must have the total without VAT (BT-109)',
    faults: missing(totals, 'cbc:TaxExclusiveAmount'),
  },
  {
    id: 'BR-14',
    message: 'An invoice must have the total with VAT (BT-112)',
    faults: missing(totals, 'cbc:TaxInclusiveAmount'),
  },
  {
    id: 'BR-15',
    message: 'An invoice must have the amount due for payment (BT-115)',
    faults: missing(totals, 'cbc:PayableAmount'),
  },
  {
    id: 'BR-16',
    from: 2,
    message: 'An invoice must have at least one line (BG-25)',
    faults: missingGroup(root, 'cac:InvoiceLine'),
  },
  {
    id: 'BR-17',
    message: 'A payee (BG-10) must have a name (BT-59)',
    faults: missing(below(root, 'cac:PayeeParty'), 'cac:PartyName/cbc:Name'),
  },
  {
    id: 'BR-18',
    message: 'A tax representative (BG-11) must have a name (BT-62)',
    faults: missing(representative, 'cac:PartyName/cbc:Name'),
  },
  {
    id: 'BR-19',
    message: 'A tax representative (BG-11) must have a postal address (BG-12)',
    faults: missingGroup(representative, 'cac:PostalAddress'),
  },
  {
    id: 'BR-20',
    message: 'The address of a tax representative must have a country code (BT-69)',
    faults: missing(below(representative, 'cac:PostalAddress'), COUNTRY),
  },
  { id: 'BR-21', message: 'Each line must have an identifier (BT-126)', faults: missing(lines, 'cbc:ID') },
  {
    id: 'BR-22',
    message: 'Each line must have a quantity (BT-129)',
    faults: missing(lines, 'cbc:InvoicedQuantity'),
  },
  {
    id: 'BR-23',
    message: 'Each quantity must have a unit of measure (BT-130)',
    faults: missing(lines, 'cbc:InvoicedQuantity@unitCode'),
  },
  {
    id: 'BR-24',
    message: 'Each line must have a net amount (BT-131)',
    faults: missing(lines, 'cbc:LineExtensionAmount'),
  },
  {
    id: 'BR-25',
    message: 'Each line must have the name of the item (BT-153)',
    faults: missing(lines, 'cac:Item/cbc:Name'),
  },
  {
    id: 'BR-26',
    message: 'Each line must have the net price of the item (BT-146)',
    faults: missing(lines, 'cac:Price/cbc:PriceAmount'),
  },
  {
    id: 'BR-27',
    message: 'The net price of an item (BT-146) must not be negative',
    faults: rejected(lines, 'cac:Price/cbc:PriceAmount', (line) =>
      isNegative(decimalAt(line, 'cac:Price/cbc:PriceAmount')),
    ),
  },
  {
    id: 'BR-28',
    message: 'The gross price of an item (BT-148) must not be negative',
    faults: rejected(lines, 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount', (line) =>
      isNegative(decimalAt(line, 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount')),
    ),
  },
  {
    id: 'BR-29',
    message: 'The invoicing period (BG-14) must not end before it starts',
    faults: rejected(below(root, 'cac:InvoicePeriod'), 'cbc:EndDate', endsBeforeStart),
  },
  {
    id: 'BR-30',
    message: 'The period of a line (BG-26) must not end before it starts',
    faults: rejected(below(lines, 'cac:InvoicePeriod'), 'cbc:EndDate', endsBeforeStart),
  },
  {
    id: 'BR-31',
    message: 'Each document level allowance (BG-20) must have an amount (BT-92)',
    faults: missing(allowances, 'cbc:Amount'),
  },
  {
    id: 'BR-32',
    message: 'Each document level allowance (BG-20) must have a VAT category code (BT-95)',
    faults: missingCategory(allowances, 'cac:TaxCategory'),
  },
  {
    id: 'BR-33',
    message: 'Each document level allowance (BG-20) must have a reason (BT-97) or a reason code (BT-98)',
    faults: missing(allowances, ...REASON),
  },
  {
    id: 'BR-36',
    message: 'Each document level charge (BG-21) must have an amount (BT-99)',
    faults: missing(charges, 'cbc:Amount'),
  },
  {
    id: 'BR-37',
    message: 'Each document level charge (BG-21) must have a VAT category code (BT-102)',
    faults: missingCategory(charges, 'cac:TaxCategory'),
  },
  {
    id: 'BR-38',
    message: 'Each document level charge (BG-21) must have a reason (BT-104) or a reason code (BT-105)',
    faults: missing(charges, ...REASON),
  },
  {
    id: 'BR-41',
    message: 'Each line allowance (BG-27) must have an amount (BT-136)',
    faults: missing(lineAllowances, 'cbc:Amount'),
  },
  {
    id: 'BR-42',
    message: 'Each line allowance (BG-27) must have a reason (BT-139) or a reason code (BT-140)',
    faults: missing(lineAllowances, ...REASON),
  },
  {
    id: 'BR-43',
    message: 'Each line charge (BG-28) must have an amount (BT-141)',
    faults: missing(lineCharges, 'cbc:Amount'),
  },
  {
    id: 'BR-44',
    message: 'Each line charge (BG-28) must have a reason (BT-144) or a reason code (BT-145)',
    faults: missing(lineCharges, ...REASON),
  },
  {
    id: 'BR-45',
    message: 'Each VAT breakdown (BG-23) must have a taxable amount (BT-116)',
    faults: missing(breakdown, 'cbc:TaxableAmount'),
  },
  {
    id: 'BR-46',
    message: 'Each VAT breakdown (BG-23) must have a tax amount (BT-117)',
    faults: missing(breakdown, 'cbc:TaxAmount'),
  },
  {
    id: 'BR-47',
    message: 'Each VAT breakdown (BG-23) must have a VAT category code (BT-118)',
    faults: missingCategory(breakdown, 'cac:TaxCategory'),
  },
  {
    id: 'BR-48',
    message:
      'Each VAT breakdown (BG-23) must have a rate (BT-119), except when the invoice is not subject to VAT',
    faults: rejected(
      breakdown,
      'cac:TaxCategory/cbc:Percent',
      (node) =>
        node.text('cac:TaxCategory/cbc:ID') !== 'O' && node.text('cac:TaxCategory/cbc:Percent') === undefined,
    ),
  },
  {
    id: 'BR-49',
    message: 'A payment instruction (BG-16) must have a type code (BT-81)',
    faults: missing(payments, 'cbc:PaymentMeansCode'),
  },
  {
    id: 'BR-50',
    message: 'A credit transfer (BG-17) must have an account identifier (BT-84)',
    faults: missing(below(payments, 'cac:PayeeFinancialAccount'), 'cbc:ID'),
  },
  {
    id: 'BR-51',
    message:
      'The number of a payment card (BT-87) must be its last 4 to 6 digits, written with at most 10 characters',
    faults: rejected(below(payments, 'cac:CardAccount'), 'cbc:PrimaryAccountNumberID', (card) => {
      const { length } = card.text('cbc:PrimaryAccountNumberID') ?? '';
      return length < 4 || length > 10;
    }),
  },
  {
    id: 'BR-52',
    message: 'Each supporting document (BG-24) must have a reference (BT-122)',
    faults: missing(below(root, 'cac:AdditionalDocumentReference'), 'cbc:ID'),
  },
  {
    id: 'BR-53',
    message:
      'With a VAT accounting currency (BT-6), an invoice must have the VAT total in that currency (BT-111); in CII, that currency must not be the one of the invoice (BT-5)',
    faults: ({ root: node, currency: own, syntax }) => {
      const currency = node.text('cbc:TaxCurrencyCode');
      if (currency === undefined) return [];
      if (syntax === 'cii' && currency === own) return [node.pathOf('cbc:TaxCurrencyCode')];
      const isInCurrency = (total: typeof node) => total.text('cbc:TaxAmount@currencyID') === currency;
      return node.children('cac:TaxTotal').some(isInCurrency) ? [] : [node.pathOf('cac:TaxTotal')];
    },
  },
  {
    id: 'BR-54',
    message: 'Each item attribute (BG-32) must have a name (BT-160) and a value (BT-161)',
    faults: (invoice) => {
      const attributes = below(below(lines, 'cac:Item'), 'cac:AdditionalItemProperty');
      return [...missing(attributes, 'cbc:Name')(invoice), ...missing(attributes, 'cbc:Value')(invoice)];
    },
  },
  {
    id: 'BR-55',
    message: 'Each reference to a preceding invoice (BG-3) must have the number of that invoice (BT-25)',
    faults: missing(below(root, 'cac:BillingReference'), 'cac:InvoiceDocumentReference/cbc:ID'),
  },
  {
    id: 'BR-56',
    message: 'A tax representative (BG-11) must have a VAT identifier (BT-63)',
    faults: missing(representative, 'cac:PartyTaxScheme/cbc:CompanyID'),
  },
  {
    id: 'BR-57',
    message: 'A deliver-to address (BG-15) must have a country code (BT-80)',
    faults: missing(below(root, 'cac:Delivery/cac:DeliveryLocation/cac:Address'), COUNTRY),
  },
  {
    id: 'BR-61',
    message: 'A payment by credit transfer must have an account identifier (BT-84)',
    faults: rejected(
      payments,
      'cac:PayeeFinancialAccount/cbc:ID',
      (means) =>
        hasPaymentCode(means, CREDIT_TRANSFER) &&
        means.text('cac:PayeeFinancialAccount/cbc:ID') === undefined,
    ),
  },
  {
    id: 'BR-62',
    message: 'The electronic address of the seller (BT-34) must have a scheme',
    faults: rejected(seller, 'cbc:EndpointID@schemeID', isSchemeMissing('cbc:EndpointID')),
  },
  {
    id: 'BR-63',
    message: 'The electronic address of the buyer (BT-49) must have a scheme',
    faults: rejected(buyer, 'cbc:EndpointID@schemeID', isSchemeMissing('cbc:EndpointID')),
  },
  {
    id: 'BR-64',
    message: 'The standard identifier of an item (BT-157) must have a scheme',
    faults: rejected(
      below(lines, 'cac:Item'),
      'cac:StandardItemIdentification/cbc:ID@schemeID',
      isSchemeMissing('cac:StandardItemIdentification/cbc:ID'),
    ),
  },
  {
    id: 'BR-65',
    message: 'The classification identifier of an item (BT-158) must have a scheme',
    faults: rejected(
      below(below(lines, 'cac:Item'), 'cac:CommodityClassification'),
      'cbc:ItemClassificationCode@listID',
      isSchemeMissing('cbc:ItemClassificationCode', 'listID'),
    ),
  },
  {
    id: 'BR-66',
    message: 'An invoice must have at most one payment card (BG-18)',
    faults: afterFirst(below(payments, 'cac:CardAccount')),
  },
  {
    id: 'BR-67',
    message: 'An invoice must have at most one direct debit (BG-19)',
    faults: afterFirst(below(payments, 'cac:PaymentMandate')),
  },
];

/** Reports every selected group except the first. */
function afterFirst(select: Select): Rule['faults'] {
  return (invoice) =>
    select(invoice)
      .slice(1)
      .flatMap((node) => node?.path ?? []);
}

function isSchemeMissing(path: string, attribute = 'schemeID'): Parameters<typeof rejected>[2] {
  return (node) => node.text(path) !== undefined && node.text(`${path}@${attribute}`) === undefined;
}
