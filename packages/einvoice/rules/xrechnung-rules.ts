import { SEPA } from '../xml/cii-parts.ts';
import { isSkonto } from '../xml/skonto.ts';
import { PEPPOL_RULES } from './peppol-rules.ts';
import { missing, missingGroup, rejected, type InvoiceView, type Rule } from './rule.ts';
import {
  below,
  breakdown,
  buyer,
  CREDIT_TRANSFER,
  hasPaymentCode,
  payments,
  root,
  seller,
} from './select.ts';

const sellerContact = below(seller, 'cac:Contact');
const deliverTo = below(root, 'cac:Delivery/cac:DeliveryLocation/cac:Address');
const mandates = below(payments, 'cac:PaymentMandate');

const CARD: ReadonlySet<string> = new Set(['48', '54', '55']);
const SEPA_DEBIT: ReadonlySet<string> = new Set(['59']);

/** Requires payment instructions with one of `codes` (BT-81) to contain the group at `path`. */
function requires(codes: ReadonlySet<string>, path: string): Rule['faults'] {
  return rejected(payments, path, (means) => hasPaymentCode(means, codes) && !means.child(path));
}

/** Forbids payment instructions with one of `codes` (BT-81) to contain the group at `path`. */
function excludes(codes: ReadonlySet<string>, path: string): Rule['faults'] {
  return rejected(payments, path, (means) => hasPaymentCode(means, codes) && means.child(path) !== undefined);
}

/**
 * Rejects payment instructions with one of `codes` (BT-81) if the invoice contains any part of a direct debit
 * (BG-19).
 */
function excludesDirectDebit(codes: ReadonlySet<string>): Rule['faults'] {
  return rejected(
    payments,
    'cac:PaymentMandate',
    (means, invoice) =>
      hasPaymentCode(means, codes) && (mandates(invoice).length > 0 || hasCreditorIdentifier(invoice)),
  );
}

/** Tells whether the invoice has a creditor identifier (BT-90). */
function hasCreditorIdentifier(invoice: InvoiceView): boolean {
  return [
    ...invoice.seller.children('cac:PartyIdentification'),
    ...invoice.root.children('cac:PayeeParty/cac:PartyIdentification'),
  ].some((identification) => identification.text('cbc:ID@schemeID') === SEPA);
}

/**
 * The rules of XRechnung 3.0: the BR-DE rules, and the rules of Peppol BIS Billing 3 that XRechnung adopts.
 * BR-DE-17, 19 to 21 and 26 to 28 are absent because the official Schematron only warns of their violation.
 */
export const XRECHNUNG_RULES: readonly Rule[] = [
  {
    id: 'BR-DE-1',
    message: 'An invoice must have payment instructions (BG-16)',
    faults: missingGroup(root, 'cac:PaymentMeans'),
  },
  {
    id: 'BR-DE-2',
    message: 'A seller must have a contact (BG-6)',
    faults: missingGroup(seller, 'cac:Contact'),
  },
  {
    id: 'BR-DE-3',
    message: 'A seller must have a city (BT-37)',
    faults: missing(seller, 'cac:PostalAddress/cbc:CityName'),
  },
  {
    id: 'BR-DE-4',
    message: 'A seller must have a post code (BT-38)',
    faults: missing(seller, 'cac:PostalAddress/cbc:PostalZone'),
  },
  {
    id: 'BR-DE-5',
    message: 'The contact of the seller must have a name (BT-41)',
    faults: missing(sellerContact, 'cbc:Name'),
  },
  {
    id: 'BR-DE-6',
    message: 'The contact of the seller must have a telephone number (BT-42)',
    faults: missing(sellerContact, 'cbc:Telephone'),
  },
  {
    id: 'BR-DE-7',
    message: 'The contact of the seller must have an email address (BT-43)',
    faults: missing(sellerContact, 'cbc:ElectronicMail'),
  },
  {
    id: 'BR-DE-8',
    message: 'A buyer must have a city (BT-52)',
    faults: missing(buyer, 'cac:PostalAddress/cbc:CityName'),
  },
  {
    id: 'BR-DE-9',
    message: 'A buyer must have a post code (BT-53)',
    faults: missing(buyer, 'cac:PostalAddress/cbc:PostalZone'),
  },
  {
    id: 'BR-DE-10',
    message: 'A deliver-to address must have a city (BT-77)',
    faults: missing(deliverTo, 'cbc:CityName'),
  },
  {
    id: 'BR-DE-11',
    message: 'A deliver-to address must have a post code (BT-78)',
    faults: missing(deliverTo, 'cbc:PostalZone'),
  },
  {
    id: 'BR-DE-14',
    message: 'A VAT breakdown must have a rate (BT-119)',
    faults: missing(breakdown, 'cac:TaxCategory/cbc:Percent'),
  },
  {
    id: 'BR-DE-15',
    message: 'An invoice must have a buyer reference (BT-10)',
    faults: missing(root, 'cbc:BuyerReference'),
  },
  {
    id: 'BR-DE-16',
    message:
      'With a VAT category other than O, the seller must have a VAT identifier (BT-31), a tax registration (BT-32) or a tax representative (BG-11)',
    faults: rejected(
      seller,
      'cac:PartyTaxScheme',
      (party, invoice) =>
        invoice.breakdown.some((subtotal) => subtotal.text('cac:TaxCategory/cbc:ID') !== 'O') &&
        !party.children('cac:PartyTaxScheme').some((tax) => tax.text('cbc:CompanyID') !== undefined) &&
        !invoice.root.child('cac:TaxRepresentativeParty'),
    ),
  },
  {
    id: 'BR-DE-18',
    message:
      'In the payment terms (BT-20), a line that begins with # must be a cash discount such as "#SKONTO#TAGE=14#PROZENT=2.00#"',
    faults: rejected(
      root,
      'cac:PaymentTerms/cbc:Note',
      (node) =>
        !(node.text('cac:PaymentTerms/cbc:Note') ?? '')
          .split('\n')
          .every((line) => !line.trim().startsWith('#') || isSkonto(line)),
    ),
  },
  {
    id: 'BR-DE-22',
    message: 'Attached documents must have different file names',
    faults: (invoice) => {
      const path = 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject@filename';
      const seen = new Set<string>();
      return invoice.root.children('cac:AdditionalDocumentReference').flatMap((node) => {
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
    message: 'A credit transfer (BT-81 is 30 or 58) must have an account (BG-17)',
    faults: requires(CREDIT_TRANSFER, 'cac:PayeeFinancialAccount'),
  },
  {
    id: 'BR-DE-23-b',
    message: 'A credit transfer (BT-81 is 30 or 58) must not have a card (BG-18) or a direct debit (BG-19)',
    faults: both(excludes(CREDIT_TRANSFER, 'cac:CardAccount'), excludesDirectDebit(CREDIT_TRANSFER)),
  },
  {
    id: 'BR-DE-24-a',
    message: 'A payment by card (BT-81 is 48, 54 or 55) must have card information (BG-18)',
    faults: requires(CARD, 'cac:CardAccount'),
  },
  {
    id: 'BR-DE-24-b',
    message:
      'A payment by card (BT-81 is 48, 54 or 55) must not have an account (BG-17) or a direct debit (BG-19)',
    faults: both(excludes(CARD, 'cac:PayeeFinancialAccount'), excludesDirectDebit(CARD)),
  },
  {
    id: 'BR-DE-25-a',
    message: 'A direct debit (BT-81 is 59) must have a mandate (BG-19)',
    faults: requires(SEPA_DEBIT, 'cac:PaymentMandate'),
  },
  {
    id: 'BR-DE-25-b',
    message: 'A direct debit (BT-81 is 59) must not have an account (BG-17) or a card (BG-18)',
    faults: both(excludes(SEPA_DEBIT, 'cac:PayeeFinancialAccount'), excludes(SEPA_DEBIT, 'cac:CardAccount')),
  },
  {
    id: 'BR-DE-30',
    message:
      'A direct debit (BG-19) must have a creditor identifier (BT-90), an identifier of the seller or payee with the scheme SEPA',
    faults: rejected(
      seller,
      'cac:PartyIdentification',
      (_, invoice) => mandates(invoice).length > 0 && !hasCreditorIdentifier(invoice),
    ),
  },
  {
    id: 'BR-DE-31',
    message: 'A direct debit (BG-19) must have a debited account (BT-91)',
    faults: missing(mandates, 'cac:PayerFinancialAccount/cbc:ID'),
  },
  ...PEPPOL_RULES,
];

/** Concatenates the faults of two checks. */
function both(first: Rule['faults'], second: Rule['faults']): Rule['faults'] {
  return (invoice) => [...first(invoice), ...second(invoice)];
}
