import { describe, expect, test } from 'bun:test';
import { render } from '../tests/render-template.ts';

describe('formatDate', () => {
  test.each([
    ['2026-03-01', '', 'Mar 1, 2026'],
    ['2026-03-01', 'timeZone="America/Los_Angeles"', 'Mar 1, 2026'],
    ['2026-03-01', '"iso" timeZone="America/Los_Angeles"', '2026-03-01'],
    ['2026-03-01T00:30:00Z', 'timeZone="America/Los_Angeles"', 'Feb 28, 2026'],
    ['2026-03-01T00:30:00Z', '"iso" timeZone="America/Los_Angeles"', '2026-02-28'],
    ['2026-03-01T00:30:00', 'timeZone="America/Los_Angeles"', 'Mar 1, 2026'],
    ['2026-03-01 23:30', '"short" timeStyle="short" hour12=false', '3/1/26, 23:30'],
    ['2026-03-01T23:30:00.123456+0530', '"short" timeStyle="short" hour12=false', '3/1/26, 18:00'],
    [0, '"iso"', '1970-01-01'],
    [-86_400_000, '"iso"', '1969-12-31'],
    [8.64e15, 'year="numeric"', '275760'],
    ['2024-02-29', '"short" locale="de_DE"', '29.02.24'],
    ['2026-03-01', '"long" locale="zh-CN"', '2026年3月1日'],
    ['2026-03-01', '"long" locale="ar-EG"', '١ مارس ٢٠٢٦'],
    ['2026-03-01', '"long" locale="zz"', 'March 1, 2026'],
    ['2026-03-01', 'month="long" locale=none', 'March'],
    ['2026-03-15T12:00', 'timeStyle="full"', '12:00:00 PM'],
    ['2026-03-15T12:00', 'timeStyle="long" locale="de-DE"', '12:00:00'],
    ['2026-03-15T12:00', 'timeStyle="short"', '12:00 PM'],
    ['2026-03-15T12:00', 'hour="numeric" timeZoneName="long" timeZone="Asia/Tokyo"', '12 PM'],
    ['2026-03-15', 'timeZoneName="short"', '3/15/2026'],
    ['2026-03-15T12:00Z', 'timeStyle="full"', '12:00:00 PM Coordinated Universal Time'],
    ['0001-01-01', '"iso"', '0001-01-01'],
    ['-000044-03-15', 'era="short" year="numeric"', '45 BC'],
    [null, '', ''],
    [undefined, '', ''],
    ['', '"full"', ''],
  ])('%p %s gives %p', (at, rest, expected) => {
    expect(render(`{{formatDate at ${rest}}}`, { at })).toBe(expected);
  });

  test.each([
    ['next week', '', 'takes a date as ISO 8601 text or as milliseconds since 1970, not "next week"'],
    ['2026-02-30', '', 'takes a date as ISO 8601 text or as milliseconds since 1970, not "2026-02-30"'],
    ['2026-13-01', '', 'not "2026-13-01"'],
    ['2026-01-01T25:00', '', 'not "2026-01-01T25:00"'],
    ['0'.repeat(1_000_000), '', `not "${'0'.repeat(79)}…"`],
    [1e99, '', 'not 1e+99'],
    [{}, '', 'not an object'],
    [[1], '', 'not a list'],
    [true, '', 'not true'],
    [0, '"huge"', 'takes a style as one of short, medium, long, full, iso, not "huge"'],
    [
      0,
      'timeZone="Mars/Phobos"',
      'takes timeZone= as a time zone such as "Europe/Berlin", not "Mars/Phobos"',
    ],
    [0, 'locale="xx-invalid-!!"', 'takes locale= as a language tag such as "en-US", not "xx-invalid-!!"'],
    [0, 'locale=list', 'takes locale= as a language tag such as "en-US", not a list'],
    [0, 'month="big"', 'takes month= as one of numeric, 2-digit, narrow, short, long, not "big"'],
    ['-000044-03-15', '"iso"', 'takes a date of the year 1 or later for "iso", not "-000044-03-15"'],
    ['0000-12-31', '"iso"', 'not "0000-12-31"'],
    [0, 'hour12="yes"', 'takes hour12= as true or false, not "yes"'],
    [
      0,
      '"full" year="numeric"',
      'takes a style, dateStyle= and timeStyle=, or single parts such as year=, not both',
    ],
  ])('%p %s is rejected', (at, rest, expected) => {
    const message = render(`\n{{formatDate at ${rest}}}`, { at, list: ['de'] });
    expect(message).toStartWith('line 2, column 1: the helper "formatDate" takes ');
    expect(message).toEndWith(expected);
  });
});

describe('formatNumber and formatCurrency', () => {
  test.each([
    ['{{formatNumber n}}', 1234.56789, '1,234.568'],
    ['{{formatNumber n}}', '-0.0001', '0'],
    ['{{formatNumber n}}', ' 12.5 ', '12.5'],
    ['{{formatNumber n decimals=2}}', 1.005, '1.01'],
    ['{{formatNumber n decimals=2}}', 3, '3.00'],
    ['{{formatNumber n decimals=3 minDecimals=1}}', 3, '3.0'],
    ['{{formatNumber n minDecimals=5}}', 3, '3.00000'],
    ['{{formatNumber n style="percent"}}', 0.195, '20%'],
    ['{{formatNumber n style="percent" minDecimals=1}}', 0.195, '19.5%'],
    ['{{{formatNumber n locale="de-CH"}}}', 1234567, "1'234'567"],
    ['{{formatNumber n locale="hi-IN"}}', 1234567, '12,34,567'],
    ['{{formatNumber n locale="ar-EG"}}', 1234.5, '١٬٢٣٤٫٥'],
    ['{{formatNumber n style="compact" locale="zh-CN"}}', 15_300_000, '1530万'],
    ['{{formatNumber n}}', null, ''],
    ['{{formatNumber n}}', '', ''],
    ['{{formatCurrency n "usd"}}', 1.005, '$1.01'],
    ['{{formatCurrency n "EUR" locale="fr-FR"}}', -1234.5, '-1\u202f234,50\u00a0€'],
    ['{{formatCurrency n "USD" accounting=true}}', -0.001, '$0.00'],
    ['{{formatCurrency n "USD" decimals=0 display="name"}}', 5, '5 US dollars'],
    ['{{formatCurrency n "EUR"}}', '12345678901234567.89', '€12,345,678,901,234,567.89'],
    ['{{formatCurrency n "EUR"}}', ' -12345678901234567.885 ', '-€12,345,678,901,234,567.89'],
    ['{{formatNumber n}}', '9007199254740993', '9,007,199,254,740,993'],
    ['{{formatCurrency n "EUR"}}', '+.5', '€0.50'],
    ['{{formatCurrency n "USD" locale="ar-EG"}}', 5, '\u200f٥٫٠٠\u00a0US$\u200e'],
    ['{{formatCurrency n "EUR" locale="ar-EG"}}', 5, '\u200f٥٫٠٠\u00a0€'],
    ['{{formatCurrency n "USD" locale="pt-PT"}}', 5, '5,00\u00a0US$'],
    ['{{formatCurrency n "XYZ"}}', 5, 'XYZ\u00a05.00'],
    ['{{formatCurrency n "CNY" locale="zh-CN"}}', 5, '¥5.00'],
    ['{{formatCurrency n "EUR"}}', undefined, ''],
  ])('%s of %p gives %p', (source, n, expected) => {
    expect(render(source, { n })).toBe(expected);
  });

  test('write numbers of any size', () => {
    expect(render('{{formatNumber n}}', { n: 1e308 })).toHaveLength(309 + 102);
    expect(render('{{formatCurrency n "EUR" decimals=20}}', { n: 5e-324 })).toBe('€0.00000000000000000000');
  });

  test.each([
    ['{{formatNumber "ten"}}', 'takes a number, not "ten"'],
    ['{{formatNumber "1,5"}}', 'takes a number, not "1,5"'],
    ['{{formatNumber "0x10"}}', 'takes a number, not "0x10"'],
    ['{{formatNumber this}}', 'takes a number, not an object'],
    ['{{formatNumber 1 decimals=21}}', 'takes decimals= as a whole number from 0 to 20, not 21'],
    [
      '{{formatNumber 1 decimals=1000000000}}',
      'takes decimals= as a whole number from 0 to 20, not 1000000000',
    ],
    ['{{formatNumber 1 decimals=1.5}}', 'takes decimals= as a whole number from 0 to 20, not 1.5'],
    ['{{formatNumber 1 decimals=1 minDecimals=2}}', 'takes minDecimals= up to decimals=, not 2 with 1'],
    ['{{formatNumber 1 style="unit"}}', 'takes unit= when style is "unit"'],
    [
      '{{formatNumber 1 style="unit" unit="parsec"}}',
      'takes unit= as a unit such as "kilogram", not "parsec"',
    ],
    ['{{formatCurrency 1 "EURO"}}', 'takes a currency as an ISO 4217 code such as "EUR", not "EURO"'],
    ['{{formatCurrency 1 none}}', 'takes a currency as an ISO 4217 code such as "EUR", not nothing'],
    [
      '{{formatCurrency 1 "EUR" display="big"}}',
      'takes display= as one of symbol, narrowSymbol, code, name, not "big"',
    ],
  ])('%s is rejected', (source, expected) => {
    expect(render(source)).toMatch(/^line 1, column 1: the helper "format(Number|Currency)" /);
    expect(render(source)).toEndWith(expected);
  });
});
