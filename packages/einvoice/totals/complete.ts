import { DataNode, ensureGroup, setValue, type Group } from '../data/node.ts';
import { INVOICE, type GroupShape } from '../data/shape.ts';
import { Decimal } from '../decimal.ts';
import { profileRules, type InvoiceProfile } from '../profiles.ts';
import { decimalsOf, lineDecimalsOf } from './currency.ts';
import { allowanceSums, decimalAt } from './sums.ts';
import { completeTax, type CallerPath } from './tax.ts';

/** The default business process (BT-23) of XRechnung, which requires one (PEPPOL-EN16931-R001). */
const BUSINESS_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const ONE = Decimal.of('1');

/** The type code of a reference to an invoiced object (UNTDID 1001). */
const INVOICED_OBJECT = '130';

/**
 * Adds absent values that follow from others: identifiers of the profile, currencies, line amounts, VAT and
 * totals. Keeps present values, except that it replaces the specification identifier (BT-24) with that of the
 * profile. Returns the function that converts the path of a value in the completed invoice to its path in the
 * data of the caller.
 */
export function completeInvoice(group: Group, profile: InvoiceProfile): CallerPath {
  const invoice = new DataNode(group, INVOICE.name);
  group['cbc:CustomizationID'] = profileRules(profile).specification;
  if (profile === 'xrechnung') group['cbc:ProfileID'] ??= BUSINESS_PROCESS;
  if (invoice.text('cac:OrderReference/cbc:SalesOrderID') && !invoice.text('cac:OrderReference/cbc:ID'))
    setValue(group, 'cac:OrderReference/cbc:ID', 'NA');
  const decimals = lineDecimalsOf(currencyOf(invoice), profile);
  for (const line of invoice.children('cac:InvoiceLine')) completeLine(line, decimals);
  const callerPath = completeTotals(invoice);
  if (profile === 'xrechnung') fillRates(invoice);
  fillDefaults(group);
  return callerPath;
}

/**
 * Sets the absent rates of the category O to 0, because XRechnung requires a rate in each VAT breakdown
 * (BR-DE-14).
 */
function fillRates(invoice: DataNode): void {
  for (const total of invoice.children('cac:TaxTotal'))
    for (const subtotal of total.children('cac:TaxSubtotal')) {
      const category = subtotal.child('cac:TaxCategory');
      if (category?.text('cbc:ID') === 'O') category.group['cbc:Percent'] ??= '0';
    }
}

/**
 * Sets absent tax schemes to VAT, absent currencies of amounts to the currency of the invoice, and the absent
 * document type codes of invoiced objects (BT-128). CII omits these values.
 */
export function fillDefaults(group: Group): void {
  fillTaxSchemes(group, INVOICE);
  for (const line of new DataNode(group, '').children('cac:InvoiceLine')) {
    const object = line.child('cac:DocumentReference');
    if (object) object.group['cbc:DocumentTypeCode'] ??= INVOICED_OBJECT;
  }
  const currency = currencyOf(new DataNode(group, ''));
  if (currency !== undefined) fillCurrency(group, INVOICE, currency);
}

function completeLine(line: DataNode, decimals: number): void {
  completePriceDiscount(line);
  if (line.text('cbc:LineExtensionAmount') !== undefined) return;
  const amount = lineAmount(line, decimals);
  if (amount) line.group['cbc:LineExtensionAmount'] = amount.toFixed(decimals);
}

/**
 * Completes a price discount (BT-147): marks it as an allowance, and adds the gross price (BT-148), which CII
 * requires.
 */
function completePriceDiscount(line: DataNode): void {
  const discount = line.child('cac:Price/cac:AllowanceCharge');
  const net = decimalAt(line, 'cac:Price/cbc:PriceAmount');
  const amount = discount && decimalAt(discount, 'cbc:Amount');
  if (!discount || !net || !amount) return;
  discount.group['cbc:ChargeIndicator'] ??= 'false';
  discount.group['cbc:BaseAmount'] ??= net.plus(amount).toFixed();
}

/**
 * Computes the net amount of a line (BT-131): quantity times net price per base quantity, minus allowances,
 * plus charges. Rounds once.
 */
export function lineAmount(line: DataNode, decimals = 2): Decimal | undefined {
  const quantity = decimalAt(line, 'cbc:InvoicedQuantity');
  const price = decimalAt(line, 'cac:Price/cbc:PriceAmount');
  if (!quantity || !price) return undefined;
  const base = decimalAt(line, 'cac:Price/cbc:BaseQuantity') ?? ONE;
  if (base.isZero) return undefined;
  const { allowances, charges } = allowanceSums(line.children('cac:AllowanceCharge'));
  return quantity.times(price).plus(charges.minus(allowances).times(base)).dividedBy(base, decimals);
}

function currencyOf(invoice: DataNode): string | undefined {
  return invoice.text('cbc:DocumentCurrencyCode');
}

function completeTotals(invoice: DataNode): CallerPath {
  const { group } = invoice;
  const decimals = decimalsOf(currencyOf(invoice));
  const lines = invoice.children('cac:InvoiceLine');
  const allowanceCharges = invoice.children('cac:AllowanceCharge');
  const { allowances, charges } = allowanceSums(allowanceCharges);
  const totals = new DataNode(ensureGroup(group, 'cac:LegalMonetaryTotal'), '');
  const given = (name: string) => decimalAt(totals, name);
  const fill = (name: string, value: Decimal) => (totals.group[name] ??= value.toFixed(decimals));
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
  const { tax, callerPath } = completeTax(invoice, decimals);
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
  return callerPath;
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
