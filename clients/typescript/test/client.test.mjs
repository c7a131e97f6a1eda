// Runs against the service at PLATEN_URL, with an account of its own: `node --test test/`. With RECEIVER_PORT, a
// port of 127.0.0.1 that EGRESS_ALLOW names, it also receives webhooks.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Platen, PlatenError, verifyWebhook } from '@platen/client';
import { errorOf, isPdf, listen, unique } from './support.mjs';

const { PLATEN_URL, PLATEN_API_KEY, RECEIVER_PORT } = process.env;
const platen = new Platen();
const folder = await mkdtemp(join(tmpdir(), 'platen-client-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a gateway to the service, which breaks some requests. */
function gateway(handle) {
  return listen((incoming, outgoing) => {
    const pass = (finish) => {
      const { method, headers } = incoming;
      const options = { method, headers: { ...headers, host: new URL(PLATEN_URL).host } };
      const out = forward(new URL(incoming.url, PLATEN_URL), options, (response) => {
        if (finish) return finish(response);
        outgoing.writeHead(response.statusCode, response.headers);
        response.pipe(outgoing);
      });
      incoming.pipe(out);
    };
    handle(incoming, outgoing, pass);
  });
}

test('generates a PDF, and saves and returns its bytes', async () => {
  const pdf = await platen.generate({
    html: '<h1>Hello {{name}}</h1>',
    data: { name: 'Ada' },
    options: { format: 'A5' },
    file_name: 'hello',
  });
  assert.match(pdf.id, /^gen_/);
  assert.equal(pdf.pages, 1);
  assert.equal(pdf.status, 'completed');
  assert.deepEqual(pdf.warnings, []);
  const path = join(folder, 'hello.pdf');
  await writeFile(path, 'an older file');
  await pdf.save(path);
  const bytes = await pdf.bytes();
  assert.ok(bytes instanceof Uint8Array && isPdf(bytes));
  assert.equal(bytes.length, pdf.file_size);
  assert.deepEqual(await readFile(path), Buffer.from(bytes));
  assert.equal((await readdir(folder)).filter((name) => name.includes('.part')).length, 0);
  let length = 0;
  for await (const chunk of await pdf.stream()) length += chunk.length;
  assert.equal(length, pdf.file_size);
  assert.equal(JSON.parse(JSON.stringify(pdf)).id, pdf.id);
  const other = await platen.generate({ html: '<p></p>', output: 'binary' });
  assert.ok(isPdf(await other.bytes()));
});

test('makes images', async () => {
  const image = await platen.image({ html: '<p>Hello</p>', options: { width: 200, height: 100 } });
  assert.equal(image.content_type, 'image/png');
  assert.equal(Buffer.from((await image.bytes()).subarray(1, 4)).toString(), 'PNG');
});

test('waits for a document that was made with async, and throws its fault', async () => {
  const pdf = await platen.generate({ html: '<p>Later</p>', async: true });
  assert.equal(pdf.status, 'queued');
  assert.ok(isPdf(await pdf.bytes()));
  const generation = await platen.generations.wait(pdf.id);
  assert.equal(generation.pages, 1);
  const failing = await platen.generate({ html: '<p>{{#if paid}}</p>', data: {}, async: true });
  const error = await errorOf(() => failing.bytes());
  assert.equal(error.code, 'TEMPLATE_ERROR');
  assert.match(error.message, /"if" is not closed/);
});

test('errors have the code, the status, the fields and the id of the request', async () => {
  const error = await errorOf(() => platen.generate({ html: '<p></p>', options: { margin: '10 parsecs' } }));
  assert.equal(error.name, 'PlatenError');
  assert.equal(error.code, 'VALIDATION_ERROR');
  assert.equal(error.status, 400);
  assert.equal(error.details[0].path, 'options.margin');
  assert.match(error.requestId, /^req_/);
  const missing = await errorOf(() => platen.generations.get('gen_missing'));
  assert.deepEqual([missing.code, missing.status], ['NOT_FOUND', 404]);
  const wrongKey = new Platen({ apiKey: 'plt_live_wrong' });
  assert.equal((await errorOf(() => wrongKey.generate({ html: '<p></p>' }))).code, 'UNAUTHORIZED');
});

test('stores, reads, lists, changes and deletes templates', async () => {
  const html = '<h1>Invoice {{number}}</h1>';
  const [name, alias] = [unique('Invoice'), unique('invoice')];
  const sample = { number: 7, file: { id: 'a', file_size: 3 } };
  const template = await platen.templates.create({ name, html_content: html, alias, sample_data: sample });
  assert.deepEqual((await platen.templates.get(alias)).sample_data, sample);
  assert.equal((await platen.templates.get(alias)).html_content, html);
  const names = [];
  for await (const each of platen.templates.list({ search: name })) names.push(each.name);
  assert.deepEqual(names, [name]);
  const pdf = await platen.generate({ template: alias, data: { number: 118 } });
  assert.equal((await platen.generations.get(pdf.id, { receipt: true })).template_id, template.id);
  assert.equal((await platen.templates.update(template.id, { name: 'Bill' })).name, 'Bill');
  await platen.templates.delete(template.id);
  assert.equal((await errorOf(() => platen.templates.get(template.id))).status, 404);
});

test('makes batches, lists their documents and saves them', async () => {
  const items = [1, 2, 3].map((number) => ({ html: '<p>{{number}}</p>', data: { number } }));
  const accepted = await platen.batches.create({ items });
  assert.equal(accepted.total, 3);
  const batch = await platen.batches.wait(accepted.batch_id);
  assert.deepEqual([batch.status, batch.completed, batch.failed], ['completed', 3, 0]);
  const saved = [];
  // One entry at a time, so that the list has three pages.
  for await (const pdf of platen.generations.list({ batch_id: batch.batch_id, limit: 1 })) {
    await pdf.save(join(folder, `${pdf.index}.pdf`));
    saved.push(pdf.index);
  }
  assert.deepEqual(
    saved.toSorted((a, b) => a - b),
    [0, 1, 2],
  );
  for (const index of saved) assert.ok(isPdf(await readFile(join(folder, `${index}.pdf`))));
  const ids = [];
  for await (const each of platen.batches.list()) ids.push(each.batch_id);
  assert.ok(ids.includes(batch.batch_id));
});

test('uploads paths, bytes and streams, and downloads them as streams', async () => {
  const path = join(folder, 'upload.pdf');
  const reference = unique('upload');
  const made = await platen.generate({ html: '<p>Upload</p>' });
  await made.save(path);
  const bytes = await readFile(path);
  const contents = [path, bytes, new Blob([bytes]), new Blob([bytes]).stream(), createReadStream(path)];
  for (const content of contents) {
    const fields = { file_name: 'scan.pdf', reference, metadata: { from: 'test' } };
    const file = await platen.files.upload(content, fields);
    assert.match(file.id, /^file_/);
    assert.deepEqual([file.file_name, file.pages, file.metadata], ['scan.pdf', 1, { from: 'test' }]);
    const parts = [];
    for await (const part of await platen.files.download(file.id)) parts.push(part);
    assert.deepEqual(Buffer.concat(parts), bytes);
  }
  const listed = [];
  for await (const file of platen.files.list({ reference, limit: 2 })) {
    listed.push(file);
    assert.ok(isPdf(await file.bytes()));
    await platen.files.delete(file.id);
  }
  assert.equal(listed.length, contents.length);
  assert.equal((await errorOf(() => listed[0].bytes())).status, 404);
});

test('an upload has the name of the local file', async () => {
  const bodies = [];
  const url = await listen(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
    response.writeHead(201, headers).end('{"id": "file_1", "file_size": 1}');
  });
  const path = join(folder, 'table "1".csv');
  await writeFile(path, 'a;b');
  const client = new Platen({ url });
  for (const content of [path, new File(['a;b'], 'table.csv'), new Blob(['a;b'])])
    await client.files.upload(content);
  const names = bodies.map((body) => /filename="(.*)"\r\n\r\na;b\r\n/.exec(body)?.[1]);
  assert.deepEqual(names, ['table 1.csv', 'table.csv', 'file']);
});

test('runs operations on PDFs by their ids', async () => {
  const [one, two] = await Promise.all(
    ['One', 'Two'].map((text) => platen.generate({ html: `<p>${text}</p>` })),
  );
  const merged = await platen.pdf('merge', { pdfs: [one.id, two.id], file_name: 'both' });
  assert.match(merged.id, /^file_/);
  await merged.save(join(folder, 'both.pdf'));
  assert.ok(isPdf(await readFile(join(folder, 'both.pdf'))));
  const info = await platen.pdf('info', { pdf: merged.id });
  assert.equal(info.pages, 2);
  const split = await platen.pdf('split', { pdf: merged.id });
  assert.equal(split.parts.length, 2);
  assert.ok(isPdf(await split.parts[1].bytes()));
  const fields = await platen.pdf('forms/list-fields', { pdf: merged.id });
  assert.deepEqual(fields.fields, []);
});

test('calls every other route', async () => {
  const usage = await platen.request('GET /v1/usage');
  assert.ok(usage.used > 0);
  const pdf = await platen.generate({ html: '<p>Page</p>' });
  const page = await platen.request('GET /v1/generations/{id}/pages/{n}.png', { path: { id: pdf.id, n: 1 } });
  assert.equal(page.type, 'image/png');
  assert.equal(await platen.request('DELETE /v1/generations/{id}', { path: { id: pdf.id } }), undefined);
});

test('a request is repeated with its Idempotency-Key, and has its effect once', async () => {
  const keys = [];
  const reference = unique('once');
  const url = await gateway((incoming, outgoing, pass) => {
    if (incoming.url !== '/v1/generate') return pass();
    keys.push(incoming.headers['idempotency-key']);
    const error = { code: 'UNAVAILABLE', message: 'busy', details: [], request_id: 'req_1', doc_url: '' };
    if (keys.length === 1)
      outgoing
        .writeHead(503, { 'retry-after': '0', 'content-type': 'application/json' })
        .end(JSON.stringify({ error }));
    // The document is made, but its response is lost.
    else if (keys.length === 2) pass((response) => response.resume().on('end', () => outgoing.destroy()));
    else if (keys.length === 3)
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad gateway</p>');
    else pass();
  });
  const client = new Platen({ url: `${url}/` });
  const pdf = await client.generate({ html: '<p>Once</p>', reference });
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);
  const found = [];
  for await (const each of platen.generations.list({ reference })) found.push(each.id);
  assert.deepEqual(found, [pdf.id]);
  const again = await client.generate({ html: '<p>Once</p>', reference }, { idempotencyKey: keys[0] });
  assert.equal(again.id, pdf.id);
});

test('a request that would have another effect is not repeated', async () => {
  let attempts = 0;
  const url = await gateway((incoming, outgoing) => {
    attempts += 1;
    outgoing.destroy();
  });
  const client = new Platen({ url });
  const error = await errorOf(() => client.templates.update('tmpl_1', { name: 'New' }));
  assert.deepEqual([error.code, attempts], ['CONNECTION_FAILED', 1]);
  await errorOf(() => client.request('POST /v1/keys', { body: { name: 'New' } }));
  assert.equal(attempts, 2);
  const stream = new Blob(['%PDF-']).stream();
  await errorOf(() => client.files.upload(stream));
  assert.equal(attempts, 3);
});

test('a call ends with its signal, also while it waits', async () => {
  const controller = new AbortController();
  const url = await gateway((incoming, outgoing) => {
    outgoing.writeHead(503, { 'retry-after': '50' }).end();
    setTimeout(() => controller.abort(new Error('enough')), 20);
  });
  const call = new Platen({ url }).generate({ html: '<p></p>' }, { signal: controller.signal });
  await assert.rejects(call, /enough/);
  const silent = await gateway(() => undefined);
  const late = await errorOf(() => new Platen({ url: silent, timeoutMs: 50 }).generate({ html: '<p></p>' }));
  assert.equal(late.code, 'TIMEOUT');
});

test('a download that breaks off is an error, and leaves the older file', async () => {
  const url = await gateway((incoming, outgoing, pass) => {
    if (!incoming.url.startsWith('/files/')) return pass();
    outgoing.writeHead(200, { 'content-length': '1000' });
    outgoing.write('%PDF-', () => outgoing.destroy());
  });
  const pdf = await new Platen({ url, retries: 0 }).generate({ html: '<p></p>' });
  const path = join(folder, 'older.pdf');
  await writeFile(path, 'older');
  assert.equal((await errorOf(() => pdf.save(path))).code, 'CONNECTION_FAILED');
  assert.equal(await readFile(path, 'utf8'), 'older');
  assert.equal((await errorOf(() => pdf.bytes())).message, 'The download broke off: repeat it.');
  assert.equal((await readdir(folder)).filter((name) => name.includes('.part')).length, 0);
});

test('bad settings and paths are one sentence that says what to do', async () => {
  const messageOf = async (run) => (await errorOf(async () => run())).message;
  delete process.env.PLATEN_API_KEY;
  assert.match(await messageOf(() => new Platen()), /no API key: set PLATEN_API_KEY/);
  process.env.PLATEN_API_KEY = PLATEN_API_KEY;
  assert.match(await messageOf(() => new Platen({ apiKey: 'plt_live_1\n' })), /copy it again/);
  assert.match(
    await messageOf(() => new Platen({ url: 'localhost:3000' })),
    /'localhost:3000': set it to a URL such as/,
  );

  const down = new Platen({ url: 'http://127.0.0.1:9', retries: 0 });
  assert.match(await messageOf(() => down.generate({ html: 'x' })), /cannot be reached \(.+\): start Platen/);
  const html = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
  const other = new Platen({ url: await listen(html) });
  assert.match(
    await messageOf(() => other.generate({ html: 'x' })),
    /does not answer as Platen does \(status 200\)/,
  );
  const nothing = new Platen({ url: await listen((_, response) => response.writeHead(404).end('no')) });
  assert.match(await messageOf(() => nothing.generate({ html: 'x' })), /\(status 404\): correct PLATEN_URL/);

  assert.match(
    await messageOf(() => platen.files.upload('missing.pdf')),
    /missing\.pdf .*does not exist.*: correct the path/,
  );
  const pdf = await platen.generate({ html: 'x' });
  assert.match(
    await messageOf(() => pdf.save(join(folder, 'none', 'a.pdf'))),
    /a\.pdf .*folder does not exist/,
  );
  assert.match(await messageOf(() => pdf.save(folder)), /EISDIR|ENOTEMPTY|EEXIST/);
});

test('verifies webhooks', async () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const body = JSON.stringify({
    type: 'generation.completed',
    timestamp: '2026-11-21T09:30:00.000Z',
    data: { id: 'gen_1' },
  });
  const sign = (time, text = body) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return createHmac('sha256', key).update(`msg_1.${time}.${text}`).digest('base64');
  };
  const now = Math.floor(Date.now() / 1000);
  const headersAt = (time, signature = sign(time)) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,c2VjcmV0 v1,${signature}`,
  });
  const event = await verifyWebhook(body, headersAt(now), secret);
  assert.equal(event.type === 'generation.completed' && event.data.id, 'gen_1');
  assert.ok(await verifyWebhook(Buffer.from(body), new Headers(headersAt(now)), secret));
  assert.ok(
    await verifyWebhook(
      body,
      { 'Webhook-Id': 'msg_1', 'Webhook-Timestamp': `${now}`, 'Webhook-Signature': [`v1,${sign(now)}`] },
      secret,
    ),
  );
  const forgeries = [
    [`${body} `, headersAt(now), secret],
    [body, headersAt(now - 302), secret],
    [body, headersAt(now + 302), secret],
    [body, headersAt(now, 'AAAA'), secret],
    [body, headersAt(now, '%'), secret],
    [body, headersAt(now), `whsec_${Buffer.from('another').toString('base64')}`],
    [body, { ...headersAt(now), 'webhook-signature': `v2,${sign(now)}` }, secret],
    [body, {}, secret],
  ];
  for (const forgery of forgeries)
    assert.equal((await errorOf(() => verifyWebhook(...forgery))).code, 'INVALID_SIGNATURE');
  assert.equal((await errorOf(() => verifyWebhook(body, headersAt(now), ''))).code, 'INVALID_SETTING');
});

test('verifies the webhooks that the service sends', { skip: !RECEIVER_PORT }, async () => {
  let receive;
  const received = new Promise((resolve) => (receive = resolve));
  const url = await listen(async (request, response) => {
    receive({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
  }, Number(RECEIVER_PORT));
  const endpoint = await platen.request('POST /v1/webhook-endpoints', {
    body: { url, events: ['generation.completed'] },
  });
  const pdf = await platen.generate({ html: '<p></p>' });
  const { headers, body } = await received;
  const event = await verifyWebhook(body, headers, endpoint.secret);
  assert.equal(event.data.id, pdf.id);
  await assert.rejects(verifyWebhook(`${body} `, headers, endpoint.secret), PlatenError);
  await platen.request('DELETE /v1/webhook-endpoints/{id}', { path: { id: endpoint.id } });
});
