import { expect, test } from 'bun:test';
import { Decimal } from './decimal.ts';

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
