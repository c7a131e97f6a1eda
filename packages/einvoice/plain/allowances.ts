import { FORMAT } from '../data/read-data.ts';
import { Decimal } from '../decimal.ts';
import type { Findings } from '../findings.ts';
import { differsByMoreThanRounding } from '../totals/currency.ts';
import { bucketKey } from '../totals/tax-buckets.ts';
import { isTree, type Tree } from './read-plain.ts';
import { decimalOf, groupOf, hasValue, listOf } from './values.ts';
import { checkVatDetails } from './vat-details.ts';

/** The reason code of a discount without a reason (UNTDID 5189). */
const DISCOUNT = '95';
const HUNDRED = Decimal.of('100');
const ONE = Decimal.of('1');

/** The decimals of the amounts that are mapped to UBL data, and the findings about the plain data. */
export interface UblContext {
  /** The number of decimals of the amounts of lines, discounts and charges. */
  decimals: 0 | 2;
  findings: Findings;
}

/** The place of a discount or charge, and the amount of which its percentage is taken. */
interface AllowanceContext extends UblContext {
  path: string;
  /** Absent if the amount is unknown because data is missing or malformed, which has its own findings. */
  base: Decimal | undefined;
}

/**
 * Maps the discount of a line, and checks the given amount of the line. Adds a finding
 * if `price_quantity` is not positive.
 */
export function mapLineAmounts(plain: Tree, line: Tree, context: UblContext & { path: string }): void {
  const { decimals, findings, path } = context;
  if (decimalOf(plain['price_quantity'])?.isPositive === false)
    findings.add(FORMAT, `${path}.price_quantity`, 'must be greater than 0');
  const discount = line['cac:AllowanceCharge'];
  if (isTree(discount))
    mapDiscount(groupOf(plain, 'discount'), discount, {
      ...context,
      path: `${path}.discount`,
      base: fullAmount(plain, { decimals }),
    });
  const given = decimalOf(plain['amount']);
  const amount = computedAmount(plain, line, decimals);
  if (given && amount && differsByMoreThanRounding(given, amount, decimals))
    findings.add(
      FORMAT,
      `${path}.amount`,
      `must be ${amount.toFixed(decimals)} (quantity × price ÷ price_quantity, minus the discount), or be absent`,
    );
}

/** Computes the net amount of a line; `undefined` if a value of it is absent or not a number. */
function computedAmount(plain: Tree, line: Tree, decimals: number): Decimal | undefined {
  const discount = line['cac:AllowanceCharge'];
  if (!isTree(discount)) return fullAmount(plain, { decimals });
  const amount = decimalOf(discount['cbc:Amount']);
  return amount && fullAmount(plain, { decimals, discount: amount });
}

/**
 * Computes quantity times price per quantity of the price, minus a discount. Rounds once. Returns `undefined`
 * if a value is absent or not a number.
 */
function fullAmount(
  plain: Tree,
  { decimals, discount = Decimal.zero }: { decimals: number; discount?: Decimal },
): Decimal | undefined {
  const [quantity, price] = [decimalOf(plain['quantity']), decimalOf(plain['price'])];
  const base = hasValue(plain['price_quantity']) ? decimalOf(plain['price_quantity']) : ONE;
  if (!quantity || !price || !base?.isPositive) return undefined;
  return quantity.times(price).minus(discount.times(base)).dividedBy(base, decimals);
}

/** Maps the discounts and charges of the invoice; `copyFields` put them in one list. */
export function mapAllowances(data: Tree, invoice: Tree, context: UblContext): void {
  const all = listOf(invoice, 'cac:AllowanceCharge');
  const ordered = Object.keys(data).filter((name) => name === 'discounts' || name === 'charges');
  const plain = ordered.flatMap((name) =>
    listOf(data, name).map((item, index) => ({ item, name, path: `${name}[${index}]` })),
  );
  const sums = new LineSums(data, invoice, context.decimals);
  for (const [index, { item, name, path }] of plain.entries()) {
    const allowance = all[index] ?? {};
    const category = allowance['cac:TaxCategory'];
    checkVatDetails(item, category, { ...context, path });
    if (decimalOf(item['percent']) && sums.isWithout(category) && !(sums.isEmpty && hasValue(item['amount'])))
      context.findings.add(
        FORMAT,
        `${path}.percent`,
        'needs a line with the same VAT, because it is a percentage of such lines; give only "amount" instead',
      );
    const at = { ...context, path, base: sums.of(category) };
    if (name === 'discounts') mapDiscount(item, allowance, at);
    else {
      allowance['cbc:ChargeIndicator'] = 'true';
      mapPercent(item, allowance, at);
    }
  }
}

function mapDiscount(plain: Tree, allowance: Tree, context: AllowanceContext): void {
  allowance['cbc:ChargeIndicator'] = 'false';
  if (!hasValue(plain['reason'])) allowance['cbc:AllowanceChargeReasonCode'] = DISCOUNT;
  mapPercent(plain, allowance, context);
}

function mapPercent(plain: Tree, allowance: Tree, context: AllowanceContext): void {
  const { path, base, findings, decimals } = context;
  if (!hasValue(plain['percent'])) return;
  const percent = decimalOf(plain['percent']);
  if (!percent || percent.isNegative)
    return findings.add(FORMAT, `${path}.percent`, 'must be a percentage such as 10');
  const rate = percent.rounded(percent.decimals).toFixed(0);
  if (base || hasValue(plain['amount'])) allowance['cbc:MultiplierFactorNumeric'] = rate;
  if (!base) return;
  allowance['cbc:BaseAmount'] = base.toFixed(decimals);
  const amount = base.times(percent).dividedBy(HUNDRED, decimals);
  if (!hasValue(plain['amount'])) allowance['cbc:Amount'] = amount.toFixed(decimals);
  const given = decimalOf(plain['amount']);
  if (given && differsByMoreThanRounding(given, amount, decimals))
    findings.add(
      FORMAT,
      `${path}.amount`,
      `must be ${amount.toFixed(decimals)}, which is ${rate} percent of ${base.toFixed(decimals)}, or be absent`,
    );
}

/** The sums of the lines by VAT category and rate, of which the percentages of the invoice are taken. */
class LineSums {
  /** The sums by the key of their VAT; `undefined` where the amount of a line is not known. */
  readonly #sums = new Map<string, Decimal | undefined>();
  #hasAllCategories = true;

  constructor(data: Tree, invoice: Tree, decimals: number) {
    const lines = listOf(data, 'lines');
    for (const [index, line] of listOf(invoice, 'cac:InvoiceLine').entries()) {
      const plain = lines[index] ?? {};
      const key = keyOf(groupOf(line, 'cac:Item')['cac:ClassifiedTaxCategory']);
      if (key === undefined) this.#hasAllCategories = false;
      else {
        const amount = decimalOf(plain['amount']) ?? computedAmount(plain, line, decimals);
        const sum = this.#sums.has(key) ? this.#sums.get(key) : Decimal.zero;
        this.#sums.set(key, amount && sum?.plus(amount));
      }
    }
  }

  /** Returns the sum of the lines with a VAT category and rate; `undefined` if it is not known. */
  of(category: unknown): Decimal | undefined {
    return this.#hasAllCategories ? this.#sums.get(keyOf(category) ?? '') : undefined;
  }

  /** Whether the invoice has no lines, as in the profile BASIC WL. */
  get isEmpty(): boolean {
    return this.#hasAllCategories && this.#sums.size === 0;
  }

  /** Tells whether all lines have another VAT category or rate; false if the VAT of a line is not known. */
  isWithout(category: unknown): boolean {
    const key = keyOf(category);
    return this.#hasAllCategories && key !== undefined && !this.#sums.has(key);
  }
}

function keyOf(category: unknown): string | undefined {
  const { 'cbc:ID': code, 'cbc:Percent': rate } = isTree(category) ? category : {};
  return typeof code === 'string' ? bucketKey(code, typeof rate === 'string' ? rate : undefined) : undefined;
}
