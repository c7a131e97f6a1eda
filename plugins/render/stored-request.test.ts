import { expect, test } from 'bun:test';
import { RawJson } from '../../src/plugin.ts';
import type { DocumentRequest } from './contract.ts';
import { readRequest, toStoredText, writeRequest } from './stored-request.ts';

const request: DocumentRequest = { source: { html: 'a\n"b" é' }, styles: 'c\n', output: 'url' };
const long: DocumentRequest = { ...request, source: { html: '"<p>é</p>\n'.repeat(20_000) } };
const store = (sent: DocumentRequest) => readRequest(toStoredText(writeRequest(sent)));

test('a stored request is read as it was written, and its data keep their text', async () => {
  const text = '{ "a":\n[1, "é\\n"] }';
  for (const sent of [request, long]) {
    expect(await store(sent)).toEqual(sent);
    const read = await store({ ...sent, data: new RawJson(Buffer.from(text)) });
    expect({ ...read, data: read.data?.text }).toEqual({ ...sent, data: text } as never);
  }
});

test('a request that an earlier release stored is read too', async () => {
  for (const sent of [request, long]) {
    const read = await readRequest(JSON.stringify({ ...sent, data: { a: ['é\n'] } }));
    expect({ ...read, data: JSON.parse(read.data?.text ?? '') }).toEqual({ ...sent, data: { a: ['é\n'] } });
  }
});
