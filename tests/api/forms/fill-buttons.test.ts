import { expect, test } from 'bun:test';
import { describeWithPdfTools, qpdfCheck, qpdfJson, rasterise } from '../../support/pdf/pdf.ts';
import { formsClient } from '../../support/pdf/forms-client.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { FLAG, formPdf, countDarkPixels, states, widget } from '../../support/pdf/form-samples.ts';

const { fill, list, refusal } = formsClient(sharedService());

describeWithPdfTools('checkboxes and radio buttons', () => {
  const kids = (parent: string, first: string, second: string, more = '') =>
    formPdf([`<<${parent}/Kids[7 0 R 8 0 R]>>`], {
      objects: [widget(`/Parent 6 0 R${first}`), widget(`/Parent 6 0 R/Rect[10 40 30 60]${second}${more}`)],
      shown: '7 0 R 8 0 R',
    });
  const shown = async (pdf: Buffer) => {
    const { qpdf } = await qpdfJson(pdf);
    return [6, 7, 8].map((number) => {
      const dict = qpdf[1][`obj:${number} 0 R`]?.value as Record<string, unknown>;
      return dict[number === 6 ? '/V' : '/AS'];
    });
  };

  test('choosing an option turns on one button of a radio group', async () => {
    const pdf = kids(`/FT/Btn/T(way)/Ff ${FLAG.radio}`, states('car'), states('bike'));
    const filled = await fill(pdf, { way: 'bike' });
    expect(await shown(filled)).toEqual(['/bike', '/Off', '/bike']);
    expect(await shown(await fill(filled, { way: '' }))).toEqual(['/Off', '/Off', '/Off']);
    expect(await refusal(pdf, { way: 'boat' })).toBe(
      'fields[0].value: "way" is a radio group: the value must be one of "car", "bike"',
    );
    expect(await refusal(pdf, { way: true })).toContain('must be one of "car", "bike"');
  });

  test('export values are the options of a radio group, and NoToggleToOff prevents clearing it', async () => {
    const field = `/FT/Btn/T(way)/Ff ${FLAG.radio | FLAG.noToggleToOff}/V/0/Opt[(with a car)<FEFF9A91>]`;
    const pdf = kids(field, states('0'), states('1'));
    expect((await list(pdf))[0]).toMatchObject({ value: 'with a car', options: ['with a car', '骑'] });
    const filled = await fill(pdf, { way: '骑' });
    expect(await shown(filled)).toEqual(['/1', '/Off', '/1']);
    expect(await refusal(pdf, { way: '' })).toContain('and cannot be cleared');
  });

  test('RadiosInUnison turns on all buttons with the same state', async () => {
    const pair = [states('same'), states('same')] as const;
    const apart = await fill(kids(`/FT/Btn/T(x)/Ff ${FLAG.radio}`, ...pair), { x: 'same' });
    expect(await shown(apart)).toEqual(['/same', '/same', '/Off']);
    const inUnison = kids(`/FT/Btn/T(x)/Ff ${FLAG.radio | FLAG.radiosInUnison}`, ...pair);
    const unison = await fill(inUnison, { x: 'same' });
    expect(await shown(unison)).toEqual(['/same', '/same', '/same']);
    const ticks = await fill(kids('/FT/Btn/T(x)', ...pair), { x: true });
    expect(await shown(ticks)).toEqual(['/same', '/same', '/same']);
  });

  test('a checkbox with several states accepts the name of a state, and true for the first', async () => {
    const pdf = kids('/FT/Btn/T(x)', states('A'), states('B'));
    expect((await list(pdf))[0]).toMatchObject({ value: false, options: ['A', 'B'] });
    expect(await shown(await fill(pdf, { x: true }))).toEqual(['/A', '/A', '/Off']);
    expect(await shown(await fill(pdf, { x: 'B' }))).toEqual(['/B', '/Off', '/B']);
    expect(await shown(await fill(pdf, { x: false }))).toEqual(['/Off', '/Off', '/Off']);
    expect(await refusal(pdf, { x: 'C' })).toBe(
      'fields[0].value: "x" is a checkbox: the value must be true, false, "A" or "B"',
    );
  });

  test('a check mark is visible even if the form has no appearance or uses a font that is not embedded', async () => {
    const dingbats = '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>';
    const content = 'q BT /ZaDb 14 Tf 4 5 Td (4) Tj ET Q';
    const appearance = `<</Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<</Font<</ZaDb 9 0 R>>>>/Length ${content.length}>>stream\n${content}\nendstream`;
    const pdf = formPdf(
      [
        widget('/FT/Btn/T(bare)/Rect[20 700 40 720]/MK<</CA(8)>>'),
        widget('/FT/Btn/T(font)/Rect[20 660 40 680]/AP<</N<</On 10 0 R>>>>'),
        widget('/FT/Btn/T(empty)/Rect[20 620 40 640]/AP<</N<</Yes<<>>>>>>'),
      ],
      { objects: [dingbats, appearance] },
    );
    const filled = await fill(pdf, { bare: true, font: true, empty: true });
    await qpdfCheck(filled);
    const [page] = await rasterise(filled, { dpi: 72 });
    expect(countDarkPixels(page, [20, 700, 40, 720])).toBeGreaterThan(20);
    expect(countDarkPixels(page, [20, 660, 40, 680])).toBeGreaterThan(20);
    expect(countDarkPixels(page, [20, 620, 40, 640])).toBeGreaterThan(20);
    const [blank] = await rasterise(await fill(filled, { bare: false, font: false, empty: false }), {
      dpi: 72,
    });
    expect(countDarkPixels(blank, [20, 620, 40, 740])).toBe(0);
  });
});
