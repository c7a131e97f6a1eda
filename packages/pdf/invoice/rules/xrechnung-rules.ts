import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import { decimalAt, lineAmount } from '../totals/complete.ts';
import {
  missing,
  missingGroup,
  rejected,
  rejectedAs,
  type InvoiceView,
  type Rule,
  type Select,
} from './rule.ts';

const seller: Select = ({ seller: node }) => [node];
const buyer: Select = ({ buyer: node }) => [node];
const sellerContact: Select = ({ seller: node }) => [node.child('cac:Contact')];
const payments: Select = ({ root }) => root.children('cac:PaymentMeans');
const lines: Select = ({ lines: list }) => list;
const allowances: Select = ({ allowances: one, charges, lineAllowances, lineCharges }) => [
  ...one,
  ...charges,
  ...lineAllowances,
  ...lineCharges,
];

const CREDIT_TRANSFER: ReadonlySet<string> = new Set(['30', '58']);
const CARD: ReadonlySet<string> = new Set(['48', '54', '55']);
const DIRECT_DEBIT: ReadonlySet<string> = new Set(['59']);

/** Requires a group of payment instructions with some codes. */
function requires(codes: ReadonlySet<string>, path: string): Rule['faults'] {
  return rejected(
    payments,
    path,
    (means) => codes.has(means.text('cbc:PaymentMeansCode') ?? '') && !means.child(path),
  );
}

const CENT = Decimal.parse('0.02') ?? Decimal.zero;
const HUNDRED = Decimal.parse('100') ?? Decimal.zero;
const ADDRESS = 'cac:Delivery/cac:DeliveryLocation/cac:Address';

/** Tells whether two amounts differ by more than two hundredths. */
function differsByCents(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && left.minus(right).absolute.minus(CENT).isPositive;
}

function isOutside(line: DataNode, { root }: InvoiceView, name: 'cbc:StartDate' | 'cbc:EndDate'): boolean {
  const own = line.text(`cac:InvoicePeriod/${name}`);
  const whole = root.text(`cac:InvoicePeriod/${name}`);
  if (own === undefined || whole === undefined) return false;
  return name === 'cbc:StartDate' ? own < whole : own > whole;
}

/** The rules of XRechnung 3.0: BR-DE, and those of Peppol BIS Billing 3 that it adopts. */
export const XRECHNUNG_RULES: readonly Rule[] = [
  {
    id: 'BR-DE-1',
    message: 'An invoice has payment instructions (BG-16)',
    faults: missingGroup(({ root }) => [root], 'cac:PaymentMeans'),
  },
  {
    id: 'BR-DE-2',
    message: 'A seller has a contact (BG-6)',
    faults: missingGroup(seller, 'cac:Contact'),
  },
  {
    id: 'BR-DE-3',
    message: 'A seller has a city (BT-37)',
    faults: missing(seller, 'cac:PostalAddress/cbc:CityName'),
  },
  {
    id: 'BR-DE-4',
    message: 'A seller has a post code (BT-38)',
    faults: missing(seller, 'cac:PostalAddress/cbc:PostalZone'),
  },
  {
    id: 'BR-DE-5',
    message: 'The contact of the seller has a name (BT-41)',
    faults: missing(sellerContact, 'cbc:Name'),
  },
  {
    id: 'BR-DE-6',
    message: 'The contact of the seller has a telephone number (BT-42)',
    faults: missing(sellerContact, 'cbc:Telephone'),
  },
  {
    id: 'BR-DE-7',
    message: 'The contact of the seller has an email address (BT-43)',
    faults: missing(sellerContact, 'cbc:ElectronicMail'),
  },
  {
    id: 'BR-DE-8',
    message: 'A buyer has a city (BT-52)',
    faults: missing(buyer, 'cac:PostalAddress/cbc:CityName'),
  },
  {
    id: 'BR-DE-9',
    message: 'A buyer has a post code (BT-53)',
    faults: missing(buyer, 'cac:PostalAddress/cbc:PostalZone'),
  },
  {
    id: 'BR-DE-10',
    message: 'A deliver-to address has a city (BT-77)',
    faults: missing(({ root }) => [root.child(ADDRESS)], 'cbc:CityName'),
  },
  {
    id: 'BR-DE-11',
    message: 'A deliver-to address has a post code (BT-78)',
    faults: missing(({ root }) => [root.child(ADDRESS)], 'cbc:PostalZone'),
  },
  {
    id: 'BR-DE-14',
    message: 'A VAT breakdown has a rate (BT-119)',
    faults: missing(({ breakdown }) => breakdown, 'cac:TaxCategory/cbc:Percent'),
  },
  {
    id: 'BR-DE-15',
    message: 'An invoice has a buyer reference (BT-10)',
    faults: missing(({ root }) => [root], 'cbc:BuyerReference'),
  },
  {
    id: 'BR-DE-16',
    message:
      'With a VAT category other than O, the seller has a VAT identifier (BT-31), a tax registration (BT-32) or a tax representative (BG-11)',
    faults: ({ root, seller: node, breakdown }) =>
      breakdown.some((one) => one.text('cac:TaxCategory/cbc:ID') !== 'O') &&
      !node.children('cac:PartyTaxScheme').some((one) => one.text('cbc:CompanyID') !== undefined) &&
      !root.child('cac:TaxRepresentativeParty')
        ? [node.pathOf('cac:PartyTaxScheme')]
        : [],
  },
  {
    id: 'BR-DE-22',
    message: 'Attached documents have different file names',
    faults: ({ root }) => {
      const path = 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject@filename';
      const seen = new Set<string>();
      return root.children('cac:AdditionalDocumentReference').flatMap((node) => {
        const file = node.text(path);
        if (file === undefined) return [];
        const isTaken = seen.has(file);
        seen.add(file);
        return isTaken ? [node.pathOf(path)] : [];
      });
    },
  },
  {
    id: 'BR-DE-23-a',
    message: 'A credit transfer (BT-81 is 30 or 58) has an account (BG-17)',
    faults: requires(CREDIT_TRANSFER, 'cac:PayeeFinancialAccount'),
  },
  {
    id: 'BR-DE-24-a',
    message: 'A payment by card (BT-81 is 48, 54 or 55) has card information (BG-18)',
    faults: requires(CARD, 'cac:CardAccount'),
  },
  {
    id: 'BR-DE-25-a',
    message: 'A direct debit (BT-81 is 59) has a mandate (BG-19)',
    faults: requires(DIRECT_DEBIT, 'cac:PaymentMandate'),
  },
  {
    id: 'BR-DE-27',
    message: 'The telephone number of the seller (BT-42) has at least three digits',
    faults: rejected(sellerContact, 'cbc:Telephone', (contact) => {
      const telephone = contact.text('cbc:Telephone');
      return telephone !== undefined && telephone.replaceAll(/[^0-9]/g, '').length < 3;
    }),
  },
  {
    id: 'BR-DE-28',
    message: 'The email address of the seller (BT-43) has the form name@host',
    faults: rejected(sellerContact, 'cbc:ElectronicMail', (contact) => {
      const email = contact.text('cbc:ElectronicMail');
      return email !== undefined && !/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(email);
    }),
  },
  {
    id: 'BR-DE-30',
    message:
      'A direct debit (BG-19) has a creditor identifier (BT-90), an identifier of the seller or payee with the scheme SEPA',
    faults: rejectedAs(
      'cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification',
      ({ root, seller: node }) =>
        root.children('cac:PaymentMeans').some((means) => means.child('cac:PaymentMandate')) &&
        ![
          ...node.children('cac:PartyIdentification'),
          ...root.children('cac:PayeeParty/cac:PartyIdentification'),
        ].some((one) => one.text('cbc:ID@schemeID') === 'SEPA'),
    ),
  },
  {
    id: 'BR-DE-31',
    message: 'A direct debit (BG-19) has a debited account (BT-91)',
    faults: missing(
      (invoice) => payments(invoice).flatMap((means) => means?.children('cac:PaymentMandate') ?? []),
      'cac:PayerFinancialAccount/cbc:ID',
    ),
  },
  {
    id: 'PEPPOL-EN16931-R005',
    message: 'The VAT accounting currency (BT-6) differs from the currency of the invoice (BT-5)',
    faults: rejectedAs(
      'cbc:TaxCurrencyCode',
      ({ root, currency }) => currency !== undefined && root.text('cbc:TaxCurrencyCode') === currency,
    ),
  },
  {
    id: 'PEPPOL-EN16931-R010',
    message: 'A buyer has an electronic address (BT-49)',
    faults: missing(buyer, 'cbc:EndpointID'),
  },
  {
    id: 'PEPPOL-EN16931-R020',
    message: 'A seller has an electronic address (BT-34)',
    faults: missing(seller, 'cbc:EndpointID'),
  },
  {
    id: 'PEPPOL-EN16931-R040',
    message: 'The amount of an allowance or charge equals its base amount times its percentage',
    faults: rejected(allowances, 'cbc:Amount', (node) => {
      const base = decimalAt(node, 'cbc:BaseAmount');
      const percent = decimalAt(node, 'cbc:MultiplierFactorNumeric');
      const computed = base && percent && base.times(percent).dividedBy(HUNDRED, 8);
      return differsByCents(decimalAt(node, 'cbc:Amount'), computed);
    }),
  },
  {
    id: 'PEPPOL-EN16931-R041',
    message: 'An allowance or charge with a percentage has a base amount',
    faults: rejected(allowances, 'cbc:BaseAmount', hasOnly('cbc:MultiplierFactorNumeric', 'cbc:BaseAmount')),
  },
  {
    id: 'PEPPOL-EN16931-R042',
    message: 'An allowance or charge with a base amount has a percentage',
    faults: rejected(
      allowances,
      'cbc:MultiplierFactorNumeric',
      hasOnly('cbc:BaseAmount', 'cbc:MultiplierFactorNumeric'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R110',
    message: 'The period of a line does not start before the invoicing period',
    faults: rejected(lines, 'cac:InvoicePeriod/cbc:StartDate', (line, invoice) =>
      isOutside(line, invoice, 'cbc:StartDate'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R111',
    message: 'The period of a line does not end after the invoicing period',
    faults: rejected(lines, 'cac:InvoicePeriod/cbc:EndDate', (line, invoice) =>
      isOutside(line, invoice, 'cbc:EndDate'),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R120',
    message:
      'The net amount of a line equals its quantity times its net price, minus allowances, plus charges',
    faults: rejected(lines, 'cbc:LineExtensionAmount', (line) =>
      differsByCents(decimalAt(line, 'cbc:LineExtensionAmount'), lineAmount(line)),
    ),
  },
  {
    id: 'PEPPOL-EN16931-R121',
    message: 'A base quantity is greater than 0',
    faults: rejected(
      lines,
      'cac:Price/cbc:BaseQuantity',
      (line) => decimalAt(line, 'cac:Price/cbc:BaseQuantity')?.isPositive === false,
    ),
  },
  {
    id: 'PEPPOL-EN16931-R130',
    message: 'The unit of the base quantity is the unit of the invoiced quantity',
    faults: rejected(lines, 'cac:Price/cbc:BaseQuantity@unitCode', (line) => {
      const unit = line.text('cac:Price/cbc:BaseQuantity@unitCode');
      return unit !== undefined && unit !== line.text('cbc:InvoicedQuantity@unitCode');
    }),
  },
];

function hasOnly(path: string, other: string): Parameters<typeof rejected>[2] {
  return (node) => node.text(path) !== undefined && node.text(other) === undefined;
}
