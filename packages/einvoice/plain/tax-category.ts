import { Decimal, numberText } from '../decimal.ts';

/** The names of VAT categories, with their codes in UNTDID 5305. */
const CATEGORIES: Readonly<Record<string, string>> = {
  standard: 'S',
  zero: 'Z',
  exempt: 'E',
  reverse_charge: 'AE',
  intra_community: 'K',
  export: 'G',
  not_subject: 'O',
  canary_islands: 'L',
  ceuta_melilla: 'M',
};
const CODES: ReadonlySet<string> = new Set([...Object.values(CATEGORIES), 'B']);
const NAMES = Object.keys(CATEGORIES).join(', ');
/** The categories whose rate is 0, or absent. */
const UNTAXED = 'zero, exempt, reverse_charge, intra_community, export, not_subject';
/** The categories whose rate can be between 0 and 1 percent. */
const SMALL_RATES: ReadonlySet<string> = new Set(['L', 'M']);
const ONE = Decimal.of('1');
const HUNDRED = Decimal.of('100');
const PROPERTIES: ReadonlySet<string> = new Set(['category', 'rate', 'reason', 'reason_code']);

/** The VAT of a line, discount or charge, or the fault of a property of it. */
export type TaxCategory =
  | { group: Record<string, unknown>; fault?: undefined }
  | { group?: undefined; fault: string; property: string };

/**
 * Reads VAT: a rate in percent, or `{category, rate, reason, reason_code}`. The category of a positive rate
 * is standard unless another is given.
 */
export function readTaxCategory(value: unknown): TaxCategory {
  if (typeof value !== 'object' || value === null) return fromRate(value, undefined);
  if (Array.isArray(value)) return { fault: 'must be a rate such as 19, or an object', property: '' };
  const given = value as Record<string, unknown>;
  for (const key of Object.keys(given))
    if (!PROPERTIES.has(key))
      return {
        fault: `is unknown: expected one of ${[...PROPERTIES].join(', ')}`,
        property: `.${key.slice(0, 100)}`,
      };
  const code = categoryCode(given['category'] ?? undefined);
  if (code === null)
    return { fault: `must be one of ${NAMES}, or a code of UNTDID 5305`, property: '.category' };
  const taxed = fromRate(given['rate'] ?? undefined, code);
  if (taxed.fault !== undefined) return { ...taxed, property: '.rate' };
  return {
    group: {
      ...taxed.group,
      ...((given['reason'] ?? null) !== null && { 'cbc:TaxExemptionReason': given['reason'] }),
      ...((given['reason_code'] ?? null) !== null && { 'cbc:TaxExemptionReasonCode': given['reason_code'] }),
    },
  };
}

function categoryCode(value: unknown): string | undefined | null {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return null;
  if (Object.hasOwn(CATEGORIES, value)) return CATEGORIES[value];
  return CODES.has(value) ? value : null;
}

function fromRate(value: unknown, category: string | undefined): TaxCategory {
  const text = typeof value === 'number' ? numberText(value) : value;
  const rate = typeof text === 'string' ? Decimal.parse(text) : undefined;
  if (value !== undefined && !rate) return { fault: 'must be a rate in percent such as 19', property: '' };
  if (rate?.isNegative) return { fault: 'must not be negative', property: '' };
  if (rate?.minus(HUNDRED).isPositive) return { fault: 'must be at most 100 percent', property: '' };
  if (rate?.isPositive && rate.minus(ONE).isNegative && !SMALL_RATES.has(category ?? ''))
    return { fault: 'must be in percent: 19, not 0.19', property: '' };
  if (!rate)
    return category === undefined
      ? { fault: 'must have a rate, or a category', property: '' }
      : {
          group: {
            'cbc:ID': category,
            ...(category !== 'O' && isZeroRated(category) && { 'cbc:Percent': '0' }),
          },
        };
  if (rate.isZero && category === undefined)
    return {
      fault: `of 0 needs a category that says why, such as {"category": "zero", "rate": 0}: one of ${UNTAXED}`,
      property: '',
    };
  const percent = rate.rounded(rate.decimals).toFixed(0);
  // The category O has no rate (BR-O-05).
  if (category === 'O' && rate.isZero) return { group: { 'cbc:ID': category } };
  return { group: { 'cbc:ID': category ?? 'S', 'cbc:Percent': percent } };
}

function isZeroRated(category: string): boolean {
  return ['Z', 'E', 'AE', 'K', 'G'].includes(category);
}
