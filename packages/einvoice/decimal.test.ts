import { expect, test } from 'bun:test';
import { Decimal, numberText } from './decimal.ts';

const decimal = (text: string) => Decimal.of(text);

test('decimals are exact', () => {
  expect(decimal('0.1').plus(decimal('0.2')).toFixed()).toBe('0.30');
  expect(decimal('99999999999999999999').times(decimal('1.1')).toFixed()).toBe('109999999999999999998.90');
  expect(decimal('10').dividedBy(decimal('3'), 4).toFixed()).toBe('3.3333');
});

test('halves are rounded away from zero', () => {
  expect(['1.005', '-1.005', '2.675', '0.004'].map((text) => decimal(text).rounded().toFixed())).toEqual([
    '1.01',
    '-1.01',
    '2.68',
    '0.00',
  ]);
});

test('only plain decimal numbers are accepted', () => {
  for (const text of ['', '1e3', '1,5', '.5', '--1', '1'.repeat(21), 'NaN'])
    expect(Decimal.parse(text)).toBeUndefined();
});

test('spaces around a number and a plus sign are accepted', () => {
  expect(decimal(' +7 ').toFixed(0)).toBe('7');
});

test('JSON numbers are written without the noise of binary fractions', () => {
  const texts: readonly (readonly [number, string | undefined])[] = [
    [0.1 + 0.2, '0.3'],
    [1.1 * 3, '3.3'],
    [1234567890.1 + 0.2, '1234567890.3'],
    [-0.1 - 0.2, '-0.3'],
    [0.1 + 0.2 - 0.3, '0'],
    [-0, '0'],
    [150, '150'],
    [12.5, '12.5'],
    [1e-7, '0.0000001'],
    [0.00000123, '0.00000123'],
    [1 / 3, '0.3333333333'],
    [2 / 3, '0.6666666667'],
    [99999999999.99, '99999999999.99'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [2 ** 53, undefined],
    [1e21, undefined],
    [10_000_000_000_000.25, undefined],
    [NaN, undefined],
    [-Infinity, undefined],
  ];
  expect(texts.map(([number]) => numberText(number))).toEqual(texts.map(([, text]) => text));
});

test('trailing zeros are not counted as decimals', () => {
  expect(['1', '1.', '1.50', '0.000', '100', '-0.001'].map((text) => decimal(text).decimals)).toEqual([
    0, 0, 1, 0, 0, 3,
  ]);
});
