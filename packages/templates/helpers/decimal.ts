import { HelperFault } from './definition.ts';

/** From this value on, `toFixed` uses exponents. */
const TO_FIXED_LIMIT = 1e21;
const MAX_DECIMALS = 100;
const QUOTIENT_DIGITS = 15;

/**
 * Adds numbers as on paper: the result has as many decimals as the number with the most, so 0.1 + 0.2 is 0.3.
 * @throws {HelperFault} if the result is too large.
 */
export function addUp(numbers: Iterable<number>): number {
  let total = 0;
  let compensation = 0;
  let decimals = 0;
  // Neumaier summation: rounding errors are accumulated and added at the end.
  for (const number of numbers) {
    const next = total + number;
    compensation += Math.abs(total) >= Math.abs(number) ? total - next + number : number - next + total;
    total = next;
    decimals = Math.max(decimals, decimalsOf(number));
  }
  return withDecimals(total + compensation, decimals);
}

/**
 * Multiplies numbers as on paper: the result has as many decimals as all factors together.
 * @throws {HelperFault} if the result is too large.
 */
export function multiplyAll(numbers: Iterable<number>): number {
  let product = 1;
  for (const number of numbers)
    product = withDecimals(product * number, decimalsOf(product) + decimalsOf(number));
  return product;
}

/** Divides to 15 significant digits. @throws {HelperFault} if the result is too large. */
export function divide(dividend: number, divisor: number): number {
  return Number(finite(dividend / divisor).toPrecision(QUOTIENT_DIGITS));
}

/** Rounds the decimal representation of a number, halves away from zero: 1.005 to two decimals is 1.01. */
export function roundTo(number: number, decimals: number): number {
  const shifted = shift(Math.abs(number), decimals);
  if (!Number.isFinite(shifted)) return number;
  return Math.sign(number) * shift(Math.round(shifted), -decimals) || 0;
}

function decimalsOf(number: number): number {
  if (Number.isInteger(number)) return 0;
  const [digits = '', exponent = '0'] = String(number).split('e');
  const point = digits.indexOf('.');
  return Math.max(0, (point < 0 ? 0 : digits.length - point - 1) - Number(exponent));
}

function withDecimals(number: number, decimals: number): number {
  if (decimals > MAX_DECIMALS || Math.abs(number) >= TO_FIXED_LIMIT) return finite(number);
  return Number(finite(number).toFixed(decimals));
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new HelperFault('returns a number that is too large');
  return number;
}

function shift(number: number, exponentChange: number): number {
  const [digits, exponent = '0'] = String(number).split('e');
  return Number(`${digits}e${Number(exponent) + exponentChange}`);
}
