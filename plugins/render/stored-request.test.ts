import { expect, test } from 'bun:test';
import { RawJson } from '../../src/plugin.ts';
import type { DocumentRequest } from './contract.ts';
import { readRequest, writeRequest } from './stored-request.ts';

const request: DocumentRequest = { source: { html: 'a\n"b"' }, styles: 'c\n', output: 'url' };

test('a stored request is read as it was written, and its data keep their text', () => {
  expect(readRequest(writeRequest(request))).toEqual(request);
  const text = '{ "a":\n[1, "é\\n"] }';
  const read = readRequest(writeRequest({ ...request, data: new RawJson(Buffer.from(text)) }));
  expect({ ...read, data: read.data?.text }).toEqual({ ...request, data: text } as never);
});

test('a request that an earlier release stored is read too', () => {
  const read = readRequest(JSON.stringify({ ...request, data: { a: ['é\n'] } }));
  expect({ ...read, data: JSON.parse(read.data?.text ?? '') }).toEqual({
    ...request,
    data: { a: ['é\n'] },
  });
});
