import { describe, expect, test } from 'bun:test';
import { createDecimals } from './decimals.ts';

const plain = (language: string, text: string): string | undefined => {
  const decimals = createDecimals(language);
  const value = decimals.read(text);
  return value && `${value.digits}e-${value.scale}`;
};

describe('createDecimals', () => {
  test.each([
    ['en', '1,234.50', '123450e-2'],
    ['en', '$1,234.50', '123450e-2'],
    ['en', '-$5', '-5e-0'],
    ['en', 'USD 5.00', '500e-2'],
    ['en', '(12.00)', '-1200e-2'],
    ['en', '\u221212', '-12e-0'],
    ['en', '12.00-', '-1200e-2'],
    ['en', '.5', '5e-1'],
    ['en', '123456789012345678901234567890.01', '12345678901234567890123456789001e-2'],
    ['en-IN', '\u20b912,34,567.5', '12345675e-1'],
    ['de', '1.234,50\u00a0\u20ac', '123450e-2'],
    ['de', '1.234', '1234e-0'],
    ['de-CH', 'CHF 1\u2019234.50', '123450e-2'],
    ['de-CH', "1'234.50", '123450e-2'],
    ['fr', '1\u202f234,50 \u20ac', '123450e-2'],
    ['sv', '\u22121\u00a0234,50 kr', '-123450e-2'],
    ['pl', '1 234,50 z\u0142', '123450e-2'],
    ['ja', '\uffe51,234', '1234e-0'],
    ['ja', '1,234\u5186', '1234e-0'],
    ['de', '1.234,50 Euro', '123450e-2'],
    ['ar', '\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660', '123450e-2'],
    ['ar', '1,234.50', '123450e-2'],
    ['ar-EG', '\u200f\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660', '123450e-2'],
    ['ar-EG', '\u061c-\u0661\u0662', '-12e-0'],
    ['fa', '\u06f1\u06f2\u066b\u06f5', '125e-1'],
    ['not a language', '1,234.5', '12345e-1'],
  ])('%s reads %s as %s', (language, text, expected) => {
    expect(plain(language, text)).toBe(expected);
  });

  test.each([
    ['en', '1.234,50'],
    ['en', '1,23'],
    ['en', '12,34,567'],
    ['en', '1,234 567'],
    ['de', '1,234.50'],
    ['en', '12 hours'],
    ['en', '12%'],
    ['en', '--1'],
    ['en', '-(1)'],
    ['en', '(1'],
    ['en', '$1$'],
    ['en', '1 - 2'],
    ['en', '1e5'],
    ['en', 'NaN'],
    ['en', '-'],
    ['en', '$'],
    ['en', '5.'],
    ['en', '1'.repeat(201)],
  ])('%s does not read %s', (language, text) => {
    expect(plain(language, text)).toBeUndefined();
  });

  // Amounts have other separators than numbers in some of these languages.
  test.each(
    'ar-EG de-AT de-CH en en-IN es-CR fr fr-CH he hi it-CH ja ml nb pl pt pt-PT ru sv ta th tr vi zh'.split(
      ' ',
    ),
  )('reads the amounts of %s in every format', (language) => {
    const formats = (['EUR', 'CHF', 'INR', 'USD'] as const).flatMap((currency) =>
      (['symbol', 'code', 'name', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
        (['standard', 'accounting'] as const).map((currencySign) => ({
          currency,
          currencyDisplay,
          currencySign,
        })),
      ),
    );
    const { read } = createDecimals(language);
    const misread = formats.flatMap((format) => {
      const options = {
        style: 'currency',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        ...format,
      } as const;
      return [1_234_567.5, 1_234.5, 1, 0.05, -12.5].flatMap((number) => {
        const text = new Intl.NumberFormat(language, options).format(number);
        const value = read(text);
        return value && Number(value.digits) / 10 ** value.scale === number ? [] : [text];
      });
    });
    expect(misread).toEqual([]);
  });

  test('adds exactly, and writes in the format', () => {
    const { add, readPlain, write } = createDecimals('de');
    const sum = ['0.1', '0.2', '-1000000000000000000000000.305']
      .map((text) => readPlain(text))
      .reduce((a, b) => a && b && add(a, b));
    if (!sum) throw new Error('not read');
    expect(write(sum, '')).toBe('-1.000.000.000.000.000.000.000.000,01');
    expect(write(sum, 'decimals=3')).toBe('-1.000.000.000.000.000.000.000.000,005');
    expect(write({ digits: 123_450n, scale: 2 }, 'EUR')).toBe('1.234,50\u00a0\u20ac');
    expect(write({ digits: 123_450n, scale: 2 }, 'JPY display=code decimals=0')).toBe('1.235\u00a0JPY');
    expect(write({ digits: -1n, scale: 3 }, '')).toBe('0,00');
    for (const format of [
      'eur',
      'EUR USD',
      'display=code',
      'decimals=21',
      'decimals=-1',
      'EUR display=x',
      'EURO',
    ])
      expect(write(sum, format)).toBeUndefined();
  });
});
