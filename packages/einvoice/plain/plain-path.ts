import { INVOICE } from '../data/shape.ts';
import { isGroup, PLAIN_INVOICE, type FieldGroup } from './fields.ts';
import { isTree, type Tree } from './read-plain.ts';
import { hasValue } from './values.ts';

/** Elements above or beside the fields of the shape, with the field that a finding about them names. */
const OTHER_PLACES: Readonly<Record<string, string>> = {
  'cac:AccountingSupplierParty': 'seller',
  'cac:AccountingSupplierParty.cac:Party.cac:Contact': 'seller.contact',
  'cac:AccountingSupplierParty.cac:Party.cac:PartyIdentification': 'seller.id',
  'cac:AccountingCustomerParty': 'buyer',
  'cac:AccountingCustomerParty.cac:Party.cac:Contact': 'buyer.contact',
  'cac:AccountingCustomerParty.cac:Party.cac:PartyTaxScheme': 'buyer.vat_id',
  'cac:BillingReference': 'preceding',
  'cac:Delivery': 'delivery_date',
  'cac:Delivery.cac:DeliveryLocation': 'delivery_address',
  'cac:InvoiceLine.cac:Item': 'lines[].name',
  'cac:InvoiceLine.cac:Price': 'lines[].price',
  'cac:InvoiceLine.cac:AllowanceCharge.cbc:AllowanceChargeReasonCode': 'lines[].discount.reason',
  'cac:InvoiceLine.cac:AllowanceCharge.cbc:BaseAmount': 'lines[].discount.percent',
  'cac:LegalMonetaryTotal': 'totals',
  'cac:PaymentMeans': 'payment',
  'cac:PaymentMeans.cac:PayeeFinancialAccount': 'payment.iban',
  'cac:PaymentMeans.cac:PaymentMandate': 'payment.mandate',
  'cac:TaxTotal': 'totals.taxes',
};

/** The properties of VAT by their elements. */
const TAX_PROPERTIES: Readonly<Record<string, string>> = {
  'cbc:ID': 'category',
  'cbc:Percent': 'rate',
  'cbc:TaxExemptionReason': 'reason',
  'cbc:TaxExemptionReasonCode': 'reason_code',
};
const ALLOWANCE_PROPERTIES: Readonly<Record<string, string>> = {
  'cbc:Amount': '.amount',
  'cbc:AllowanceChargeReason': '.reason',
  'cbc:AllowanceChargeReasonCode': '.reason',
  'cbc:BaseAmount': '.percent',
  'cbc:MultiplierFactorNumeric': '.percent',
};
const ADDRESSES = /^cac:Accounting(Supplier|Customer)Party\.cac:Party\.cbc:EndpointID(?:@schemeID)?$/;
const ALLOWANCE = /^cac:AllowanceCharge\[(\d+)\](?:\.([^.]+)(?:\.(.+))?)?$/;
const REGISTRATION = /^cac:AccountingSupplierParty\.cac:Party\.cac:PartyTaxScheme(?:\[(\d+)\])?/;
const TAX_TOTAL = /^cac:TaxTotal\[(\d+)\]\.cbc:TaxAmount/;

/** The fields of the shape by their places, both without indexes. */
let places: Map<string, string> | undefined;

function placesOf(): ReadonlyMap<string, string> {
  if (places) return places;
  places = new Map();
  addPlaces(PLAIN_INVOICE, { place: '', path: '', into: places });
  for (const [place, path] of Object.entries(OTHER_PLACES)) places.set(place, path);
  return places;
}

function addPlaces(
  { fields }: FieldGroup,
  { place, path, into }: { place: string; path: string; into: Map<string, string> },
): void {
  for (const one of fields) {
    const inner = one.ubl.startsWith('/') ? one.ubl.slice(1) : [place, one.ubl].filter(Boolean).join('/');
    const at = `${path}${path === '' ? '' : '.'}${one.name}${isGroup(one) && one.isList ? '[]' : ''}`;
    const dotted = inner.replaceAll('/', '.');
    // The first field of an element is the one that callers give.
    if (one.ubl !== '' && !into.has(dotted)) into.set(dotted, at);
    if (isGroup(one)) addPlaces(one, { place: inner, path: at, into });
  }
}

/**
 * Returns the path in the plain data of a path in the UBL data that was made from it, such as
 * `lines[0].price`. `ubl` is the UBL data.
 */
export function plainPath(path: string, { data, ubl }: { data: Tree; ubl: Tree }): string {
  if (path !== INVOICE.name && !path.startsWith(`${INVOICE.name}.`)) return path;
  const place = path.slice(INVOICE.name.length + 1);
  const own = ownPath(place, { data, ubl });
  if (own !== undefined) return own;
  const steps = place.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const known = placesOf().get(withoutIndexes(steps.slice(0, length).join('.')));
    if (known === undefined) continue;
    const indexes = [...place.matchAll(/(?:InvoiceLine|TaxSubtotal)\[(\d+)\]/g)].map(([, index]) => index);
    const found = known.replace('[]', indexes[0] === undefined ? '' : `[${indexes[0]}]`);
    return found + taxProperty(found, steps.slice(length), data);
  }
  return '';
}

function withoutIndexes(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}

/** Returns the paths whose places depend on the data. */
function ownPath(place: string, { data, ubl }: { data: Tree; ubl: Tree }): string | undefined {
  const [, party] = ADDRESSES.exec(place) ?? [];
  if (party !== undefined) {
    const name = party === 'Supplier' ? 'seller' : 'buyer';
    const given = data[name];
    return isTree(given) && given['electronic_address'] ? `${name}.electronic_address` : `${name}.email`;
  }
  const allowance = ALLOWANCE.exec(place);
  if (allowance) return allowancePath(allowance, data);
  const registration = REGISTRATION.exec(place);
  if (registration) {
    const { seller } = data;
    const names = ['vat_id', 'tax_number'].filter((name) => isTree(seller) && hasValue(seller[name]));
    return `seller.${names[Number(registration[1] ?? 0)] ?? 'vat_id'}`;
  }
  const [, total] = TAX_TOTAL.exec(place) ?? [];
  if (total === undefined) return undefined;
  const totals = ubl['cac:TaxTotal'];
  const found: unknown = Array.isArray(totals) ? totals[Number(total)] : undefined;
  return isTree(found) && 'cbc:TaxAmount@currencyID' in found ? 'totals.tax_in_tax_currency' : 'totals.tax';
}

/** Discounts and charges are in one list, in the order of their lists in the data. */
function allowancePath([, index = '', element = '', rest = '']: RegExpExecArray, data: Tree): string {
  let at = Number(index);
  for (const name of Object.keys(data)) {
    const list = data[name];
    if ((name !== 'discounts' && name !== 'charges') || !Array.isArray(list)) continue;
    if (at < list.length) {
      const path = `${name}[${at}]`;
      if (element !== 'cac:TaxCategory') return path + (ALLOWANCE_PROPERTIES[element] ?? '');
      return `${path}.vat${taxProperty(`${path}.vat`, rest === '' ? [] : rest.split('.'), data)}`;
    }
    at -= list.length;
  }
  return '';
}

/** Returns the property of VAT that is given as an object, as `.rate`. */
function taxProperty(path: string, [element = '']: readonly string[], data: Tree): string {
  const property = TAX_PROPERTIES[element];
  return property !== undefined && path.endsWith('.vat') && isTree(valueAt(path, data)) ? `.${property}` : '';
}

/** Returns the value at a path such as `lines[0].price`. */
export function valueAt(path: string, data: Tree): unknown {
  let at: unknown = data;
  for (const step of path.split(/[.[\]]+/).filter((one) => one !== ''))
    at = typeof at === 'object' && at !== null ? (at as Tree)[step] : undefined;
  return at;
}
