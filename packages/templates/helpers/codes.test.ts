import { describe, expect, test } from 'bun:test';
import { readQrCode } from '../tests/read-qr-code.ts';
import { render } from '../tests/render-template.ts';

// Allows only elements without scripts, styles and links.
const INERT =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="[\d.]+[a-z]+" height="[\d.]+[a-z]+" viewBox="[\d. ]+">(?:<path(?: (?:fill|fill-rule|stroke|stroke-width|shape-rendering|d)="[#\w\s.-]*")+ ?\/>)+<\/svg>$/;

describe('qrcode', () => {
  test.each([
    ['https://example.com/a?b=1&c="<é日本>', ''],
    ['x', 'margin=0 level="H"'],
    ['1'.repeat(3_000), 'level="L" size="80mm"'],
    ['A&B', 'margin=20 color="#abc" background="white"'],
  ])('%p %s can be read by a scanner library', (text, options) => {
    const code = render(`{{qrcode text ${options}}}`, { text });
    expect(code).toMatch(INERT);
    expect(readQrCode(code)).toBe(text);
  });

  test('has the requested size and colours', () => {
    expect(render('{{qrcode "x"}}')).toContain(' width="120px" height="120px" viewBox="0 0 29 29">');
    expect(render('{{qrcode "x" size=90.5 margin=0 color="navy" background="rgb(250, 250, 250)"}}')).toMatch(
      /width="90\.5px".*fill="#fafafa" d="M0 0h21v21H0z".*fill="#000080"/,
    );
    expect(render('{{qrcode ""}}{{qrcode none}}{{barcode none}}')).toBe('');
  });
});

describe('barcode', () => {
  test.each([
    ['code128', 'ABC-abc 123'],
    ['ean13', '5901234123457'],
    ['ean8', '96385074'],
    ['upca', '036000291452'],
    ['code39', 'ABC 123'],
    ['itf14', '15400141288763'],
    ['gs1-128', '(01)09521234543213(10)ABC'],
    ['interleaved2of5', '1234'],
    ['codabar', 'A1234B'],
    ['datamatrix', 'Grüße 日本'],
    ['pdf417', 'M1DESMARAIS/LUC'],
    ['qrcode', 'x'],
  ])('draws %s in the given size, without scripts or links', (type, text) => {
    const source = '{{barcode text type=type height="20mm" width="60mm"}}';
    expect(render(source, { text, type })).toMatch(INERT);
    expect(render(source, { text, type })).toContain(
      type === 'qrcode' ? ' width="60mm" height="60mm"' : ' width="60mm" height="20mm"',
    );
    expect(render('{{barcode text type=type text=false}}', { text, type })).toMatch(INERT);
  });

  test('has a viewBox with the proportions of its size', () => {
    for (const options of ['', 'text=false', 'height=60 width="80mm"', 'type="itf14"']) {
      const code = render(`{{barcode "15400141288763" ${options}}}`);
      const [, width, widthUnit, height, heightUnit, x, y] =
        /width="([\d.]+)(\w+)" height="([\d.]+)(\w+)" viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(code) ?? [];
      const px = (length: unknown, unit: unknown) => Number(length) * (unit === 'mm' ? 96 / 25.4 : 1);
      expect(px(width, widthUnit) / px(height, heightUnit) / (Number(x) / Number(y))).toBeCloseTo(1, 1);
    }
  });

  test.each([
    ['code128', 'TX4409218837FR', ''],
    ['code128', 'TX4409218837FR', 'text=false width="82mm"'],
    ['ean13', '590123412345', 'width="60mm"'],
    ['ean13', '590123412345', 'width="90mm" height="12mm"'],
    ['upca', '036000291452', 'height="9mm"'],
    ['itf14', '15400141288763', 'width="90mm"'],
    ['datamatrix', 'Grüße', ''],
    ['datamatrix', 'Grüße', 'height="20mm" width="15mm"'],
    ['pdf417', 'M1DESMARAIS/LUC', 'width="80mm"'],
    ['qrcode', 'x', 'width="20mm"'],
  ])('draws %s %s %s with modules of whole dots', (type, text, options) => {
    for (const dpi of [203, 300, 600]) {
      const code = render(`{{barcode text type=type ${options} dpi=dpi}}`, { text, type, dpi });
      const [, width, units] = /width="([\d.]+)px" .*?viewBox="0 0 ([\d.]+) /.exec(code) ?? [];
      const unitsPerModule = type === 'datamatrix' ? 2 : 1;
      const dots = ((Number(width) * dpi) / 96 / Number(units)) * unitsPerModule;
      expect(dots).toBeGreaterThan(0.99);
      expect(Math.abs(dots - Math.round(dots))).toBeLessThan(0.001);
      const [, maxMm] = /width="(\d+)mm"/.exec(options) ?? [];
      if (maxMm !== undefined) expect(Number(width)).toBeLessThan((Number(maxMm) * 96) / 25.4 + 0.1);
    }
  });

  test('has one colour, including the frame of ITF-14', () => {
    const code = render('{{barcode "15400141288763" type="itf14" color="navy"}}');
    expect(new Set([...code.matchAll(/#[\da-f]{6}/g)].map(([color]) => color))).toEqual(new Set(['#000080']));
  });

  test('draws the bars of Code 128 as the standard specifies', () => {
    const code = render('{{barcode "A" text=false}}');
    // Start B, "A", check character, stop: ISO/IEC 15417, the widths of bars and spaces.
    expect(barWidths(code)).toBe('2112141113231311232331112');
  });
});

describe('invalid arguments', () => {
  test.each([
    [
      '{{barcode "123" type="ean13"}}',
      'the helper "barcode" cannot write "123" as ean13: EAN-13 must be 12 or 13 digits',
    ],
    [
      '{{barcode "5901234123450" type="ean13"}}',
      'the helper "barcode" cannot write "5901234123450" as ean13: Incorrect EAN-13 check digit provided',
    ],
    ['{{barcode "日本"}}', 'the helper "barcode" cannot write "日本" as code128: ASCII characters only'],
    ['{{barcode half type="datamatrix"}}', 'as datamatrix: unpaired surrogate'],
    ['{{barcode half type="pdf417"}}', 'as pdf417: unpaired surrogate'],
    ['{{barcode long}}', 'as code128: at most 100 characters'],
    ['{{barcode long type="pdf417"}}', 'as pdf417: at most 3200 characters'],
    ['{{barcode "x" type="nosuch"}}', 'not "nosuch"'],
    ['{{barcode "x" height=5}}', 'the helper "barcode" takes a height= with space for bars, not 5px'],
    [
      '{{barcode "x" width="3mm" dpi=203}}',
      'the helper "barcode" takes a width of at least 6mm for this content at 203 dpi, not 3mm',
    ],
    ['{{barcode "x" dpi=10}}', 'takes dpi= as a whole number from 72 to 2400, not 10'],
    ['{{barcode "x" text="no"}}', 'the helper "barcode" takes text= as true or false, not "no"'],
    ['{{barcode this}}', 'the helper "barcode" takes text, not an object'],
    [
      '{{qrcode long}}',
      'the helper "qrcode" takes text that fits a QR code of level M, not 1000000 characters',
    ],
    [
      '{{qrcode medium level="H"}}',
      'the helper "qrcode" takes text that fits a QR code of level H, not 2000 characters',
    ],
    [
      '{{qrcode "x" margin=1000000000}}',
      'the helper "qrcode" takes margin= as a whole number from 0 to 20, not 1000000000',
    ],
    ['{{qrcode "x" level="X"}}', 'the helper "qrcode" takes level= as one of L, M, Q, H, not "X"'],
    ['{{qrcode "x" color="none"}}', 'the helper "qrcode" takes color= as a visible colour, not "none"'],
  ])('%s is rejected', (source, expected) => {
    const message = render(source, {
      long: 'x'.repeat(1_000_000),
      medium: 'x'.repeat(2_000),
      half: 'a\ud800',
    });
    expect(message).toStartWith('line 1, column 1: the helper ');
    expect(message).toEndWith(expected);
  });

  test.each([
    'red" onload="alert(1)',
    'url(#x)',
    'var(--x)',
    'nocolour',
    '#12',
    '#12345',
    'rgb(1,2,3)"/><script>',
    'red;',
    5,
    {},
  ])('the colour %p is rejected', (color) => {
    for (const source of [
      '{{qrcode "x" color=color}}',
      '{{qrcode "x" background=color}}',
      '{{barcode "x" color=color}}',
    ])
      expect(render(source, { color })).toMatch(/takes (color|background)= as a CSS colour/);
  });

  test.each(['10px" onload="x', '1e9', 1e9, -5, 0, '50%', '5vw', 'calc(1px)', {}, true, '99999in', NaN])(
    'the size %p is rejected',
    (size) => {
      for (const source of [
        '{{qrcode "x" size=size}}',
        '{{barcode "x" width=size}}',
        '{{barcode "x" height=size}}',
      ])
        expect(render(source, { size })).toMatch(/takes (size|width|height)= as a length/);
    },
  );

  test('text never becomes markup', () => {
    const text = '"/><script>alert(1)</script>';
    for (const source of [
      '{{qrcode text}}',
      '{{barcode text}}',
      '{{barcode text type="datamatrix"}}',
      '{{barcode text type="pdf417"}}',
    ])
      expect(render(source, { text })).toMatch(INERT);
  });
});

// Returns the widths of bars and spaces. Bars are vertical strokes, described by their center.
function barWidths(code: string): string {
  const bars = [...code.matchAll(/stroke-width="(\d+)" d="([^"]*)"/g)]
    .flatMap(([, width, path = '']) =>
      [...path.matchAll(/M([\d.]+) /g)].map(([, x]) => ({
        from: Number(x) - Number(width) / 2,
        width: Number(width),
      })),
    )
    .sort((a, b) => a.from - b.from);
  return bars
    .flatMap(({ from, width }, index) => {
      const next = bars[index + 1];
      return next ? [width, next.from - from - width] : [width];
    })
    .join('');
}
