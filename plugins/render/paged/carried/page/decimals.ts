/** An exact decimal number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Reads and writes decimal numbers in one language. */
export interface Decimals {
  /** Reads a number as the language writes it; undefined for other text. */
  read: (text: string) => Decimal | undefined;
  /** Reads a number such as `-1234.5`; undefined for other text. */
  readPlain: (text: string) => Decimal | undefined;
  add: (a: Decimal, b: Decimal) => Decimal;
  /**
   * Writes a number in a format such as `EUR`, `EUR display=code` or `decimals=3`; two decimals by default.
   * Undefined for an unknown format.
   */
  write: (value: Decimal, format: string) => string | undefined;
}

/**
 * Creates the functions for numbers in a language (BCP 47). English replaces an unknown language.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function createDecimals(language: string): Decimals {
  /** The zeros of the scripts whose digits are read. The other nine digits follow each of them. */
  const ZEROS = [
    0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
    0x1040, 0x17e0, 0x1810, 0xff10,
  ];
  const MAX_CHARACTERS = 200;
  const MAX_DECIMALS = 20;

  let locale = 'en';
  try {
    locale = Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    // The text is not a language tag.
  }
  /** Replaces spaces, apostrophes, digits and minus signs with their ASCII forms. */
  const simplify = (text: string): string => {
    let simple = '';
    for (const character of text.replaceAll(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')) {
      const code = character.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      if (zero !== undefined) simple += String(code - zero);
      else if (/[\s\u2009]/.test(character)) simple += ' ';
      else if (/['’]/.test(character)) simple += "'";
      else if (/[\u2212\u2010-\u2013\ufe63\uff0d]/.test(character)) simple += '-';
      else simple += character;
    }
    return simple.trim();
  };
  /** How a language writes numbers: its decimal separator, its group separators, and the length of groups. */
  interface Pattern {
    decimal: string;
    groups: string[];
    groupLength: number;
  }
  const patternOf = (options: Intl.NumberFormatOptions): Pattern => {
    const format = new Intl.NumberFormat(locale, { ...options, useGrouping: 'always' });
    const parts = format.formatToParts(1_234_567_890.5);
    const signOf = (type: string) => simplify(parts.find((part) => part.type === type)?.value ?? '');
    const lengths = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
    return {
      decimal: signOf('decimal') || '.',
      groups: [signOf('group'), ' '].filter((sign) => sign !== ''),
      groupLength: lengths.at(-2) === 2 ? 2 : 3,
    };
  };
  const plainPattern = patternOf({});
  /** Amounts have other separators than numbers in some languages. */
  const amountPatterns = (['standard', 'accounting'] as const).map((currencySign) =>
    patternOf({ style: 'currency', currency: 'EUR', currencySign }),
  );
  const isDigits = (text: string) => /^\d+$/.test(text);
  /** Returns the digits of a whole number with or without separators; undefined for other text. */
  const readInteger = (text: string, { groups, groupLength }: Pattern): string | undefined => {
    if (isDigits(text)) return text;
    // Each number uses one separator throughout.
    for (const sign of groups) {
      const [first = '', ...others] = text.split(sign);
      const isGrouped = others.every(
        (digits, index) =>
          isDigits(digits) && digits.length === (index === others.length - 1 ? 3 : groupLength),
      );
      if (others.length > 0 && isGrouped && isDigits(first) && first.length <= 3)
        return first + others.join('');
    }
    return undefined;
  };

  let knownSymbols: Set<string> | undefined;
  /** Tells whether a text is the sign, the code or a local name of a currency. */
  const isCurrency = (text: string): boolean => {
    if (/^(?:[A-Z]{0,3}\p{Sc}|\p{Sc}[A-Z]{0,3})$/u.test(text)) return true;
    if (!knownSymbols) {
      const currencies = Intl.supportedValuesOf('currency');
      knownSymbols = new Set(currencies);
      for (const currency of currencies)
        for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const) {
          const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
          // A name may have several plural forms.
          for (const count of currencyDisplay === 'name' ? [0, 1, 2, 5, 1.5] : [0]) {
            const symbol = format.formatToParts(count).find(({ type }) => type === 'currency')?.value;
            if (symbol !== undefined) knownSymbols.add(simplify(symbol));
          }
        }
    }
    return knownSymbols.has(text);
  };

  /** Removes a currency before or after a number; undefined for a number without a currency. */
  const removeCurrency = (text: string): string | undefined => {
    // A sign may be between the currency and the number, but the name of a currency may contain a hyphen.
    for (const number of [/[\d+-]/, /\d/]) {
      const first = text.search(number);
      if (first > 0 && isCurrency(text.slice(0, first).trim())) return text.slice(first);
      let end = text.length;
      while (end > 0 && !number.test(text.charAt(end - 1))) end -= 1;
      if (end > 0 && end < text.length && isCurrency(text.slice(end).trim()))
        return text.slice(0, end).trim();
    }
    return undefined;
  };

  const decimalOf = (integer: string, fraction: string, isNegative: boolean): Decimal => {
    const digits = BigInt(integer.replaceAll(/\D/g, '') + fraction);
    return { digits: isNegative ? -digits : digits, scale: fraction.length };
  };

  const read = (text: string): Decimal | undefined => {
    if (text.length > MAX_CHARACTERS) return undefined;
    let rest = simplify(text);
    let signs = 0;
    let isNegative = false;
    const bracketed = /^\((.*)\)$/.exec(rest)?.[1];
    if (bracketed !== undefined) [rest, isNegative, signs] = [bracketed.trim(), true, 1];
    let hasCurrency = false;
    // A sign and a currency may come before or after the number, in any order, each once.
    for (let changed = true; changed;) {
      changed = false;
      const sign = /^[+-]/.exec(rest)?.[0] ?? /[+-]$/.exec(rest)?.[0];
      if (sign !== undefined && signs === 0) {
        signs = 1;
        isNegative = sign === '-';
        rest = (rest.startsWith(sign) ? rest.slice(1) : rest.slice(0, -1)).trim();
        changed = true;
      }
      const withoutCurrency = hasCurrency ? undefined : removeCurrency(rest);
      if (withoutCurrency !== undefined) {
        hasCurrency = true;
        rest = withoutCurrency;
        changed = true;
      }
    }
    const patterns = hasCurrency ? [...amountPatterns, plainPattern] : [plainPattern, ...amountPatterns];
    for (const pattern of patterns) {
      // Arabic separators have one meaning in all languages, also in those whose own separators are Latin.
      const [whole = '', fraction, ...others] = rest
        .replaceAll('\u066b', pattern.decimal)
        .replaceAll('\u066c', pattern.groups[0] ?? '')
        .split(pattern.decimal);
      if (others.length > 0 || (fraction !== undefined && !isDigits(fraction))) continue;
      const integer = whole === '' && fraction !== undefined ? '0' : readInteger(whole, pattern);
      if (integer !== undefined) return decimalOf(integer, fraction ?? '', isNegative);
    }
    return undefined;
  };

  const readPlain = (text: string): Decimal | undefined => {
    const [matched, sign, integer = '', fraction = ''] =
      text.length > MAX_CHARACTERS ? [] : (/^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []);
    return matched === undefined ? undefined : decimalOf(integer, fraction, sign === '-');
  };

  const add = (a: Decimal, b: Decimal): Decimal => {
    const scale = Math.max(a.scale, b.scale);
    const raise = (value: Decimal) => value.digits * 10n ** BigInt(scale - value.scale);
    return { digits: raise(a) + raise(b), scale };
  };

  const formats = new Map<string, Intl.NumberFormat | undefined>();
  const formatOf = (format: string): Intl.NumberFormat | undefined => {
    const options: Intl.NumberFormatOptions = { signDisplay: 'negative' };
    for (const word of format.split(/\s+/).filter((part) => part !== '')) {
      const [name, value = ''] = word.split('=');
      if (/^[A-Z]{3}$/.test(word) && options.currency === undefined)
        Object.assign(options, { style: 'currency', currency: word });
      else if (name === 'display' && ['code', 'symbol', 'name', 'narrowSymbol'].includes(value))
        Object.assign(options, { currencyDisplay: value });
      else if (name === 'decimals' && /^\d{1,2}$/.test(value) && Number(value) <= MAX_DECIMALS)
        Object.assign(options, {
          minimumFractionDigits: Number(value),
          maximumFractionDigits: Number(value),
        });
      else return undefined;
    }
    if (options.currencyDisplay !== undefined && options.currency === undefined) return undefined;
    if (options.currency === undefined && options.minimumFractionDigits === undefined)
      Object.assign(options, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return new Intl.NumberFormat(locale, options);
  };

  const write = (value: Decimal, format: string): string | undefined => {
    if (!formats.has(format)) formats.set(format, formatOf(format));
    const sign = value.digits < 0n ? '-' : '';
    const digits = String(value.digits < 0n ? -value.digits : value.digits).padStart(value.scale + 1, '0');
    const at = digits.length - value.scale;
    const text = `${sign}${digits.slice(0, at)}${value.scale > 0 ? `.${digits.slice(at)}` : ''}`;
    // A decimal as a string is formatted exactly.
    return formats.get(format)?.format(text as Intl.StringNumericLiteral);
  };

  return { read, readPlain, add, write };
}
