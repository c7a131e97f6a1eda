import { expect, test } from 'bun:test';
import { contentDisposition } from './content-disposition.ts';

test.each([
  ['a.pdf', `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`],
  ['Rechnung März.pdf', `inline; filename="Rechnung M_rz.pdf"; filename*=UTF-8''Rechnung%20M%C3%A4rz.pdf`],
  [String.raw`a"b\c%d.pdf`, `inline; filename="a_b_c_d.pdf"; filename*=UTF-8''a%22b%5Cc%25d.pdf`],
  ["it's (1)*.pdf", `inline; filename="it's (1)*.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`],
  ['a\r\nb.pdf', `inline; filename="a__b.pdf"; filename*=UTF-8''a%0D%0Ab.pdf`],
  ['\u{d800}.pdf', `inline; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
])('the name %p', (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});
