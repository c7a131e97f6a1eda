import { DataNode, ensureGroup, setValue, type Group } from '../data/node.ts';
import { INVOICE, type GroupShape } from '../data/shape.ts';
import { Decimal } from '../decimal.ts';
import { profileRules, type InvoiceProfile } from '../profiles.ts';
import { decimalsOf } from './currency.ts';

/** The default business process (BT-23) of XRechnung, which requires one (PEPPOL-EN16931-R001). */
const BUSINESS_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const ONE = Decimal.of('1');
const HUNDRED = Decimal.of('100');

/** The type code of a reference to an invoiced object (UNTDID 1001). */
const INVOICED_OBJECT = '130';

/** The path of the VAT category of a document level allowance or charge. */
const ALLOWANCE_TAX = 'cac:TaxCategory';
/** The path of the VAT category of a line. */
const LINE_TAX = 'cac:Item/cac:ClassifiedTaxCategory';

/** The exemption reasons of VAT categories: the codes of VATEX and their texts. */
const REASONS: Readonly<Record<string, { code: string; text: string }>> = {
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
};

/**
 * Adds absent values that follow from others: identifiers of the profile, currencies, line amounts, VAT and totals. Keeps present values,
 * except that it replaces the specification identifier (BT-24) with that of the profile.
 */
export function completeInvoice(group: Group, profile: InvoiceProfile): void {
  const invoice = new DataNode(group, INVOICE.name);
  group['cbc:CustomizationID'] = profileRules(profile).specification;
  if (profile === 'xrechnung') group['cbc:ProfileID'] ??= BUSINESS_PROCESS;
  if (invoice.text('cac:OrderReference/cbc:SalesOrderID') && !invoice.text('cac:OrderReference/cbc:ID'))
    setValue(group, 'cac:OrderReference/cbc:ID', 'NA');
  // In any currency, XRechnung allows the net amount of a line to differ by at most 0.02 from quantity times price (PEPPOL-EN16931-R120).
  const places = profile === 'xrechnung' ? 2 : placesOf(invoice);
  for (const line of invoice.children('cac:InvoiceLine')) completeLine(line, places);
  completeTotals(invoice);
  if (profile === 'xrechnung') fillRates(invoice);
  fillDefaults(group);
}

/** Sets the absent rates of the category O to 0, because XRechnung requires a rate in each VAT breakdown (BR-DE-14). */
function fillRates(invoice: DataNode): void {
  for (const total of invoice.children('cac:TaxTotal'))
    for (const subtotal of total.children('cac:TaxSubtotal')) {
      const category = subtotal.child('cac:TaxCategory');
      if (category?.text('cbc:ID') === 'O') category.group['cbc:Percent'] ??= '0';
    }
}

/**
 * Sets absent tax schemes to VAT, absent currencies of amounts to the currency of the invoice, and the absent document type codes of
 * invoiced objects (BT-128). CII omits these values.
 */
export function fillDefaults(group: Group): void {
  fillTaxSchemes(group, INVOICE);
  for (const line of new DataNode(group, '').children('cac:InvoiceLine')) {
    const object = line.child('cac:DocumentReference');
    if (object) object.group['cbc:DocumentTypeCode'] ??= INVOICED_OBJECT;
  }
  const currency = new DataNode(group, '').text('cbc:DocumentCurrencyCode');
  if (currency !== undefined) fillCurrency(group, INVOICE, currency);
}

function completeLine(line: DataNode, places: number): void {
  completePriceDiscount(line);
  if (line.text('cbc:LineExtensionAmount') !== undefined) return;
  const amount = lineAmount(line, places);
  if (amount) line.group['cbc:LineExtensionAmount'] = amount.toFixed(places);
}

/** Completes a price discount (BT-147): marks it as an allowance, and adds the gross price (BT-148), which CII requires. */
function completePriceDiscount(line: DataNode): void {
  const discount = line.child('cac:Price/cac:AllowanceCharge');
  const net = decimalAt(line, 'cac:Price/cbc:PriceAmount');
  const amount = discount && decimalAt(discount, 'cbc:Amount');
  if (!discount || !net || !amount) return;
  discount.group['cbc:ChargeIndicator'] ??= 'false';
  discount.group['cbc:BaseAmount'] ??= net.plus(amount).toFixed();
}

/** Computes the net amount of a line (BT-131): quantity times net price per base quantity, minus allowances, plus charges. Rounds once. */
export function lineAmount(line: DataNode, places = 2): Decimal | undefined {
  const quantity = decimalAt(line, 'cbc:InvoicedQuantity');
  const price = decimalAt(line, 'cac:Price/cbc:PriceAmount');
  if (!quantity || !price) return undefined;
  const base = decimalAt(line, 'cac:Price/cbc:BaseQuantity') ?? ONE;
  if (base.isZero) return undefined;
  const { allowances, charges } = allowanceSums(line.children('cac:AllowanceCharge'));
  return quantity.times(price).plus(charges.minus(allowances).times(base)).dividedBy(base, places);
}

/** Adds up allowances and charges. */
export function allowanceSums(list: readonly DataNode[]): { allowances: Decimal; charges: Decimal } {
  const sum = (indicator: string) =>
    Decimal.sum(
      list
        .filter((node) => node.text('cbc:ChargeIndicator') === indicator)
        .map((node) => decimalAt(node, 'cbc:Amount') ?? Decimal.zero),
    );
  return { allowances: sum('false'), charges: sum('true') };
}

/** Returns the number of decimals of amounts in the currency of the invoice. */
function placesOf(invoice: DataNode): number {
  return decimalsOf(invoice.text('cbc:DocumentCurrencyCode'));
}

function completeTotals(invoice: DataNode): void {
  const { group } = invoice;
  const places = placesOf(invoice);
  const lines = invoice.children('cac:InvoiceLine');
  const allowanceCharges = invoice.children('cac:AllowanceCharge');
  const { allowances, charges } = allowanceSums(allowanceCharges);
  const totals = new DataNode(ensureGroup(group, 'cac:LegalMonetaryTotal'), '');
  const given = (name: string) => decimalAt(totals, name);
  const fill = (name: string, value: Decimal) => (totals.group[name] ??= value.toFixed(places));
  if (lines.length > 0)
    fill(
      'cbc:LineExtensionAmount',
      Decimal.sum(lines.map((line) => decimalAt(line, 'cbc:LineExtensionAmount') ?? Decimal.zero)),
    );
  if (!allowances.isZero) fill('cbc:AllowanceTotalAmount', allowances);
  if (!charges.isZero) fill('cbc:ChargeTotalAmount', charges);
  const net = given('cbc:LineExtensionAmount');
  if (net)
    fill(
      'cbc:TaxExclusiveAmount',
      net
        .minus(given('cbc:AllowanceTotalAmount') ?? Decimal.zero)
        .plus(given('cbc:ChargeTotalAmount') ?? Decimal.zero)
        .rounded(),
    );
  const tax = completeTax(invoice, lines, allowanceCharges);
  const exclusive = given('cbc:TaxExclusiveAmount');
  if (exclusive && tax) fill('cbc:TaxInclusiveAmount', exclusive.plus(tax).rounded());
  const inclusive = given('cbc:TaxInclusiveAmount');
  if (inclusive)
    fill(
      'cbc:PayableAmount',
      inclusive
        .minus(given('cbc:PrepaidAmount') ?? Decimal.zero)
        .plus(given('cbc:PayableRoundingAmount') ?? Decimal.zero)
        .rounded(),
    );
  if (Object.keys(totals.group).length === 0) delete group['cac:LegalMonetaryTotal'];
}

/** Tells whether a VAT total is in the currency of the invoice, rather than in the accounting currency (BT-6). */
export function isOwnTotal(total: DataNode, currency: string | undefined): boolean {
  return [undefined, currency].includes(total.text('cbc:TaxAmount@currencyID'));
}

/** Completes the VAT breakdown in the currency of the invoice, and returns its total. */
function completeTax(
  invoice: DataNode,
  lines: readonly DataNode[],
  allowanceCharges: readonly DataNode[],
): Decimal | undefined {
  const { group } = invoice;
  const places = placesOf(invoice);
  const currency = invoice.text('cbc:DocumentCurrencyCode');
  const totals = invoice.children('cac:TaxTotal');
  let own = totals.find((total) => isOwnTotal(total, currency));
  if (!own) {
    if (lines.length === 0) return undefined;
    own = new DataNode({}, '');
    group['cac:TaxTotal'] = [own.group, ...totals.map((total) => total.group)];
  }
  if (own.children('cac:TaxSubtotal').length === 0 && lines.length > 0)
    own.group['cac:TaxSubtotal'] = subtotals(taxBuckets(lines, allowanceCharges), places);
  for (const subtotal of own.children('cac:TaxSubtotal')) {
    const taxable = decimalAt(subtotal, 'cbc:TaxableAmount');
    if (taxable && subtotal.text('cbc:TaxAmount') === undefined)
      subtotal.group['cbc:TaxAmount'] = taxOf(taxable, subtotal, places).toFixed(places);
  }
  const amounts = own
    .children('cac:TaxSubtotal')
    .map((one) => decimalAt(one, 'cbc:TaxAmount') ?? Decimal.zero);
  if (amounts.length > 0) own.group['cbc:TaxAmount'] ??= Decimal.sum(amounts).toFixed(places);
  return decimalAt(own, 'cbc:TaxAmount');
}

/** Computes the VAT of a subtotal, rounded (BR-CO-17). */
export function taxOf(taxable: Decimal, subtotal: DataNode, places = 2): Decimal {
  const rate = decimalAt(subtotal, 'cac:TaxCategory/cbc:Percent') ?? Decimal.zero;
  return taxable.times(rate).dividedBy(HUNDRED, places);
}

/** A VAT category and rate, and the sum of their amounts. */
interface TaxBucket {
  category: string;
  rate: string | undefined;
  sum: Decimal;
}

/** Adds up lines, allowances and charges by VAT category and rate. */
export function taxBuckets(
  lines: readonly DataNode[],
  allowanceCharges: readonly DataNode[],
): ReadonlyMap<string, TaxBucket> {
  const buckets = new Map<string, TaxBucket>();
  const add = (node: DataNode, path: string, amount: Decimal | undefined) => {
    const category = node.text(`${path}/cbc:ID`);
    if (category === undefined || !amount) return;
    const rate = node.text(`${path}/cbc:Percent`);
    const key = bucketKey(category, rate);
    const bucket = buckets.get(key) ?? { category, rate, sum: Decimal.zero };
    buckets.set(key, { ...bucket, sum: bucket.sum.plus(amount) });
  };
  for (const line of lines) add(line, LINE_TAX, decimalAt(line, 'cbc:LineExtensionAmount'));
  for (const one of allowanceCharges) {
    const amount = decimalAt(one, 'cbc:Amount');
    add(one, ALLOWANCE_TAX, one.text('cbc:ChargeIndicator') === 'true' ? amount : amount?.negated);
  }
  return buckets;
}

/** The VAT categories in which an invoice can have several rates. */
const WITH_RATES: ReadonlySet<string> = new Set(['S', 'L', 'M', 'B']);

/** Returns the key of a category and rate in {@link taxBuckets}. A category that allows only one rate has one bucket. */
export function bucketKey(category: string, rate: string | undefined): string {
  if (!WITH_RATES.has(category)) return category;
  return `${category} ${Decimal.parse(rate ?? '')?.toFixed(20) ?? ''}`;
}

function subtotals(buckets: ReturnType<typeof taxBuckets>, places: number): Group[] {
  return [...buckets.values()].map(({ category, rate, sum }) => {
    const reason = REASONS[category];
    const tax: Group = { 'cbc:ID': category };
    if (rate !== undefined) tax['cbc:Percent'] = rate;
    if (reason) {
      tax['cbc:TaxExemptionReasonCode'] = reason.code;
      tax['cbc:TaxExemptionReason'] = reason.text;
    }
    return { 'cbc:TaxableAmount': sum.rounded().toFixed(places), 'cac:TaxCategory': tax };
  });
}

function fillTaxSchemes(group: Group, shape: GroupShape): void {
  for (const child of shape.children) {
    if (child.kind === 'value') continue;
    if (child.name === 'cac:TaxScheme') {
      if (new DataNode(group, '').text('cac:TaxScheme/cbc:ID') === undefined)
        group['cac:TaxScheme'] = { 'cbc:ID': 'VAT' };
    } else for (const one of groupsOf(group, child.name)) fillTaxSchemes(one, child);
  }
}

function fillCurrency(group: Group, shape: GroupShape, currency: string): void {
  for (const child of shape.children) {
    if (child.kind === 'group')
      for (const one of groupsOf(group, child.name)) fillCurrency(one, child, currency);
    else if (child.type === 'amount' && group[child.name] !== undefined)
      group[`${child.name}@currencyID`] ??= currency;
  }
}

function groupsOf(group: Group, name: string): Group[] {
  const found = group[name];
  const list = Array.isArray(found) ? found : [found];
  return list.filter((one): one is Group => typeof one === 'object');
}

/** Reads the number at a path; `undefined` if it is absent. */
export function decimalAt(node: DataNode, path: string): Decimal | undefined {
  const text = node.text(path);
  return text === undefined ? undefined : Decimal.parse(text);
}
