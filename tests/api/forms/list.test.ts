import { describe, expect, test } from 'bun:test';
import { sampleForm } from '../../../plugins/forms/examples.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { FLAG, formPdf, states, widget } from '../../support/pdf/form-samples.ts';

const service = sharedService();
const list = async (pdf: string) => {
  const { status, body } = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(pdf) });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

describe('POST /v1/pdf/forms/list-fields', () => {
  test('lists a radio group whose widgets are in Fields and do not appear in the Kids of their parent', async () => {
    const parent = `<</FT/Btn/Ff ${FLAG.radio | FLAG.noToggleToOff}/T(veg)/V/Carrot>>`;
    const button = (state: string, y: number) =>
      widget(`/Parent 8 0 R/AS/Off/Rect[10 ${y} 30 ${y + 20}]${states(state)}`);
    const pdf = formPdf([button('Carrot', 10), button('Leek', 50), parent], {
      shown: '6 0 R 7 0 R',
      listed: '6 0 R 7 0 R',
    });
    const { fields, total } = await list(pdf);
    expect(total).toBe(1);
    expect(fields[0]).toMatchObject({
      name: 'veg',
      type: 'radio',
      value: 'Carrot',
      options: ['Carrot', 'Leek'],
      widgets: [
        { page: 0, rect: { y: 10 } },
        { page: 0, rect: { y: 50 } },
      ],
    });
    const { body } = await service().post('/v1/pdf/forms/fill', {
      pdf: base64(pdf),
      fields: [{ name: 'veg', value: 'Leek' }],
      output: 'base64',
    });
    const filled = Buffer.from(body.data, 'base64').toString('latin1');
    expect((await list(filled)).fields[0].value).toBe('Leek');
    expect(filled).toMatch(/\/AS \/Leek/);
  });

  test('reads the parents of listed fields at any depth, in any order, and without loops', async () => {
    const fields = [
      widget('/FT/Tx/T(street)/Parent 7 0 R'),
      '<</T(address)/Parent 8 0 R>>',
      '<</T(customer)>>',
      widget('/FT/Tx/T(looped)/Parent 10 0 R/Rect[10 50 110 70]'),
      '<</T(a)/Parent 11 0 R>>',
      '<</T(b)/Parent 10 0 R>>',
      widget('/FT/Tx/T(odd)/Parent 3 0 R/Rect[10 90 110 110]'),
    ];
    const pdf = formPdf(fields, { shown: '6 0 R 9 0 R 12 0 R', listed: '6 0 R 9 0 R 12 0 R 8 0 R' });
    const names = (await list(pdf)).fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('customer.address.street');
    expect(names).toContain('looped');
    expect(names).toContain('odd');
  });

  test('returns the fields of section 4.6 of docs/internals/spec.md and additional ones', async () => {
    const { status, body } = await service().post('/v1/pdf/forms/list-fields', { pdf: sampleForm });
    expect(status).toBe(200);
    expect(body).toEqual({
      fields: [
        {
          name: 'name',
          type: 'text',
          value: '',
          page: 0,
          rect: { x: 20, y: 60, width: 160, height: 20 },
          read_only: false,
          required: false,
          multiline: false,
          max_length: null,
        },
        {
          name: 'agree',
          type: 'checkbox',
          value: false,
          page: 0,
          rect: { x: 20, y: 30, width: 14, height: 14 },
          read_only: false,
          required: false,
        },
      ],
      total: 2,
      xfa: false,
    });
  });

  test('reports all types with their values, options and flags', async () => {
    const pdf = formPdf(
      [
        widget(
          `/FT/Tx/T<FEFF540D524D>/V<FEFF4F60597D>/Ff ${FLAG.readOnly | FLAG.required | FLAG.multiline}/MaxLen 20`,
        ),
        widget(`/FT/Btn/T(tick)/V/Ja#20wohl/AS/Ja#20wohl${states('Ja#20wohl')}`),
        widget(`/FT/Ch/T(city)/Ff ${FLAG.combo}/V(b)/Opt[[(b)(Berlin)][(p)(Paris)]]`),
        widget(`/FT/Ch/T(many)/Ff ${FLAG.multiSelect}/V[(x)(z)]/Opt[(x)(y)(z)]`),
        widget('/FT/Ch/T(one)/Opt[(x)(y)]'),
        `<</FT/Btn/T(way)/Ff ${FLAG.radio}/V/car/Kids[KID1 KID2]>>`,
        widget(`/FT/Btn/T(go)/Ff ${FLAG.pushButton}`),
        widget('/FT/Sig/T(sign)'),
        widget('/T(odd)'),
      ].map((field) =>
        field.replace('KID1', widget(`/AS/car${states('car')}`)).replace('KID2', widget(states('bike'))),
      ),
    );
    const { fields, total } = await list(pdf);
    expect(total).toBe(9);
    expect(fields.map(({ name, type, value }: Record<string, unknown>) => [name, type, value])).toEqual([
      ['名前', 'text', '你好'],
      ['tick', 'checkbox', true],
      ['city', 'dropdown', 'b'],
      ['many', 'option_list', ['x', 'z']],
      ['one', 'option_list', null],
      ['way', 'radio', 'car'],
      ['go', 'button', null],
      ['sign', 'signature', null],
      ['odd', 'unknown', null],
    ]);
    expect(fields[0]).toMatchObject({ read_only: true, required: true, multiline: true, max_length: 20 });
    expect(fields[2]).toMatchObject({ options: ['b', 'p'], labels: ['Berlin', 'Paris'] });
    expect(fields[5].options).toEqual(['car', 'bike']);
    expect(fields[5].widgets).toHaveLength(2);
  });
});
