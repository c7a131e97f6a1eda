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
