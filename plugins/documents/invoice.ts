import { INVOICE_PROFILES } from '@platen/einvoice/profiles';
import { invoiceProperties } from '@platen/einvoice/schema';
import { RawObject, Type } from '../../src/plugin.ts';

/** The profile of an invoice. */
export const InvoiceProfileName = Type.Union(
  INVOICE_PROFILES.map((profile) => Type.Literal(profile)),
  {
    title: 'InvoiceProfile',
    expected: `one of ${INVOICE_PROFILES.map((profile) => `"${profile}"`).join(', ')}`,
    description:
      'The profile of Factur-X and ZUGFeRD, or XRechnung 3.0. `minimum` and `basic_wl` have no lines, and are not invoices under EN 16931.',
  },
);

/** The data of an invoice, which only the sandbox reads. */
export const InvoiceData = {
  ...RawObject({
    description:
      'The invoice in plain words: `number`, `date`, `due`, `currency`, `seller`, `buyer`, `lines` (`name`, `quantity`, `unit`, `price`, `vat`), and the other fields of docs/invoices.md; or in `ubl:Invoice`, the elements of UBL 2.1 by name, attributes as `name@attribute`. Amounts are strings or numbers. Absent totals, VAT amounts and line amounts are computed; present ones are checked.',
  }),
  title: 'InvoiceData',
  properties: invoiceProperties(),
} as ReturnType<typeof RawObject>;

const documents = ['pdf', 'cii', 'ubl'] as const;

/** The kind of document that contains the invoice. */
export const InvoiceDocument = Type.Union(
  documents.map((name) => Type.Literal(name)),
  {
    title: 'InvoiceDocument',
    expected: `one of ${documents.map((name) => `"${name}"`).join(', ')}`,
    description:
      '`pdf`, the default, is a PDF/A-3b with the invoice as data in it. `cii` and `ubl` are plain XML; UBL needs the profile `en16931` or `xrechnung`.',
  },
);

export const InvoiceOption = Type.Object(
  {
    profile: InvoiceProfileName,
    data: Type.Optional(InvoiceData),
    document: Type.Optional(InvoiceDocument),
  },
  {
    additionalProperties: false,
    title: 'InvoiceOptions',
    description:
      'Makes the PDF an electronic invoice: a PDF/A-3b with the data of the invoice (Factur-X, ZUGFeRD, XRechnung). Without `data`, the data is `data.invoice` of the template, which is then printed with the computed totals. An invoice that violates a rule of EN 16931 gets a 400 whose details name each rule.',
  },
);
