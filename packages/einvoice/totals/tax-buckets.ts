import type { DataNode } from '../data/node.ts';
import { Decimal } from '../decimal.ts';
import { decimalAt } from './sums.ts';

/** The path of the VAT category of a document level allowance or charge. */
const ALLOWANCE_TAX = 'cac:TaxCategory';
/** The path of the VAT category of a line. */
const LINE_TAX = 'cac:Item/cac:ClassifiedTaxCategory';

/** The VAT categories of the lines and of the document level allowances and charges of an invoice. */
export function taxedParts(
  invoice: DataNode,
): { node: DataNode; path: string; amount: Decimal | undefined }[] {
  return [
    ...invoice.children('cac:InvoiceLine').map((node) => ({
      node,
      path: LINE_TAX,
      amount: decimalAt(node, 'cbc:LineExtensionAmount'),
    })),
    ...invoice.children('cac:AllowanceCharge').map((node) => {
      const amount = decimalAt(node, 'cbc:Amount');
      const isCharge = node.text('cbc:ChargeIndicator') === 'true';
      return { node, path: ALLOWANCE_TAX, amount: isCharge ? amount : amount?.negated };
    }),
  ];
}

/** A VAT category and rate, and the sum of their amounts. */
export interface TaxBucket {
  category: string;
  rate: string | undefined;
  sum: Decimal;
  /** The number of added amounts. */
  count: number;
  /** The path of the first VAT category in the data. */
  path: string;
}

/** Adds up lines, allowances and charges by VAT category and rate. */
export function taxBuckets(invoice: DataNode): ReadonlyMap<string, TaxBucket> {
  const buckets = new Map<string, TaxBucket>();
  for (const { node, path, amount } of taxedParts(invoice)) {
    const category = node.text(`${path}/cbc:ID`);
    if (category === undefined || !amount) continue;
    const rate = node.text(`${path}/cbc:Percent`);
    const key = bucketKey(category, rate);
    const bucket = buckets.get(key) ?? {
      category,
      rate,
      sum: Decimal.zero,
      count: 0,
      path: node.pathOf(path),
    };
    buckets.set(key, { ...bucket, sum: bucket.sum.plus(amount), count: bucket.count + 1 });
  }
  return buckets;
}

/** The VAT categories in which an invoice can have several rates. */
const WITH_RATES: ReadonlySet<string> = new Set(['S', 'L', 'M', 'B']);

/**
 * Returns the key of a category and rate in {@link taxBuckets}. A category that allows only one rate has one
 * bucket.
 */
export function bucketKey(category: string, rate: string | undefined): string {
  if (!WITH_RATES.has(category)) return category;
  return `${category} ${Decimal.parse(rate ?? '')?.toFixed(20) ?? ''}`;
}
