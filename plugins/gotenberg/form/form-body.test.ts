import { expect, test } from 'bun:test';
import { Type } from '../../../src/plugin.ts';
import { messageOf } from '../../../src/errors.ts';
import { formBody } from './form-body.ts';
import { Form } from './form.ts';

/** Reads a form of texts. Returns the form, or the message of the error. */
async function read(texts: Readonly<Record<string, string>>): Promise<unknown> {
  const parts = Object.entries(texts).map(
    ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const headers = new Headers({ 'content-type': 'multipart/form-data; boundary=b' });
  const bytes = async () => Buffer.from(`${parts.join('')}--b--\r\n`);
  return formBody.createReader(Type.Any())({ headers, bytes }).catch(messageOf);
}

test('the texts of a form are limited together, because several of them are parsed', async () => {
  expect(await read({ a: 'x'.repeat(500_000), b: 'x'.repeat(500_000) })).toBeInstanceOf(Form);
  expect(await read({ a: 'x'.repeat(500_000), b: 'x'.repeat(500_001) })).toBe(
    "Invalid form data: with form field 'b', the fields that are not files are larger than 1000000 bytes together",
  );
});
