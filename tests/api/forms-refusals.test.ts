import { describe, expect, test } from 'bun:test';
import { formsClient } from '../support/forms-client.ts';
import { sharedService } from '../support/shared-service.ts';
import { formPdf, states, widget } from './form-samples.ts';

const service = sharedService();
const { post, refusal } = formsClient(service);

describe('what a field does not take', () => {
  const pdf = formPdf([
    widget('/FT/Tx/T(zip)/MaxLen 5'),
    widget('/FT/Tx/T(fixed)/Ff 1'),
    widget(`/FT/Btn/T(tick)${states('Yes')}`),
    widget('/FT/Ch/T(city)/Ff 131072/Opt[[(b)(Berlin)][(p)(Paris)]]'),
    widget('/FT/Ch/T(list)/Opt[(x)(y)]'),
    widget('/FT/Btn/T(go)/Ff 65536'),
    widget('/FT/Sig/T(sign)'),
    '<</T(twice)/Kids[14 0 R]>>',
  ]);
  test.each([
    [
      'too long a text',
      { zip: '123456' },
      'fields[0].value: the text field "zip" accepts at most 5 characters; the value has 6',
    ],
    [
      'a boolean for text',
      { zip: true },
      'fields[0].value: "zip" is a text field: the value must be a string',
    ],
    ['a list for text', { zip: ['1'] }, 'fields[0].value: "zip" is a text field: the value must be a string'],
    ['half of a character', { zip: 'a\ud800' }, 'an unpaired surrogate'],
    ['a control character', { zip: 'a\u0000' }, 'the control character U+0000'],
    ['a read-only field', { fixed: 'x' }, '"fixed" is read-only'],
    ['a text for a checkbox', { tick: 'perhaps' }, 'the value must be true, false or "Yes"'],
    [
      'no option',
      { city: 'Rome' },
      '"city" is a dropdown without the option "Rome": the value must be one of "b", "p"',
    ],
    ['a boolean for a dropdown', { city: true }, 'the value must be one of "b", "p"'],
    ['two options of a list for one', { list: ['x', 'y'] }, 'that accepts one option'],
    ['a button', { go: 'x' }, '"go" is a push button'],
    ['a signature', { sign: 'x' }, '"sign" is a signature field'],
    [
      'no field',
      { zap: 'x' },
      'fields[0].name: there is no field "zap"; the fields of the PDF include "zip", "fixed"',
    ],
  ])('%s', async (_, sent, message) => {
    expect(await refusal(pdf, sent)).toContain(message);
  });

  test('one bad value refuses all, and is named by its place', async () => {
    expect(await refusal(pdf, { zip: '1', tick: true, city: 'Rome' })).toStartWith('fields[2].value: "city"');
  });

  test('the same name twice', async () => {
    const { status, body } = await post(pdf, [
      { name: 'zip', value: '1' },
      { name: 'zip', value: '2' },
    ]);
    expect([status, body.error.message]).toEqual([400, 'fields[1].name: "zip" is already set by fields[0]']);
  });

  test.each([
    ['no fields', [], 'fields: must be a list of 1 to 10000 fields'],
    ['a field without a value', [{ name: 'zip' }], 'fields[0].value: is required'],
    ['a number', [{ name: 'zip', value: 3 }], 'fields[0].value: must be a string, true or false'],
    ['null', [{ name: 'zip', value: null }], 'fields[0].value: must be a string, true or false'],
    [
      'a field that nobody knows',
      [{ name: 'zip', value: '', color: 'red' }],
      'fields[0].color: unknown field',
    ],
    ['no list', 'zip', 'fields: must be a list'],
  ])('%s', async (_, fields, message) => {
    const { status, body } = await post(pdf, fields);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });

  test('a PDF without a form', async () => {
    expect(await refusal(formPdf([]), { x: 'y' })).toContain('the PDF has no form fields');
  });
});
