import { numberText, Decimal } from '../decimal.ts';
import type { Findings } from '../findings.ts';
import { FORMAT } from '../data/read-data.ts';
import { decimalsOf } from '../totals/currency.ts';
import { append, copyFields, ensure, isTree, put, type Tree } from './read-plain.ts';
import { readTaxCategory } from './tax-category.ts';
import { unitCode } from './units.ts';

const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';
const TOTALS = 'cac:LegalMonetaryTotal';
/** The scheme of electronic addresses that are email addresses. */
const EMAIL = 'EM';
/** The reason code of a discount without a reason (UNTDID 5189). */
const DISCOUNT = '95';
const HUNDRED = Decimal.of('100');
const ONE = Decimal.of('1');

interface UblContext {
  /** The number of decimals of the amounts of lines, discounts and charges. */
  decimals: number;
  findings: Findings;
}

/**
 * Maps a plain invoice to UBL data. Adds a finding for each value that has no meaning; the values themselves
 * are checked later, like those of callers who send UBL data.
 */
export function toUbl(data: Tree, context: UblContext): Tree {
  const { findings } = context;
  const invoice = copyFields(data, findings);
  if (findings.list.length > 0) return invoice;
  invoice['cbc:InvoiceTypeCode'] ??= '380';
  mapParties(data, invoice);
  mapLines(data, invoice, context);
  mapAllowances(data, invoice, context);
  mapTotals(data, invoice, findings);
  mapPayment(data, invoice);
  return invoice;
}

function groupOf(data: Tree, name: string): Tree {
  const found = data[name];
  return isTree(found) ? found : {};
}

function listOf(data: Tree, name: string): Tree[] {
  const found = data[name];
  return Array.isArray(found) ? found.filter(isTree) : [];
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
    checkVatDetails(plain, groupOf(line, 'cac:Item')['cac:ClassifiedTaxCategory'], {
      path: `lines[${index}]`,
      findings: context.findings,
    });
    mapUnit(plain, line, { path: `lines[${index}].unit_code`, findings: context.findings });
    const discount = line['cac:AllowanceCharge'];
    if (!isTree(discount)) continue;
    mapDiscount(groupOf(plain, 'discount'), discount, {
      ...context,
      path: `lines[${index}].discount`,
      base: fullAmount(plain, { decimals: context.decimals }),
    });
  }
}

/**
 * Computes quantity times price per quantity of the price, minus a discount. Rounds once. Returns `undefined`
 * if a value is absent or not a number.
 */
function fullAmount(
  plain: Tree,
  { decimals, discount = Decimal.zero }: { decimals: number; discount?: Decimal | undefined },
): Decimal | undefined {
  const [quantity, price] = [decimalOf(plain['quantity']), decimalOf(plain['price'])];
  const base = decimalOf(plain['price_quantity']) ?? ONE;
  if (!quantity || !price || base.isZero) return undefined;
  return quantity.times(price).minus(discount.times(base)).dividedBy(base, decimals);
}

function mapUnit(plain: Tree, line: Tree, at: { path: string; findings: Findings }): void {
  if (!hasValue(plain['unit_code'])) return;
  const code = typeof plain['unit_code'] === 'string' ? unitCode(plain['unit_code']) : undefined;
  const unit = (line['cbc:InvoicedQuantity@unitCode'] ??= code);
  if (code === undefined || unit !== code)
    at.findings.add(FORMAT, at.path, 'must be the code of the unit, or absent');
}

/** Checks that the VAT details of a line, discount or charge, which are computed, are those of its VAT. */
function checkVatDetails(plain: Tree, category: unknown, at: { path: string; findings: Findings }): void {
  const details = plain['vat_details'];
  if (!hasValue(details)) return;
  const read = isTree(details) ? readTaxCategory(details).group : undefined;
  const mapped = isTree(category) ? category : {};
  if (!read || read['cbc:ID'] !== mapped['cbc:ID'] || read['cbc:Percent'] !== mapped['cbc:Percent'])
    at.findings.add(
      FORMAT,
      `${at.path}.vat_details`,
      'must have the category and the rate of "vat", or be absent',
    );
}

/** The place of a discount, and the amount of which its percentage is taken. */
interface DiscountContext extends UblContext {
  path: string;
  base: Decimal | undefined;
}

function mapDiscount(plain: Tree, allowance: Tree, context: DiscountContext): void {
  allowance['cbc:ChargeIndicator'] = 'false';
  if (!hasValue(plain['reason'])) allowance['cbc:AllowanceChargeReasonCode'] = DISCOUNT;
  mapPercent(plain, allowance, context);
}

function mapPercent(plain: Tree, allowance: Tree, context: DiscountContext): void {
  const { path, base, findings, decimals } = context;
  if (!hasValue(plain['percent'])) return;
  const percent = decimalOf(plain['percent']);
  if (!percent || percent.isNegative)
    return findings.add(FORMAT, `${path}.percent`, 'must be a percentage such as 10');
  if (!base) return findings.add(FORMAT, `${path}.percent`, 'needs the amount that it is taken of');
  allowance['cbc:MultiplierFactorNumeric'] = percent.rounded(percent.decimals).toFixed(0);
  allowance['cbc:BaseAmount'] = base.toFixed(decimals);
  allowance['cbc:Amount'] ??= base.times(percent).dividedBy(HUNDRED, decimals).toFixed(decimals);
}

/** Marks the discounts and charges of the invoice; `copyFields` put the discounts and charges in one list. */
function mapAllowances(data: Tree, invoice: Tree, context: UblContext): void {
  const all = listOf(invoice, 'cac:AllowanceCharge');
  const ordered = Object.keys(data).filter((name) => name === 'discounts' || name === 'charges');
  const plain = ordered.flatMap((name) =>
    listOf(data, name).map((item, index) => ({ item, name, path: `${name}[${index}]` })),
  );
  if (all.length === 0) return;
  const base = sumOfLines(data, invoice, context.decimals);
  for (const [index, { item, name, path }] of plain.entries()) {
    const allowance = all[index] ?? {};
    checkVatDetails(item, allowance['cac:TaxCategory'], { path, findings: context.findings });
    if (name === 'discounts') mapDiscount(item, allowance, { ...context, path, base });
    else {
      allowance['cbc:ChargeIndicator'] = 'true';
      mapPercent(item, allowance, { ...context, path, base });
    }
  }
}

/** Returns the sum of the lines as they will be computed; `undefined` if a line cannot be. */
function sumOfLines(data: Tree, invoice: Tree, decimals: number): Decimal | undefined {
  const lines = listOf(data, 'lines');
  const amounts = listOf(invoice, 'cac:InvoiceLine').map((line, index) => {
    const plain = lines[index] ?? {};
    const given = decimalOf(plain['amount']);
    if (given) return given;
    const discount = decimalOf(groupOf(line, 'cac:AllowanceCharge')['cbc:Amount']);
    return fullAmount(plain, { decimals, discount });
  });
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === amounts.length ? Decimal.sum(known) : undefined;
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
  checkExchangeRate(data, findings);
}

function checkExchangeRate(data: Tree, findings: Findings): void {
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

/** Adds the VAT total in the second currency, computed from the exchange rate. `tax` is in the first. */
export function addTaxInTaxCurrency(data: Tree, invoice: Tree, tax: string | undefined): void {
  const rate = decimalOf(data['exchange_rate']);
  if (!rate || tax === undefined || hasValue(groupOf(data, 'totals')['tax_in_tax_currency'])) return;
  const currency = String(data['tax_currency']);
  const decimals = decimalsOf(currency);
  append(invoice, 'cac:TaxTotal', {
    'cbc:TaxAmount': Decimal.of(tax).times(rate).rounded(decimals).toFixed(decimals),
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

/** Reads a decimal of the plain data; `undefined` if it is absent or not a number. */
function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? numberText(value) : value;
  return typeof text === 'string' ? Decimal.parse(text) : undefined;
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
