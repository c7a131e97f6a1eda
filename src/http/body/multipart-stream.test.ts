import { expect, test } from 'bun:test';
import { readMultipartStream } from './multipart-stream.ts';

/** A body of a part that never ends. */
function endlessBody() {
  let isClosed = false;
  const pieces = async function* () {
    try {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n');
      for (;;) yield Buffer.alloc(20_000);
    } finally {
      isClosed = true;
    }
  };
  const headers = new Headers({ 'content-type': 'multipart/form-data; boundary=x' });
  return { body: { headers, pieces: pieces(), hash: () => {} }, isClosed: () => isClosed };
}

test('the body is closed when the reader of its parts stops', async () => {
  const { body, isClosed } = endlessBody();
  for await (const part of readMultipartStream(body)) {
    expect(part.name).toBe('a');
    break;
  }
  expect(isClosed()).toBe(true);
});

test('the body is closed when the content of a part is refused', async () => {
  const { body, isClosed } = endlessBody();
  const reading = async () => {
    for await (const { content } of readMultipartStream(body))
      for await (const piece of content) throw new Error(`refused ${piece.length > 0}`);
  };
  expect(await reading().catch(String)).toBe('Error: refused true');
  expect(isClosed()).toBe(true);
});

test('the body is closed after a fault', async () => {
  const { body, isClosed } = endlessBody();
  const headers = new Headers({ 'content-type': 'multipart/form-data; boundary=y' });
  const reading = Array.fromAsync(readMultipartStream({ ...body, headers }));
  expect(await reading.catch(String)).toContain('must begin with its boundary');
  expect(isClosed()).toBe(true);
});
