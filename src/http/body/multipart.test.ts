import { expect, test } from 'bun:test';
import { parseMultipart, readBoundary } from './multipart.ts';

test('a Content-Type header has one boundary', () => {
  expect(readBoundary('multipart/form-data; boundary=a')).toBe('a');
  for (const rest of ['; boundary=b', '; Boundary="a"', '; charset=utf-8; boundary=a'])
    expect(() => readBoundary(`multipart/form-data; boundary=a${rest}`)).toThrow(/one boundary/);
});

test('a part has one charset', async () => {
  const partWith = (type: string) =>
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="n"\r\nContent-Type: ${type}\r\n\r\nx\r\n--b--\r\n`,
    );
  expect(await parseMultipart(partWith('text/plain; charset=utf-8'), 'b')).toHaveLength(1);
  const twice = parseMultipart(partWith('text/plain; charset=utf-8; charset=utf-16'), 'b');
  expect(await twice.catch((error: unknown) => String(error))).toContain('one charset');
});

test('a tolerant reader accepts text around the parts, other charsets and the encoding 8bit', async () => {
  const lines = [
    'This is a multipart message.',
    '--b',
    'Content-Disposition: form-data; name=n',
    'Content-Type: text/plain; charset=ISO-8859-1',
    'Content-Transfer-Encoding: 8bit',
    '',
    'x',
    '--b--',
    'The end.',
  ];
  const body = Buffer.from(lines.join('\r\n'));
  const [part, ...others] = await parseMultipart(body, 'b', { isTolerant: true });
  expect([part?.name, part?.content.toString(), others]).toEqual(['n', 'x', []]);
  const strict = parseMultipart(body, 'b');
  expect(await strict.catch((error: unknown) => String(error))).toContain('must begin with its boundary');
  const encoded = Buffer.from(lines.join('\r\n').replace('8bit', 'base64'));
  const refused = parseMultipart(encoded, 'b', { isTolerant: true });
  expect(await refused.catch((error: unknown) => String(error))).toContain('Content-Transfer-Encoding');
});
