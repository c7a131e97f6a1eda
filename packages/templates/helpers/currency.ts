import { refuse } from './definition.ts';
import { numberFormat } from './intl.ts';

/** Gives how many decimals amounts in a currency have: 2 for EUR, 0 for JPY, 3 for KWD; 2 for a code that nobody uses. @throws {HelperFault} */
export function currencyDecimals([currency]: readonly unknown[]): number {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    refuse('a currency as an ISO 4217 code such as "EUR"', currency);
  const { maximumFractionDigits } = numberFormat('en-US', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}
