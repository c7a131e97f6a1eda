// Bytes in requests, and answers of other servers. Runs as client.test.mjs does.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { Platen } from '@platen/client';
import { errorOf, listen, unique } from './support.mjs';

const platen = new Platen();

test('bytes in a request are sent in base64', async () => {
  const made = await platen.generate({
    html: '<p>Bytes</p>',
    options: { attachments: [{ name: 'a.txt', data: Buffer.from('attached') }] },
  });
  const bytes = await made.bytes();
  const contents = [bytes, Buffer.from(bytes), bytes.buffer, new Blob([bytes]), new File([bytes], 'a.pdf')];
  for (const pdf of contents) assert.equal((await platen.pdf('info', { pdf })).pages, 1);
  assert.equal((await platen.pdf('merge', { pdfs: [bytes, new Blob([bytes]), made.id] })).pages, undefined);
  const { attachments } = await platen.pdf('attachments', { pdf: bytes, extract: ['a.txt'] });
  assert.equal(atob(attachments[0].data), 'attached');

  const path = { slug: 'service-agreement' };
  const starter = await platen.request('GET /v1/starter-templates/{slug}', { path });
  const file = new Blob([Buffer.from(starter.file, 'base64')]);
  const template = await platen.templates.create({ name: unique('Agreement'), file });
  assert.equal((await platen.templates.get(template.id)).file_size, file.size);
  await platen.templates.update(template.id, { file: new Uint8Array(await file.arrayBuffer()) });
  assert.equal((await platen.templates.get(template.id)).version, 1);

  let body;
  const url = await listen(async (request, response) => {
    body = JSON.parse(Buffer.concat(await request.toArray()));
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
    response.writeHead(200, headers).end('{}');
  });
  const large = new Uint8Array(100_000).map((_, index) => index);
  await new Platen({ url }).pdf('convert', { file: large.subarray(1), file_type: 'csv' });
  assert.deepEqual(body, { file: Buffer.from(large.subarray(1)).toString('base64'), file_type: 'csv' });
});

test('values that JSON cannot have are one sentence that says what to do', async () => {
  const circular = {};
  circular.self = circular;
  const values = [new Blob(['a']).stream(), createReadStream('client.test.mjs'), 1n, circular];
  for (const value of values) {
    const error = await errorOf(() => platen.generate({ html: '<p></p>', data: { value } }));
    assert.equal(error.code, 'INVALID_VALUE');
    assert.match(error.message, /^The request cannot be written as JSON \(.+\): correct the value\.$/);
  }
});

test('another server is not taken for Platen, whatever it answers', async () => {
  const json = { 'content-type': 'application/json' };
  const id = { 'x-request-id': 'abc' };
  const answers = [
    [200, {}, ''],
    [200, json, '{}'],
    [200, json, '{"id": "gen_1", "pages": 1}'],
    [200, json, '{"error": {"code": "WRONG", "message": "wrong"}}'],
    [200, id, ''],
    [200, { ...id, ...json }, ''],
    [200, { ...id, ...json }, 'null'],
    [200, { ...id, 'content-type': 'text/plain' }, 'OK'],
    [204, {}, ''],
    [404, json, '{"error": {}}'],
    [404, json, '{"error": "not found"}'],
    [404, json, 'null'],
  ];
  for (const [status, headers, body] of answers) {
    const url = await listen((_, response) => response.writeHead(status, headers).end(body));
    const client = new Platen({ url });
    const calls = [
      () => client.generate({ html: '<p></p>' }),
      () => client.generations.get('gen_1'),
      () => client.generations.wait('gen_1'),
      () => client.files.upload(new Blob(['a'])),
    ];
    for (const call of calls) {
      const error = await errorOf(call);
      assert.deepEqual(
        [error.code, error.status],
        ['NOT_PLATEN', status],
        JSON.stringify([status, headers, body]),
      );
    }
  }
});
