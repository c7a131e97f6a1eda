import type { InvoiceProfile } from '../profiles.ts';

/** The fields of a plain invoice. */
export type PlainFields = Record<string, unknown>;

const address = { street: 'Hafenstraße 4', city: 'Hamburg', postcode: '20095', country: 'DE' };
const seller = {
  name: 'Nordwind & Söhne <GmbH>',
  vat_id: 'DE123456789',
  tax_number: '22/815/08154',
  address,
  email: 'billing@nordwind.example.com',
  phone: '+49 40 123456',
  contact: 'Ann Becker',
};
const buyer = {
  name: 'Bergmann AG',
  address: { street: 'Domplatz 6', city: 'Köln', postcode: '50667', country: 'DE' },
  email: 'invoices@bergmann.example.com',
  reference: '04011000-12345-34',
};
const line = { name: 'Consulting', quantity: 10, unit: 'hour', price: 150, vat: 19 };

/** Returns a valid plain invoice with some fields replaced. `undefined` removes a field. */
export function plainInvoice(fields: PlainFields = {}): PlainFields {
  const all = {
    number: 'R-2026-0042',
    date: '2026-11-22',
    due: '2026-12-22',
    currency: 'EUR',
    seller,
    buyer,
    delivery_date: '2026-11-20',
    lines: [line],
    payment: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ...fields,
  };
  return JSON.parse(JSON.stringify(all)) as PlainFields;
}

const abroad = (country: string, vat_id?: string) => ({
  ...buyer,
  vat_id,
  address: { street: 'Rue de la Gare 1', city: 'Lyon', postcode: '69001', country },
});
const withVat = (vat: unknown) => ({ lines: [{ ...line, vat }] });

const cases: readonly (readonly [name: string, due: string, fields: PlainFields])[] = [
  ['domestic', '1785.00', {}],
  [
    'several VAT rates',
    '1817.07',
    { lines: [line, { name: 'Book', quantity: '3', unit: 'pieces', price: '9.99', vat: '7' }] },
  ],
  [
    'credit note',
    '1785.00',
    { type: 'credit_note', preceding: { number: 'R-2026-0041', date: '2026-10-22' } },
  ],
  [
    'correction',
    '-1785.00',
    {
      type: 'correction',
      preceding: { number: 'R-2026-0041' },
      lines: [{ ...line, quantity: -10 }],
    },
  ],
  [
    'reverse charge',
    '1500.00',
    { ...withVat({ category: 'reverse_charge' }), buyer: abroad('AT', 'ATU12345678') },
  ],
  [
    'intra-community supply',
    '1500.00',
    {
      ...withVat({ category: 'intra_community', rate: 0 }),
      buyer: abroad('FR', 'FR12345678901'),
      delivery_address: { city: 'Lyon', postcode: '69001', country: 'FR' },
    },
  ],
  ['export', '1500.00', { ...withVat({ category: 'export' }), buyer: abroad('US') }],
  ['exempt', '1500.00', withVat({ category: 'exempt', reason: 'Kleinunternehmer, § 19 UStG' })],
  ['zero rated', '1500.00', withVat({ category: 'zero', rate: 0 })],
  [
    'not subject to VAT',
    '1500.00',
    {
      ...withVat({ category: 'not_subject' }),
      seller: { ...seller, vat_id: undefined, tax_number: undefined, id: 'K-1' },
    },
  ],
  ['IGIC', '1507.50', { lines: [{ ...line, vat: { category: 'canary_islands', rate: 0.5 } }] }],
  [
    'discount of a line in percent',
    '1606.50',
    { lines: [{ ...line, discount: { percent: 10, reason: 'Loyalty' } }] },
  ],
  ['discount of a line without reason', '1725.50', { lines: [{ ...line, discount: { amount: '50.00' } }] }],
  [
    'discounts and charges',
    '1725.50',
    {
      charges: [{ amount: 100, reason: 'Freight', vat: 19 }],
      discounts: [{ percent: 10, reason: 'Loyalty', vat: 19 }],
    },
  ],
  ['prepaid and rounded', '1285.05', { prepaid: 500, rounding: '0.05' }],
  [
    'periods, references and notes',
    '1785.00',
    {
      note: ['Thank you.', 'Second note'],
      period: { start: '2026-11-01', end: '2026-11-30' },
      order_reference: 'PO-1',
      contract_reference: 'C-1',
      project_reference: 'P-1',
      accounting_reference: '4711',
      payment: { terms: 'Within 30 days', iban: 'DE89370400440532013000', reference: 'RF18539007547034' },
      lines: [
        {
          ...line,
          description: 'Strategy',
          note: 'Week 47',
          seller_item_id: 'S-1',
          buyer_item_id: 'B-1',
          order_line: '3',
          period: { start: '2026-11-16', end: '2026-11-20' },
        },
      ],
    },
  ],
  ['VAT in another currency', '1785.00', { tax_currency: 'SEK', exchange_rate: '11.215' }],
  [
    'direct debit',
    '1785.00',
    {
      payment: {
        mandate: 'M-1',
        debited_iban: 'DE02120300000000202051',
        creditor_id: 'DE98ZZZ09999999999',
        reference: 'R-2026-0042',
      },
    },
  ],
  ['price per hundred', '17.85', { lines: [{ ...line, quantity: 10, price_quantity: 100, unit: 'kg' }] }],
  [
    'a currency without decimals',
    '1190',
    { currency: 'JPY', lines: [{ ...line, quantity: 3, price: '333.4' }] },
  ],
];

/** A plain invoice that obeys the rules of its profile. */
export interface ValidPlainInvoice {
  name: string;
  profile: InvoiceProfile;
  data: PlainFields;
  /** The amount due, computed by hand. */
  due: string;
}

/** The invoices whose currency or VAT XRechnung does not allow. */
const NOT_XRECHNUNG: ReadonlySet<string> = new Set([
  'a currency without decimals',
  'not subject to VAT',
  'IGIC',
]);

/** Valid plain invoices: twenty in `en16931`, and the same in `xrechnung` as far as it has them. */
export const plainInvoices: readonly ValidPlainInvoice[] = (['en16931', 'xrechnung'] as const).flatMap(
  (profile) =>
    cases
      .filter(([name]) => profile === 'en16931' || !NOT_XRECHNUNG.has(name))
      .map(([name, due, fields]) => ({ name, profile, due, data: plainInvoice(fields) })),
);
