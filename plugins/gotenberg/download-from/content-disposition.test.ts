import { expect, test } from 'bun:test';
import { messageOf } from '../../../src/errors.ts';
import { readFileName } from './content-disposition.ts';

test.each([
  ['attachment; filename="a b.pdf"', 'a b.pdf'],
  ['attachment; filename=a.pdf; size=3', 'a.pdf'],
  ['attachment; filename="a\\"b.pdf";', 'a"b.pdf'],
  [`attachment; filename="x.pdf"; filename*=UTF-8''%C3%A9.pdf`, 'é.pdf'],
  [`attachment; filename*=UTF-8''%ZZ.pdf; filename="x.pdf"`, 'x.pdf'],
  [Buffer.from('inline; filename="é.pdf"').toString('latin1'), 'é.pdf'],
  ['attachment', undefined],
  ['attachment; name="a"', undefined],
])('the header %p names %p', (header, name) => {
  expect(readFileName(header)).toBe(name);
});

test.each([
  ['; filename="a.pdf"', 'mime: no media type'],
  ['attachment; filename="a.pdf', 'mime: invalid media parameter'],
  ['attachment filename=a', 'mime: unexpected content after media type'],
])('the header %p is malformed', (header, message) => {
  let fault = '';
  try {
    readFileName(header);
  } catch (error) {
    fault = messageOf(error);
  }
  expect(fault).toBe(message);
});
