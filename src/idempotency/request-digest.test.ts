import { expect, test } from 'bun:test';
import { digestRequest, type DigestedRequest } from './request-digest.ts';

const KEY = '00'.repeat(32);

function digest(changes: Partial<Omit<DigestedRequest, 'body'>> & { body?: string } = {}): Promise<string> {
  const { body = '{"html":"x"}', ...rest } = changes;
  const request = { method: 'POST', target: '/v1/generate', contentType: 'application/json' };
  return digestRequest(KEY, { ...request, ...rest, body: Buffer.from(body) });
}

function form(boundary: string, { name = 'file', content = 'PDF' } = {}) {
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
  };
}

test('the method, the path, the query, the media type and each byte of the body count', async () => {
  const digests = await Promise.all([
    digest(),
    digest({ method: 'PUT' }),
    digest({ target: '/v1/generate?a' }),
    digest({ contentType: 'application/merge-patch+json' }),
    digest({ body: '{"html":"x"} ' }),
    digest({ body: '' }),
    digestRequest('11'.repeat(32), {
      method: 'POST',
      target: '/v1/generate',
      contentType: 'application/json',
      body: Buffer.from('{"html":"x"}'),
    }),
  ]);
  expect(new Set(digests).size).toBe(digests.length);
  expect(await digest({ contentType: 'Application/JSON; charset=utf-8' })).toBe(await digest());
});

test('the boundary of a multipart body does not count, but its parts do', async () => {
  const first = await digest(form('one'));
  expect(await digest(form('another-boundary'))).toBe(first);
  const others = [
    form('one', { name: 'pdf' }),
    form('one', { content: 'PDF ' }),
    form('one', { content: '' }),
    // Only a whole delimiter at the start of a line separates parts.
    form('two', { content: 'P--twoDF' }),
    form('two', { content: 'P\r\n--twoDF' }),
  ];
  const digests = await Promise.all(others.map((each) => digest(each)));
  expect(new Set([first, ...digests]).size).toBe(others.length + 1);
});

test('a body of several pieces has the same digest as its bytes', async () => {
  const body = 'x'.repeat(2_500_000);
  expect(await digest({ body })).toBe(await digest({ body }));
  expect(await digest({ body: `${body}y` })).not.toBe(await digest({ body }));
});
