import { expect, test } from 'bun:test';
import { RawJson } from '../../src/plugin.ts';
import type { DocumentRequest } from '../render/contract.ts';
import { readRequest, sizeOfRequest, writeRequest } from './stored-request.ts';

const request: DocumentRequest = { source: { html: 'a\n"b" é' }, styles: 'c\n', output: 'url' };

test('a stored request is read back unchanged, and its data keeps its text', async () => {
  expect(await readRequest(writeRequest(request))).toEqual(request);
  const text = '{ "a":\n[1, "é\\n"] }';
  const read = await readRequest(writeRequest({ ...request, data: new RawJson(Buffer.from(text)) }));
  expect({ ...read, data: read.data?.text }).toEqual({ ...request, data: text } as never);
});

test('the size of a stored request is that of its text', () => {
  const data = new RawJson(Buffer.from('{ "a": "é" }'));
  for (const one of [request, { ...request, data }])
    expect(sizeOfRequest(one)).toBe(Buffer.byteLength(writeRequest(one)));
});
