import { expect, test } from 'bun:test';
import { pagesPdf } from '../support/pdf/samples.ts';
import { postForm } from '../support/service/multipart.ts';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();
const pdf = pagesPdf(1);
const part = (headers: string, content = pdf) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const disposition = 'Content-Disposition: form-data; name="pdf"; filename="a.pdf"';
const good = `${part(disposition)}--b--\r\n`;

async function send(text: string, boundary = 'b') {
  const { status, body } = await postForm(service(), '/v1/pdf/info', {
    boundary,
    bytes: Buffer.from(text, 'latin1'),
  });
  return { status, message: body.error?.message, pages: body.pages };
}

test.each([
  ['the usual form', good],
  ['no line break at the end', good.slice(0, -2)],
  ['spaces after the boundary', good.replace('--b\r\n', '--b \t\r\n')],
  [
    'a header in unusual case',
    good.replace('Content-Disposition: form-data', 'CONTENT-disposition:FORM-DATA'),
  ],
  ['an unquoted name', good.replace('"pdf"', 'pdf')],
  ['an encoded file name', good.replace('filename="a.pdf"', "filename*=UTF-8''a%E2%82%AC.pdf")],
  ['an unknown header', good.replace(disposition, `${disposition}\r\nX-Thing: 1`)],
  [
    'a media type in place of a file name',
    good.replace('; filename="a.pdf"', '\r\nContent-Type: application/pdf'),
  ],
])('reads %s', async (_, text) => {
  expect(await send(text)).toMatchObject({ status: 200, pages: 1 });
});

test.each([
  ['an empty body', '', 'the body must begin with its boundary'],
  ['another boundary', good.replaceAll('--b', '--c'), 'the body must begin with its boundary'],
  ['text before the first part', `hello\r\n${good}`, 'the body must begin with its boundary'],
  ['text after the last part', `${good}hello`, 'the body continues after its last boundary'],
  ['a second form', good + good, 'the body continues after its last boundary'],
  ['no end', good.replace('\r\n--b--', ''), 'part "pdf" is truncated'],
  ['half an end', good.replace('--b--\r\n', '--b-'), 'part 2: '],
  ['an end in the file', good.replace('%PDF', '\r\n--b--\r\n%PDF'), 'continues after its last boundary'],
  ['a boundary with other text', good.replace('--b\r\n', '--bb\r\n'), 'part 1: '],
  ['bare line feeds', good.replaceAll('\r\n', '\n'), 'part 1: '],
  ['no headers', good.replace(disposition, ''), 'part 1: '],
  ['headers without end', `--b\r\n${disposition}`, 'part 1: '],
  ['headers of 9 KB', good.replace(disposition, `${disposition}\r\nX: ${'x'.repeat(9_000)}`), 'part 1: '],
  [
    'a header without a colon',
    good.replace(disposition, `${disposition}\r\nhello`),
    'part 1: it has a malformed header',
  ],
  ['a folded header', good.replace('; filename', ';\r\n filename'), 'part 1: it has a malformed header'],
  [
    'a repeated header',
    good.replace(disposition, `${disposition}\r\n${disposition}`),
    'part 1: it has the header',
  ],
  ['no name', good.replace('name="pdf"; ', ''), 'part 1: it must have the header Content-Disposition'],
  ['an empty name', good.replace('"pdf"', '""'), 'part 1: it must have the header'],
  ['an attachment', good.replace('form-data', 'attachment'), 'part 1: it must have the header'],
  ['two names', good.replace('name="pdf"', 'name="pdf"; name="x"'), 'part 1: it must have the header'],
  ['an unclosed quote', good.replace('"a.pdf"', '"a.pdf'), 'part 1: it must have the header'],
  [
    'headers that are not UTF-8',
    good.replace('a.pdf', 'a\u{ff}.pdf'),
    'part 1: its headers are not valid UTF-8',
  ],
  [
    'a nested multipart',
    good.replace(disposition, `${disposition}\r\nContent-Type: multipart/mixed; boundary=c`),
    'part "pdf" must not be a multipart itself',
  ],
  [
    'base64',
    good.replace(disposition, `${disposition}\r\nContent-Transfer-Encoding: base64`),
    'part "pdf" must not have a Content-Transfer-Encoding',
  ],
  [
    'another charset',
    good.replace(disposition, `${disposition}\r\nContent-Type: text/plain; charset=utf-16`),
    'part "pdf" must be UTF-8',
  ],
  [
    'a name of 5,000 characters',
    good.replace('"pdf"', `"${'x'.repeat(5_000)}"`),
    `${'x'.repeat(200)}…: unknown part`,
  ],
  [
    '3,000 parts',
    `${part('Content-Disposition: form-data; name="pdf"', 'x').repeat(3_000)}--b--`,
    'part 1001: a body can have at most 1000 parts',
  ],
])('rejects %s', async (_, text, message) => {
  const answer = await send(text);
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.message).toContain(message);
});

test.each(['', '"', 'x'.repeat(71), 'a b ', 'a\u{e9}', '<b>'])(
  'rejects the boundary %p',
  async (boundary) => {
    const answer = await send(good, boundary.includes(' ') ? `"${boundary}"` : boundary);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.message).toContain('must have a boundary of 1 to 70 characters');
  },
);

test('a boundary of 70 characters in quotes is read', async () => {
  const boundary = `'()+_,-./:=? ${'x'.repeat(57)}`;
  expect(await send(good.replaceAll('--b', `--${boundary}`), `"${boundary}"`)).toMatchObject({ status: 200 });
});

test('a truncated upload is rejected', async () => {
  for (const length of [good.length - 10, good.length / 2, 20])
    expect((await send(good.slice(0, length))).status).toBe(400);
});
