import { writeInvoice } from '../invoice.ts';
import { allowance, category, invoice, line, type InvoiceFields } from './build-invoice.ts';

/** An invoice with terms that only the profile EXTENDED has. */
export interface ExtendedInvoice {
  name: string;
  xml: string;
  /** The result of Mustang. */
  isValid: boolean;
  /** The rules that Platen reports; `null` if it cannot check the invoice. */
  rules: string[] | null;
}

const S19 = category('S', '19');
const E = category('E', '0');

function written(fields: InvoiceFields = {}): string {
  const { xml } = writeInvoice(invoice(fields), { profile: 'extended' });
  return new TextDecoder().decode(xml);
}

function replaced(xml: string, ...changes: readonly (readonly [string, string])[]): string {
  let text = xml;
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the invoice has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

const CHARGE = ['<ram:SpecifiedTradeAllowanceCharge>', '</ram:SpecifiedTradeAllowanceCharge>'] as const;

/**
 * Returns an invoice with a freight charge of 25.50, written as a logistics service charge of another amount.
 */
function logistics(amount: string): string {
  const xml = written({ 'cac:AllowanceCharge': [allowance('charge', '25.50', S19)] });
  const tax =
    '<ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent>';
  const charge = `<ram:SpecifiedLogisticsServiceCharge><ram:Description>Freight</ram:Description><ram:AppliedAmount>${amount}</ram:AppliedAmount><ram:AppliedTradeTax>${tax}</ram:AppliedTradeTax></ram:SpecifiedLogisticsServiceCharge>`;
  const [begin, end] = CHARGE;
  return xml.slice(0, xml.indexOf(begin)) + charge + xml.slice(xml.lastIndexOf(end) + end.length);
}

const LINE_ID = '<ram:LineID>2</ram:LineID>';
const status = (code: string) =>
  [LINE_ID, `${LINE_ID}<ram:LineStatusReasonCode>${code}</ram:LineStatusReasonCode>`] as const;
const twoLines = { 'cac:InvoiceLine': [line({}), line({ id: '2', quantity: '1' })] };
/** The totals of the first line alone. */
const ofFirstLine = [
  ['<ram:BasisAmount>1650.00', '<ram:BasisAmount>1500.00'],
  ['<ram:CalculatedAmount>313.50', '<ram:CalculatedAmount>285.00'],
  ['<ram:LineTotalAmount>1650.00', '<ram:LineTotalAmount>1500.00'],
  ['<ram:TaxBasisTotalAmount>1650.00', '<ram:TaxBasisTotalAmount>1500.00'],
  ['<ram:TaxTotalAmount currencyID="EUR">313.50', '<ram:TaxTotalAmount currencyID="EUR">285.00'],
  ['<ram:GrandTotalAmount>1963.50', '<ram:GrandTotalAmount>1785.00'],
  ['<ram:DuePayableAmount>1963.50', '<ram:DuePayableAmount>1785.00'],
] as const;
const attribute = {
  'cac:InvoiceLine': [
    line({ item: { 'cac:AdditionalItemProperty': [{ 'cbc:Name': 'Width', 'cbc:Value': '3' }] } }),
  ],
};

/** Invoices of the profile EXTENDED that Mustang accepts or rejects. */
export const extendedInvoices: readonly ExtendedInvoice[] = [
  { name: 'a logistics charge', xml: logistics('25.50'), isValid: true, rules: [] },
  {
    name: 'a logistics charge that the totals do not include',
    xml: logistics('35.50'),
    isValid: false,
    rules: ['BR-CO-12', 'BR-S-08'],
  },
  {
    name: 'a sum that differs by 0.01 for one line',
    xml: replaced(written(), [
      '<ram:LineTotalAmount>1500.00</ram:LineTotalAmount>\n        </ram:Spec',
      '<ram:LineTotalAmount>1500.01</ram:LineTotalAmount>\n        </ram:Spec',
    ]),
    isValid: true,
    rules: [],
  },
  {
    name: 'a sum that differs by 0.02 for one line',
    xml: replaced(written(), [
      '<ram:LineTotalAmount>1500.00</ram:LineTotalAmount>\n        </ram:Spec',
      '<ram:LineTotalAmount>1500.02</ram:LineTotalAmount>\n        </ram:Spec',
    ]),
    isValid: false,
    rules: ['BR-CO-10', 'BR-S-08'],
  },
  {
    name: 'a line that only informs',
    xml: replaced(written(twoLines), status('INFORMATION'), ...ofFirstLine),
    isValid: true,
    rules: null,
  },
  {
    name: 'a line that only informs, which the totals include',
    xml: replaced(written(twoLines), status('INFORMATION')),
    isValid: false,
    rules: ['BR-CO-10', 'BR-S-08'],
  },
  {
    name: 'an item attribute with a measure',
    xml: replaced(written(attribute), [
      '<ram:Value>3</ram:Value>',
      '<ram:ValueMeasure unitCode="MTR">3</ram:ValueMeasure>',
    ]),
    isValid: true,
    rules: [],
  },
  {
    name: 'an exemption reason on a line',
    xml: replaced(
      written({ 'cac:InvoiceLine': [line({ tax: { ...E, 'cbc:TaxExemptionReason': 'Small business' } })] }),
      [
        '<ram:TypeCode>VAT</ram:TypeCode>\n          <ram:CategoryCode>E',
        '<ram:TypeCode>VAT</ram:TypeCode><ram:ExemptionReason>Small business</ram:ExemptionReason>\n          <ram:CategoryCode>E',
      ],
    ),
    isValid: true,
    rules: [],
  },
];
