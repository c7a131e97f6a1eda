import { expect, test } from 'bun:test';
import { RawJson } from '../../../src/plugin.ts';
import { Sealer } from '../../../src/sealer.ts';
import type { DocumentRequest } from '../contract.ts';
import { readRequest, sizeOfRequest, writeRequest } from './stored-request.ts';

const sealer = new Sealer('7f'.repeat(32));
const request: DocumentRequest = { source: { html: 'a\n"b" é' }, styles: 'c\n', output: 'url' };

const roundTrip = (written: DocumentRequest) =>
  readRequest('gen_1', writeRequest('gen_1', written, sealer), sealer);

test('a stored request is read back unchanged, and its data keeps its text', async () => {
  expect(await roundTrip(request)).toEqual(request);
  const text = '{ "a":\n[1, "é\\n"] }';
  const read = await roundTrip({ ...request, data: new RawJson(Buffer.from(text)) });
  expect({ ...read, data: read.data?.text }).toEqual({ ...request, data: text } as never);
});

test('the data of an invoice keeps its text', async () => {
  const text = '{ "ubl:Invoice":\n{} }';
  const data = new RawJson(Buffer.from(text));
  const written = { ...request, data, options: { invoice: { profile: 'basic' as const, data } } };
  const read = await roundTrip(written);
  expect([read.data?.text, read.options?.invoice?.data?.text]).toEqual([text, text]);
  expect(read.options?.invoice?.profile).toBe('basic');
  const stored = writeRequest('gen_1', written, sealer);
  expect(sizeOfRequest('gen_1', written, sealer)).toBe(Buffer.byteLength(stored));
});

test('the size of a stored request is that of its text', () => {
  const data = new RawJson(Buffer.from('{ "a": "é" }'));
  for (const written of [request, { ...request, data }]) {
    const text = writeRequest('gen_1', written, sealer);
    expect(sizeOfRequest('gen_1', written, sealer)).toBe(Buffer.byteLength(text));
  }
});

test('a URL and its credentials are stored encrypted, for one generation', async () => {
  const source = { url: 'https://example.com/?token=SECRET', headers: { 'X-Key': 'SECRET' } };
  const text = writeRequest('gen_1', { ...request, source }, sealer);
  expect(text).not.toMatch(/SECRET|example/);
  expect(await readRequest('gen_1', text, sealer)).toEqual({ ...request, source });
  expect(readRequest('gen_2', text, sealer)).rejects.toThrow('PLATEN_SECRET');
  expect(readRequest('gen_1', text, new Sealer('7e'.repeat(32)))).rejects.toThrow('PLATEN_SECRET');
});

test('the passwords of a protected PDF are stored encrypted, for one generation', async () => {
  const options = { scale: 1, protect: { ownerPassword: 'SECRET', permissions: { printing: false } } };
  const text = writeRequest('gen_1', { ...request, options }, sealer);
  expect(text).not.toMatch(/SECRET|ownerPassword/);
  expect(await readRequest('gen_1', text, sealer)).toEqual({ ...request, options });
  expect(readRequest('gen_2', text, sealer)).rejects.toThrow('PLATEN_SECRET');
});
