import { DataNode, ensureGroup, type Group } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import {
  EXEMPT,
  exemptionReasons,
  fillReason,
  removePartReasons,
  type ExemptionReasons,
} from './exemption-reasons.ts';
import { isOwnTotal } from './own-total.ts';
import { decimalAt } from './sums.ts';
import { bucketKey, taxBuckets, type TaxBucket } from './tax-buckets.ts';

const HUNDRED = Decimal.of('100');
const CATEGORY = 'cac:TaxCategory';

/**
 * Converts the path of a value in a completed invoice to its path in the data of the caller, or to the path
 * of the value that it was computed from.
 */
export type CallerPath = (path: string) => string;

/** Computes the VAT of a subtotal, rounded (BR-CO-17). */
export function taxOf(taxable: Decimal, subtotal: DataNode, decimals = 2): Decimal {
  const rate = decimalAt(subtotal, `${CATEGORY}/cbc:Percent`) ?? Decimal.zero;
  return taxable.times(rate).dividedBy(HUNDRED, decimals);
}

/**
 * Completes the VAT breakdown in the currency of the invoice, and makes it the first. Moves the exemption
 * reasons of lines to it. Returns its total.
 */
export function completeTax(
  invoice: DataNode,
  decimals: number,
): { tax: Decimal | undefined; callerPath: CallerPath } {
  const { group } = invoice;
  const buckets = taxBuckets(invoice);
  const reasons = exemptionReasons(invoice);
  const currency = invoice.text('cbc:DocumentCurrencyCode');
  const totals = invoice.children('cac:TaxTotal');
  removePartReasons(invoice);
  const index = totals.findIndex((total) => isOwnTotal(total, currency));
  if (index < 0 && buckets.size === 0 && invoice.children('cac:InvoiceLine').length === 0)
    return { tax: undefined, callerPath: (path) => path };
  const own: Group = totals[index]?.group ?? {};
  const others = totals.filter((_, at) => at !== index);
  group['cac:TaxTotal'] = [own, ...others.map((total) => total.group)];
  const [total] = invoice.children('cac:TaxTotal');
  const computed = total
    ? completeSubtotals(total, { buckets, reasons, decimals })
    : new Map<string, string>();
  const amounts = (total?.children('cac:TaxSubtotal') ?? []).map(
    (one) => decimalAt(one, 'cbc:TaxAmount') ?? Decimal.zero,
  );
  if (amounts.length > 0) own['cbc:TaxAmount'] ??= Decimal.sum(amounts).toFixed(decimals);
  const order = [index, ...totals.keys().filter((at) => at !== index)];
  return { tax: total && decimalAt(total, 'cbc:TaxAmount'), callerPath: callerPathOf(computed, order) };
}

interface Breakdown {
  buckets: ReadonlyMap<string, TaxBucket>;
  reasons: ExemptionReasons;
  decimals: number;
}

/**
 * Fills in the subtotals without amounts. If the caller gave no other subtotals, adds the missing ones.
 * Returns the paths of the added ones, with the paths of the categories that they sum up.
 */
function completeSubtotals(total: DataNode, { buckets, reasons, decimals }: Breakdown): Map<string, string> {
  const unused = new Map(buckets);
  const given = total.children('cac:TaxSubtotal');
  const bare = given.filter(
    (one) => one.text('cbc:TaxableAmount') === undefined && one.text('cbc:TaxAmount') === undefined,
  );
  for (const subtotal of given) if (!bare.includes(subtotal)) unused.delete(keyOf(subtotal));
  for (const subtotal of bare) fillSubtotal(subtotal, { unused, decimals });
  const added = given.length === 0 || bare.length > 0 ? [...unused.values()] : [];
  const computed = new Map<string, string>();
  if (added.length > 0)
    total.group['cac:TaxSubtotal'] = [
      ...given.map(({ group }) => group),
      ...added.map((bucket) => subtotalOf(bucket, decimals)),
    ];
  const all = total.children('cac:TaxSubtotal');
  for (const [at, { path }] of added.entries()) computed.set(all[given.length + at]?.path ?? '', path);
  for (const subtotal of all) {
    const taxable = decimalAt(subtotal, 'cbc:TaxableAmount');
    if (taxable && subtotal.text('cbc:TaxAmount') === undefined)
      subtotal.group['cbc:TaxAmount'] = taxOf(taxable, subtotal, decimals).toFixed(decimals);
    const category = subtotal.child(CATEGORY);
    // The standard reason belongs to computed amounts only: given ones are checked as they are.
    const isGiven =
      given.some(({ path }) => path === subtotal.path) && !bare.some(({ path }) => path === subtotal.path);
    if (category) fillReason(category, { reasons, usesStandard: !isGiven });
  }
  return computed;
}

/**
 * Fills in the amounts of a subtotal from the bucket of its category, or from the only exempt one if the
 * subtotal has no category.
 */
function fillSubtotal(
  subtotal: DataNode,
  { unused, decimals }: { unused: Map<string, TaxBucket>; decimals: number },
): void {
  const id = subtotal.text(`${CATEGORY}/cbc:ID`);
  const rate = subtotal.text(`${CATEGORY}/cbc:Percent`);
  const fitting = [...unused].filter(([key, { category }]) =>
    id === undefined
      ? EXEMPT.has(category)
      : category === id && (rate === undefined || key === bucketKey(id, rate)),
  );
  const [found] = fitting;
  if (!found || fitting.length > 1) return;
  const [key, bucket] = found;
  unused.delete(key);
  const category = ensureGroup(subtotal.group, CATEGORY);
  category['cbc:ID'] ??= bucket.category;
  if (bucket.rate !== undefined) category['cbc:Percent'] ??= bucket.rate;
  subtotal.group['cbc:TaxableAmount'] = bucket.sum.rounded().toFixed(decimals);
}

function subtotalOf({ category, rate, sum }: TaxBucket, decimals: number): Group {
  const tax: Group = { 'cbc:ID': category };
  if (rate !== undefined) tax['cbc:Percent'] = rate;
  return { 'cbc:TaxableAmount': sum.rounded().toFixed(decimals), [CATEGORY]: tax };
}

function keyOf(subtotal: DataNode): string {
  return bucketKey(subtotal.text(`${CATEGORY}/cbc:ID`) ?? '', subtotal.text(`${CATEGORY}/cbc:Percent`));
}

const TOTAL = /^ubl:Invoice\.cac:TaxTotal\[([0-9]+)\]/;

function callerPathOf(computed: ReadonlyMap<string, string>, order: readonly number[]): CallerPath {
  return (path) => {
    for (const [subtotal, source] of computed)
      if (path === subtotal || path.startsWith(`${subtotal}.`)) {
        const inCategory = `${subtotal}.${CATEGORY}.`;
        return path.startsWith(inCategory) ? `${source}.${path.slice(inCategory.length)}` : source;
      }
    return path.replace(TOTAL, (whole, at: string) => {
      const index = order[Number(at)] ?? -1;
      return index < 0 ? whole : `ubl:Invoice.cac:TaxTotal[${index}]`;
    });
  };
}
