import { asNumber, booleanOption, integerOption, isMissing, optionOf, choiceOption } from './arguments.ts';
import { HelperFault, reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { localeOption, numberFormat } from './intl.ts';

const DECIMALS = { min: 0, max: 20 };
/** The maximum number of decimals that `Intl.NumberFormat` shows by default. */
const INTL_DECIMALS = 3;

function formatNumber([value]: readonly unknown[], call: HelperCall): string {
  const style = choiceOption(call, 'style', ['decimal', 'percent', 'unit', 'compact']);
  const unit = optionOf(call, 'unit');
  if (style === 'unit' && unit === undefined) throw new HelperFault('takes unit= when style is "unit"');
  if (unit !== undefined && (typeof unit !== 'string' || unit.length > 64))
    reject('unit= as a unit such as "kilogram"', unit);
  const options: Intl.NumberFormatOptions = {
    ...decimalOptions(call, style === 'percent' ? 0 : INTL_DECIMALS),
    ...(style === 'compact' ? { notation: 'compact' } : style && { style }),
    ...(style === 'unit' && { unit }),
  };
  try {
    return format(value, localeOption(call), options);
  } catch (error) {
    if (error instanceof RangeError) reject('unit= as a unit such as "kilogram"', unit);
    throw error;
  }
}

const LEFT_TO_RIGHT_MARK = '\u200e';
const RIGHT_TO_LEFT_MARK = '\u200f';

/**
 * A currency sign after Latin letters at the end, as in `US$`. Text from right to left would show it on the
 * other side, as `$US`.
 */
const LATIN_SYMBOL = /[A-Z]\p{Sc}$/u;

function formatCurrency([value, currency]: readonly unknown[], call: HelperCall): string {
  const code = toCurrency(currency);
  const currencyDisplay = choiceOption(call, 'display', ['symbol', 'narrowSymbol', 'code', 'name']);
  const accounting = booleanOption(call, 'accounting');
  const decimals = integerOption(call, 'decimals', DECIMALS);
  const text = format(value, localeOption(call), {
    style: 'currency',
    currency: code,
    ...(currencyDisplay && { currencyDisplay }),
    ...(accounting && { currencySign: 'accounting' }),
    ...(decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  });
  return text.includes(RIGHT_TO_LEFT_MARK) && LATIN_SYMBOL.test(text) ? text + LEFT_TO_RIGHT_MARK : text;
}

/**
 * Returns the number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD, and 2 for unknown codes.
 * @throws {HelperFault}
 */
function currencyDecimals([value]: readonly unknown[]): number {
  const currency = toCurrency(value);
  const { maximumFractionDigits } = numberFormat('en-US', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** Reads an ISO 4217 code, ignoring case. @throws {HelperFault} */
function toCurrency(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value)
    ? value
    : reject('a currency as an ISO 4217 code such as "EUR"', value);
}

function format(value: unknown, locale: string, options: Intl.NumberFormatOptions): string {
  // Omit the minus sign of a number rounded to zero.
  const formatter = numberFormat(locale, { ...options, signDisplay: 'negative' });
  if (isMissing(value)) return '';
  const number = asNumber(value) ?? reject('a number', value);
  // Intl uses all digits of a text; a number has only 15 to 17.
  return formatter.format(typeof value === 'string' ? (value.trim() as Intl.StringNumericLiteral) : number);
}

// `decimals` alone is the exact number of decimals. With `minDecimals` it is the maximum.
function decimalOptions(call: HelperCall, defaultMaximum: number): Intl.NumberFormatOptions {
  const decimals = integerOption(call, 'decimals', DECIMALS);
  const least = integerOption(call, 'minDecimals', DECIMALS);
  if (decimals === undefined && least === undefined) return {};
  if (decimals !== undefined && least !== undefined && least > decimals)
    throw new HelperFault(`takes minDecimals= up to decimals=, not ${least} with ${decimals}`);
  return {
    minimumFractionDigits: least ?? decimals ?? 0,
    maximumFractionDigits: decimals ?? Math.max(defaultMaximum, least ?? 0),
  };
}

/** Helpers that format numbers and money. */
export const numberHelpers: readonly TemplateHelper[] = [
  {
    name: 'formatNumber',
    signature: 'value locale= decimals= minDecimals= style= unit=',
    description:
      'Formats a number or numeric text. `decimals` is the number of decimals (with `minDecimals`, the maximum). `style` is `decimal` (default), `percent`, `compact`, or `unit` with a `unit` that `Intl.NumberFormat` knows.',
    examples: [
      { template: '{{formatNumber n}}', data: { n: 1234567.891 }, output: '1,234,567.891' },
      {
        template: '{{formatNumber n decimals=2 locale="de-DE"}}',
        data: { n: '1234.5' },
        output: '1.234,50',
      },
      { template: '{{formatNumber 0.19 style="percent"}}', output: '19%' },
      { template: '{{formatNumber 2.5 style="unit" unit="kilogram"}}', output: '2.5 kg' },
      { template: '{{formatNumber 1530000 style="compact"}}', output: '1.5M' },
    ],
    argumentCount: [1, 1],
    options: ['locale', 'decimals', 'minDecimals', 'style', 'unit'],
    run: formatNumber,
  },
  {
    name: 'formatCurrency',
    signature: 'value currency locale= decimals= display= accounting=',
    description:
      'Formats an amount of money. `currency` is an ISO 4217 code. `display` is `symbol` (default), `narrowSymbol`, `code` or `name`; `accounting=true` uses the accounting format of the locale for negative amounts.',
    examples: [
      { template: '{{formatCurrency 1299.5 "USD"}}', output: '$1,299.50' },
      {
        template: '{{formatCurrency total currency locale="de-DE"}}',
        data: { total: '1299.5', currency: 'EUR' },
        output: '1.299,50\u00a0€',
      },
      { template: '{{formatCurrency -5 "USD" accounting=true}}', output: '($5.00)' },
      { template: '{{formatCurrency 1200 "JPY" display="code"}}', output: 'JPY\u00a01,200' },
    ],
    argumentCount: [2, 2],
    options: ['locale', 'decimals', 'display', 'accounting'],
    run: formatCurrency,
  },
  {
    name: 'currencyDecimals',
    signature: 'currency',
    description: 'Returns the number of decimals of a currency, for use in `round` and `decimals=`.',
    examples: [
      { template: '{{currencyDecimals "JPY"}}', output: '0' },
      {
        template: '{{round (multiply price quantity) (currencyDecimals "EUR")}}',
        data: { price: 14.99, quantity: 6.5 },
        output: '97.44',
      },
    ],
    argumentCount: [1, 1],
    run: currencyDecimals,
  },
];
