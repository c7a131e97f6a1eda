import { Decimal } from '../decimal.ts';
import type { InvoiceProfile } from '../profiles.ts';

/** The currencies without a minor unit (ISO 4217). */
const WHOLE: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);

/** Returns the number of decimals of an amount in a currency. EN 16931 allows at most two (BR-DEC). */
export function decimalsOf(currency: string | undefined): 0 | 2 {
  return currency !== undefined && WHOLE.has(currency) ? 0 : 2;
}

/**
 * Returns the number of decimals of the amounts of lines, discounts and charges. In any currency, XRechnung
 * allows these amounts to differ by at most 0.02 from the exact ones (PEPPOL-EN16931-R120 and R040).
 */
export function lineDecimalsOf(currency: string | undefined, profile: InvoiceProfile): 0 | 2 {
  return profile === 'xrechnung' ? 2 : decimalsOf(currency);
}

/**
 * Tells whether a given amount differs from the computed one by more than one unit of the last decimal, by
 * which two ways of rounding can differ.
 */
export function differsByMoreThanRounding(given: Decimal, computed: Decimal, decimals: 0 | 2): boolean {
  return given.minus(computed).absolute.minus(Decimal.of(decimals === 0 ? '1' : '0.01')).isPositive;
}
