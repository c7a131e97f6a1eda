const NUMBER = /^([+-]?)([0-9]{1,20})(?:\.([0-9]{0,20}))?$/;

/** The most digits before the decimal point, and the most decimals of a number from XML. */
export const MAX_DIGITS = 20;

/** The most decimals that a number in the data of an invoice may have. */
export const MAX_DECIMALS = 10;

/** The decimal digits that a binary number of 64 bits always keeps. */
const EXACT_DIGITS = 15;
/** From here on, a binary fraction can differ from its decimal text in the second decimal. */
const MAX_FRACTION = 1e13;

/**
 * Writes a JSON number as a decimal without the noise of binary fractions: 0.30000000000000004 as `0.3`.
 * Rounds to {@link MAX_DECIMALS} decimals. Returns `undefined` for a number that is so large that it is not
 * exact.
 */
export function numberText(number: number): string | undefined {
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? String(number) : undefined;
  if (!(Math.abs(number) < MAX_FRACTION)) return undefined;
  // Below 1e-6, toPrecision writes an exponent.
  const digits = Math.abs(number) < 1e-6 ? number.toFixed(MAX_DECIMALS) : number.toPrecision(EXACT_DIGITS);
  const exact = Decimal.of(digits).rounded(MAX_DECIMALS);
  return exact.rounded(exact.decimals).toFixed(0);
}

/** An exact decimal number, because binary fractions would make amounts inexact. */
export class Decimal {
  static readonly zero = new Decimal(0n, 0);

  readonly #digits: bigint;
  /** The number of digits after the decimal point. */
  readonly #scale: number;

  private constructor(digits: bigint, scale: number) {
    this.#digits = digits;
    this.#scale = scale;
  }

  /**
   * Reads a number such as `-12.50`; up to 20 digits on each side of the point. Returns `undefined` for other
   * text.
   */
  static parse(text: string): Decimal | undefined {
    const [, sign = '', whole = '', fraction = ''] = NUMBER.exec(text.trim()) ?? [];
    if (whole === '') return undefined;
    const digits = BigInt(whole + fraction);
    return new Decimal(sign === '-' ? -digits : digits, fraction.length);
  }

  /** Reads text that is known to be a number. @throws {TypeError} for other text */
  static of(text: string): Decimal {
    const number = Decimal.parse(text);
    if (!number) throw new TypeError(`${text} is not a number`);
    return number;
  }

  /** Adds numbers. */
  static sum(numbers: readonly Decimal[]): Decimal {
    let total = Decimal.zero;
    for (const number of numbers) total = total.plus(number);
    return total;
  }

  /** The number of digits after the decimal point, without trailing zeros. */
  get decimals(): number {
    let [digits, scale] = [this.#digits, this.#scale];
    for (; scale > 0 && digits % 10n === 0n; scale--) digits /= 10n;
    return scale;
  }

  get isZero(): boolean {
    return this.#digits === 0n;
  }

  get isNegative(): boolean {
    return this.#digits < 0n;
  }

  get isPositive(): boolean {
    return this.#digits > 0n;
  }

  get absolute(): Decimal {
    return this.isNegative ? this.negated : this;
  }

  get negated(): Decimal {
    return new Decimal(-this.#digits, this.#scale);
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.#digits * other.#digits, this.#scale + other.#scale);
  }

  /**
   * Divides by a number other than zero, and rounds half away from zero to `decimals` digits after the point.
   */
  dividedBy(divisor: Decimal, decimals: number): Decimal {
    const numerator = this.#digits * 10n ** BigInt(divisor.#scale + decimals);
    return new Decimal(divideRounded(numerator, divisor.#digits * 10n ** BigInt(this.#scale)), decimals);
  }

  /** Rounds half away from zero to `decimals` digits after the point. */
  rounded(decimals = 2): Decimal {
    if (this.#scale <= decimals) return this;
    return new Decimal(divideRounded(this.#digits, 10n ** BigInt(this.#scale - decimals)), decimals);
  }

  equals(other: Decimal): boolean {
    return this.minus(other).isZero;
  }

  /** Writes the number with at least `decimals` digits after the point. */
  toFixed(decimals = 2): string {
    const scale = Math.max(this.#scale, decimals);
    const digits = this.#at(scale);
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
    const sign = digits < 0n ? '-' : '';
    return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
  }

  #at(scale: number): bigint {
    return this.#digits * 10n ** BigInt(scale - this.#scale);
  }
}

function divideRounded(numerator: bigint, divisor: bigint): bigint {
  const negative = numerator < 0n !== divisor < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = divisor < 0n ? -divisor : divisor;
  const quotient = (2n * top + bottom) / (2n * bottom);
  return negative ? -quotient : quotient;
}
