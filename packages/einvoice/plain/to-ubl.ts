import { Decimal } from '../decimal.ts';
import type { Findings } from '../findings.ts';
import { FORMAT } from '../data/read-data.ts';
import { decimalsOf, differsByMoreThanRounding } from '../totals/currency.ts';
import { mapAllowances, mapLineAmounts, type UblContext } from './allowances.ts';
import { append, copyFields, ensure, isTree, put, type Tree } from './read-plain.ts';
import { unitCode } from './units.ts';
import { decimalOf, groupOf, hasValue, listOf } from './values.ts';
import { checkVatDetails } from './vat-details.ts';

const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';
const TOTALS = 'cac:LegalMonetaryTotal';
/** The scheme of electronic addresses that are email addresses. */
const EMAIL = 'EM';

/**
 * Maps a plain invoice to UBL data. Adds a finding for each value that has no meaning; the values themselves
 * are checked later, like those of callers who send UBL data.
 */
export function toUbl(data: Tree, context: UblContext): Tree {
  const { findings } = context;
  const invoice = copyFields(data, findings);
  invoice['cbc:InvoiceTypeCode'] ??= '380';
  mapParties(data, invoice);
  mapLines(data, invoice, context);
  mapAllowances(data, invoice, context);
  mapTotals(data, invoice, findings);
  mapPayment(data, invoice);
  return invoice;
}

function mapParties(data: Tree, invoice: Tree): void {
  const seller = groupOf(data, 'seller');
  const party = (isTree(data['seller']) && ensure(invoice, SELLER)) || {};
  if (hasValue(seller['id'])) append(party, 'cac:PartyIdentification', { 'cbc:ID': seller['id'] });
  for (const [name, scheme] of [
    ['vat_id', 'VAT'],
    ['tax_number', 'FC'],
  ] as const)
    if (hasValue(seller[name]))
      append(party, 'cac:PartyTaxScheme', {
        'cbc:CompanyID': seller[name],
        'cac:TaxScheme': { 'cbc:ID': scheme },
      });
  for (const [name, steps] of [
    ['seller', SELLER],
    ['buyer', BUYER],
  ] as const) {
    const { email } = groupOf(data, name);
    if (!hasValue(email)) continue;
    const group = ensure(invoice, steps);
    if (hasValue(group['cbc:EndpointID'])) continue;
    group['cbc:EndpointID'] = email;
    group['cbc:EndpointID@schemeID'] = EMAIL;
  }
}

function mapLines(data: Tree, invoice: Tree, context: UblContext): void {
  const lines = listOf(data, 'lines');
  for (const [index, line] of listOf(invoice, 'cac:InvoiceLine').entries()) {
    const plain = lines[index] ?? {};
    line['cbc:ID'] ??= String(index + 1);
    const at = { ...context, path: `lines[${index}]` };
    checkVatDetails(plain, groupOf(line, 'cac:Item')['cac:ClassifiedTaxCategory'], at);
    mapUnit(plain, line, at);
    mapLineAmounts(plain, line, at);
  }
}

function mapUnit(plain: Tree, line: Tree, at: { path: string; findings: Findings }): void {
  if (!hasValue(plain['unit_code'])) return;
  const code = typeof plain['unit_code'] === 'string' ? unitCode(plain['unit_code']) : undefined;
  const unit = (line['cbc:InvoicedQuantity@unitCode'] ??= code);
  if (code === undefined || unit !== code)
    at.findings.add(FORMAT, `${at.path}.unit_code`, 'must be the code of the unit, or absent');
}

function mapTotals(data: Tree, invoice: Tree, findings: Findings): void {
  const totals = groupOf(data, 'totals');
  if (hasValue(totals['prepaid'])) {
    const given = ensure(invoice, TOTALS);
    const [prepaid, total] = [decimalOf(given['cbc:PrepaidAmount']), decimalOf(totals['prepaid'])];
    given['cbc:PrepaidAmount'] ??= totals['prepaid'];
    if (prepaid && total && !prepaid.equals(total))
      findings.add(FORMAT, 'totals.prepaid', 'must equal "prepaid"');
  }
  const subtotals = groupOf(invoice, 'cac:TaxTotal')['cac:TaxSubtotal'];
  const own: Tree = {
    ...(hasValue(totals['tax']) && { 'cbc:TaxAmount': totals['tax'] }),
    ...(Array.isArray(subtotals) && { 'cac:TaxSubtotal': subtotals }),
  };
  const taxCurrency = data['tax_currency'];
  const inTaxCurrency = totals['tax_in_tax_currency'];
  if (hasValue(inTaxCurrency) && !hasValue(taxCurrency))
    findings.add(FORMAT, 'totals.tax_in_tax_currency', 'needs "tax_currency"');
  const other = { 'cbc:TaxAmount': inTaxCurrency, 'cbc:TaxAmount@currencyID': taxCurrency };
  const all = [...(Object.keys(own).length > 0 ? [own] : []), ...(hasValue(inTaxCurrency) ? [other] : [])];
  if (all.length > 0) invoice['cac:TaxTotal'] = all;
  else delete invoice['cac:TaxTotal'];
  checkTaxCurrency(data, findings);
}

function checkTaxCurrency(data: Tree, findings: Findings): void {
  const currency = data['tax_currency'];
  if (typeof currency === 'string' && currency !== '' && currency.trim() === '')
    return findings.add(FORMAT, 'tax_currency', 'must be a currency such as SEK, or be absent');
  if (hasValue(currency) && currency === data['currency'])
    return findings.add(FORMAT, 'tax_currency', 'must differ from "currency", or be absent');
  const rate = data['exchange_rate'];
  if (hasValue(rate) && decimalOf(rate)?.isPositive !== true)
    findings.add(FORMAT, 'exchange_rate', 'must be a positive number such as 11.2');
  if (hasValue(rate) && !hasValue(data['tax_currency']))
    findings.add(FORMAT, 'exchange_rate', 'needs "tax_currency"');
  const isKnown = hasValue(rate) || hasValue(groupOf(data, 'totals')['tax_in_tax_currency']);
  if (hasValue(data['tax_currency']) && !isKnown)
    findings.add(
      FORMAT,
      'exchange_rate',
      'is required with "tax_currency", unless "totals.tax_in_tax_currency" is given',
    );
}

/**
 * Adds the VAT total in the second currency, computed from the exchange rate, or checks the given one. `tax`
 * is in the first currency.
 */
export function addTaxInTaxCurrency(
  data: Tree,
  invoice: Tree,
  { tax, findings }: { tax: string | undefined; findings: Findings },
): void {
  const rate = decimalOf(data['exchange_rate']);
  const inOwnCurrency = Decimal.parse(tax ?? '');
  if (!rate || !inOwnCurrency) return;
  const currency = String(data['tax_currency']);
  const decimals = decimalsOf(currency);
  const amount = inOwnCurrency.times(rate).rounded(decimals);
  const total = groupOf(data, 'totals')['tax_in_tax_currency'];
  const given = decimalOf(total);
  if (given && differsByMoreThanRounding(given, amount, decimals))
    findings.add(
      FORMAT,
      'totals.tax_in_tax_currency',
      `must be ${amount.toFixed(decimals)}, which is the VAT times "exchange_rate", or be absent`,
    );
  if (hasValue(total)) return;
  append(invoice, 'cac:TaxTotal', {
    'cbc:TaxAmount': amount.toFixed(decimals),
    'cbc:TaxAmount@currencyID': currency,
  });
}

function mapPayment(data: Tree, invoice: Tree): void {
  const payment = groupOf(data, 'payment');
  if (hasValue(payment['creditor_id']))
    append(invoice, `${SELLER}/cac:PartyIdentification`, {
      'cbc:ID': payment['creditor_id'],
      'cbc:ID@schemeID': 'SEPA',
    });
  const means = invoice['cac:PaymentMeans'];
  if (!isTree(means) || hasValue(means['cbc:PaymentMeansCode'])) return;
  const transfer = data['currency'] === 'EUR' ? '58' : '30';
  const debit = data['currency'] === 'EUR' ? '59' : '49';
  const isDebit = hasValue(payment['mandate']) || hasValue(payment['debited_iban']);
  // Instrument not defined (UNTDID 4461).
  const unknown = '1';
  put(means, 'cbc:PaymentMeansCode', isDebit ? debit : hasValue(payment['iban']) ? transfer : unknown);
}
