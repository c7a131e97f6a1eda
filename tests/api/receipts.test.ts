import { describe, expect, test } from 'bun:test';
import { completed } from '../support/batches.ts';
import { sharedService } from '../support/shared-service.ts';

const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 60,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/slow.png') await Bun.sleep(60_000);
    if (pathname === '/loop') return Response.redirect('/loop', 302);
    if (pathname === '/moved.css') return Response.redirect('/there.css', 302);
    if (pathname === '/there.css') return new Response('p {}', { headers: { 'content-type': 'text/css' } });
    if (pathname.startsWith('/words.ttf'))
      return new Response('words', { headers: { 'access-control-allow-origin': '*' } });
    if (pathname === '/words.png' || pathname === '/closed.ttf')
      return new Response('words', { headers: { 'content-type': 'image/png' } });
    return new Response('not here', { status: 404 });
  },
});
site.unref();
const origin = `http://127.0.0.1:${site.port}`;
const service = sharedService({
  env: { EGRESS_ALLOW: `127.0.0.1:${site.port}`, RENDER_TIMEOUT_MS: '7000' },
});

/** Makes a document and reads its receipt; for one that fails the newest generation is read. */
async function receiptOf(request: object) {
  const { body } = await service().post('/v1/generate', request);
  const id = body.id ?? (await service().get('/v1/generations?limit=1')).body.data[0].id;
  const { status, body: read } = await service().get(`/v1/generations/${id}?receipt=true`);
  expect(status).toBe(200);
  return { answer: body, generation: read, receipt: read.receipt };
}

/** A document whose text is in a font from an address. */
const font = (url: string) =>
  `<style>@font-face { font-family: F; src: url(${url}) } p { font-family: F }</style><p>text`;

const nothing = { entries: [], omitted: 0 };

describe('GET /v1/generations/:id?receipt=true', () => {
  test('of a plain document: its phases, and nothing to complain of', async () => {
    const { receipt, generation } = await receiptOf({ html: '<p>Żółć, 中文, عربي, 👩‍👩‍👧' });
    expect(receipt).toEqual({
      class: 'plain',
      phases: expect.any(Object),
      resources: nothing,
      console: nothing,
      exceptions: nothing,
      missing_glyphs: { count: 0, characters: [] },
      schema_mismatches: nothing,
    });
    expect(Object.keys(receipt.phases)).toEqual([
      'queue',
      'template',
      'start',
      'header',
      'load',
      'print',
      'store',
    ]);
    const sum = Object.values<number>(receipt.phases).reduce((total, ms) => total + ms, 0);
    expect(sum).toBeLessThanOrEqual(generation.generation_time_ms + 10);
    expect(receipt.phases.print).toBeGreaterThan(0);
  });

  test('is not there unless it is asked for, and not for a stranger', async () => {
    const { generation } = await receiptOf({ html: '<p>x' });
    const plain = await service().get(`/v1/generations/${generation.id}`);
    expect('receipt' in plain.body).toBe(false);
    const wrong = await service().get(`/v1/generations/${generation.id}?receipt=yes`);
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'receipt']);
    const stranger = await service().newKey();
    const other = await service().get(`/v1/generations/${generation.id}?receipt=true`, stranger);
    expect(other.status).toBe(404);
  });

  test('tells what became of each asset', async () => {
    const { answer, receipt } = await receiptOf({
      html: `<link rel=stylesheet href="${origin}/moved.css"><img src="${origin}/gone.png?token=secret#x"><img src="${origin}/words.png">
        <img src="http://10.0.0.1/a.png"><img src="https://169.254.169.254/b.png"><img src="http://nowhere.invalid/c.png"><img src="data:image/png;base64,AAAA">`,
    });
    expect(answer.status).toBe('completed');
    expect(receipt.class).toBe('active');
    const byUrl = Object.fromEntries(
      receipt.resources.entries.map((entry: { url: string }) => [entry.url.replace(origin, ''), entry]),
    );
    const gone = { type: 'Image', outcome: 'failed', reason: 'HTTP 404', status: 404 };
    expect(byUrl['/gone.png?…']).toMatchObject(gone);
    expect(byUrl['/gone.png?…'].bytes).toBeGreaterThan(0);
    expect(byUrl['/words.png']).toMatchObject({ outcome: 'broken', status: 200 });
    const refused = { outcome: 'refused', reason: 'the address is not public', status: null };
    expect(byUrl['http://10.0.0.1/a.png']).toMatchObject(refused);
    expect(byUrl['https://169.254.169.254/b.png']).toMatchObject(refused);
    const unknown = { outcome: 'failed', reason: 'the host has no address', status: null };
    expect(byUrl['http://nowhere.invalid/c.png']).toMatchObject(unknown);
    expect(byUrl['data:image/png,…']).toMatchObject({ outcome: 'broken', type: 'Image' });
    expect(byUrl['/moved.css']).toMatchObject({ outcome: 'loaded', status: 302 });
    expect(byUrl['/there.css']).toMatchObject({ outcome: 'loaded', status: 200, type: 'Stylesheet' });
    expect(JSON.stringify(receipt)).not.toContain('secret');
    // What did not come is read first.
    const outcomes = receipt.resources.entries.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.slice(-2)).toEqual(['loaded', 'loaded']);
  });

  test('tells what scripts said and threw, and nothing of the document before', async () => {
    const { receipt } = await receiptOf({
      html: `<p>x<script>console.log('quiet'); console.error('chart', 7, { a: 1 }); console.warn('old');</script>
        <script>Promise.reject(new Error('rejected'));</script><script>\n  undefinedFunction();</script>`,
    });
    expect(receipt.console.entries).toEqual([
      { level: 'error', text: 'chart 7 Object' },
      { level: 'warning', text: 'old' },
    ]);
    const messages = receipt.exceptions.entries.map(({ message }: { message: string }) => message);
    expect(messages.toSorted()).toEqual([
      'Uncaught (in promise) Error: rejected',
      'Uncaught ReferenceError: undefinedFunction is not defined',
    ]);
    expect(
      receipt.exceptions.entries.find(({ message }: { message: string }) => message.includes('Reference')),
    ).toMatchObject({ line: 3, column: 3 });
    const next = await receiptOf({ html: '<p>y<script>document.title = "y"</script>' });
    expect([next.receipt.console, next.receipt.exceptions]).toEqual([nothing, nothing]);
  });

  test('is bounded, whatever a document does', async () => {
    const { receipt } = await receiptOf({
      html: `<p>x<script>for (let i = 0; i < 3000; i++) { console.error('e' + i, 'x'.repeat(1000)); setTimeout(() => { throw new Error('t'.repeat(1000)) }) }
        for (let i = 0; i < 300; i++) { const image = new Image(); image.src = '${origin}/' + 'p'.repeat(300) + i; document.body.append(image) }</script>`,
    });
    expect(JSON.stringify(receipt).length).toBeLessThan(60_000);
    expect(receipt.resources.entries.length).toBe(50);
    expect(receipt.resources.omitted).toBe(250);
    expect(receipt.console.entries.length).toBe(30);
    expect(receipt.console.omitted).toBeGreaterThan(0);
    const next = await receiptOf({ html: '<p>y<script>console.error("heard again")</script>' });
    expect(next.receipt.console.entries).toEqual([{ level: 'error', text: 'heard again' }]);
  });

  test('listens again after a document that said as much as is listened to', async () => {
    await receiptOf({ html: '<script>for (let i = 0; i < 1000; i++) console.error(i)</script>' });
    const { receipt } = await receiptOf({ html: '<script>console.error("heard again")</script>' });
    expect(receipt.console.entries).toEqual([{ level: 'error', text: 'heard again' }]);
  });

  test('names the characters that no font has', async () => {
    const { receipt } = await receiptOf({
      html: '<p style="font-family: Liberation Sans">A\uE123B\uE124 <b>\uE125\uE125</b> 中\u{10FFF0} ع\uE126</p><p style="font-family: Noto Sans CJK SC">漢\uE127</p>',
    });
    expect(receipt.class).toBe('plain');
    expect(receipt.missing_glyphs.count).toBe(7);
    const characters = ['\uE123', '\uE124', '\uE125', '\uE126', '\uE127', '\u{10FFF0}'];
    expect(receipt.missing_glyphs.characters.toSorted()).toEqual(characters.toSorted());
  });

  test('names those of a header and a footer', async () => {
    const small = (text: string) => `<span style="font-size: 9px">${text}</span>`;
    const options = { header: small('H\uE200'), footer: small('\uE201') };
    const { receipt } = await receiptOf({ html: '<p>x', options });
    expect(receipt.missing_glyphs.count).toBe(2);
    expect(receipt.missing_glyphs.characters.toSorted()).toEqual(['\uE200', '\uE201']);
  });

  test('tells where data and the schema of a template differ', async () => {
    const schema = { customer: 'object', total: 'number', note: 'string' };
    const draft = { name: 'Invoice', html_content: '<p>{{customer.name}} {{total}}', schema };
    const template = (await service().post('/v1/templates', draft)).body.id;
    const { receipt } = await receiptOf({ template, data: { customer: { name: 'A' }, total: 'ten' } });
    expect(receipt.schema_mismatches.entries).toEqual([
      { path: 'total', expected: 'number', found: 'string' },
      { path: 'note', expected: 'string', found: 'missing' },
    ]);
  });

  test('of a time-out names the phase and what was pending', async () => {
    const { answer, generation, receipt } = await receiptOf({ html: `<img src="${origin}/slow.png">` });
    expect(answer.error.details[0].message).toMatch(
      /^RENDER_TIMEOUT: .*in phase load; still pending: .*\/slow\.png$/,
    );
    expect(generation.status).toBe('failed');
    expect(receipt.resources.entries[0]).toMatchObject({ url: `${origin}/slow.png`, outcome: 'pending' });
    expect(receipt.phases.load).toBeGreaterThan(5000);
    expect(receipt.missing_glyphs).toBeNull();
  });
});

describe('options.strict', () => {
  const strict = { strict: true };

  test.each([
    ['an image', `<img src="${origin}/gone.png">`, `ASSET_FAILED: ${origin}/gone.png: HTTP 404`],
    [
      'two images',
      `<img src="${origin}/a"><img src="${origin}/b">`,
      /^ASSET_FAILED: .*: HTTP 404, and 1 more$/,
    ],
    [
      'a refused one',
      '<img src="http://10.0.0.1/x">',
      'ASSET_FAILED: http://10.0.0.1/x: the address is not public',
    ],
    [
      'a style sheet',
      `<link rel=stylesheet href="${origin}/x.css">`,
      `ASSET_FAILED: ${origin}/x.css: HTTP 404`,
    ],
    [
      'no image',
      `<img src="${origin}/words.png">`,
      `ASSET_FAILED: ${origin}/words.png: is not an image that can be shown`,
    ],
    [
      'a broken data: URI',
      '<img src="data:image/png;base64,AAAA">',
      'ASSET_FAILED: data:image/png,…: is not an image that can be shown',
    ],
    ['a whole address', '<img src="logo.png?x">', 'ASSET_FAILED: logo.png?…: the address is not a whole one'],
    [
      'an address of a script',
      '<script src="/a.js"></script>',
      'ASSET_FAILED: /a.js: the address is not a whole one',
    ],
    [
      'an address of a style sheet',
      '<link rel="preload stylesheet" href="a.css">',
      'ASSET_FAILED: a.css: the address is not a whole one',
    ],
    [
      'any address',
      '<img src="{{logo}}">'.replace('{{logo}}', ''),
      'ASSET_FAILED: a resource of type Image: the address is empty',
    ],
    ['a font', font(`${origin}/gone.ttf`), /^ASSET_FAILED: .*\/gone\.ttf: the answer has no header Access-/],
    [
      'a font that may be read',
      font(`${origin}/closed.ttf`),
      /closed\.ttf: the answer has no header Access-/,
    ],
    [
      'a font that is one',
      font(`${origin}/words.ttf`),
      'ASSET_FAILED: a resource of type Font: no source of "F" is a font that can be used',
    ],
    [
      'an inline font that is one',
      font('data:font/ttf;base64,AAAA'),
      'ASSET_FAILED: a resource of type Font: no source of "F" is a font that can be used',
    ],
    [
      'a background',
      `<p style="background: url(${origin}/bg.png)">x`,
      `ASSET_FAILED: ${origin}/bg.png: HTTP 404`,
    ],
    [
      'a background of print styles',
      `<style>@media print { p { background: url(${origin}/print.png) } }</style><p>x`,
      `ASSET_FAILED: ${origin}/print.png: HTTP 404`,
    ],
    [
      'an end of redirects',
      `<img src="${origin}/loop">`,
      `ASSET_FAILED: ${origin}/loop: net::ERR_TOO_MANY_REDIRECTS`,
    ],
    [
      'a script',
      '<script>nope()</script>',
      'RENDER_FAILED: a script failed: Uncaught ReferenceError: nope is not defined',
    ],
  ])('fails for want of %s', async (_, html, reason) => {
    const { status, body } = await service().post('/v1/generate', { html, options: strict });
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.error.details[0].message).toMatch(reason);
    const lenient = await service().post('/v1/generate', { html });
    expect(lenient.status).toBe(200);
    // The page has seen it by now.
    const again = await service().post('/v1/generate', { html, options: strict });
    expect(again.body.error?.details[0].message).toMatch(reason);
  });

  test('lets a sound document through', async () => {
    const html = `<link rel=stylesheet href="${origin}/moved.css"><script>console.error('only said')</script><p>x`;
    expect((await service().post('/v1/generate', { html, options: strict })).status).toBe(200);
    expect((await service().post('/v1/generate', { html: '<p>x', options: strict })).status).toBe(200);
  });

  test.each(
    Object.entries({
      'a request that its script gave up': `<script>const a = new AbortController(); fetch('${origin}/slow.png', { signal: a.signal }).catch(() => {}); setTimeout(() => a.abort(), 20)</script>`,
      'a message to a server': `<script>navigator.sendBeacon('${origin}/gone', 'x')</script>`,
      'a relative address and a base': `<base href="${origin}/there.css"><link rel=stylesheet href="moved.css">`,
      'an image without an address': '<img alt="none">',
      'a font that nothing uses': font(`${origin}/gone.ttf`).replace('p { font-family: F }', ''),
    }),
  )('lets %s through', async (_, html) => {
    const { body } = await service().post('/v1/generate', { html: `${html}<p>x`, options: strict });
    expect(body.error?.details).toBeUndefined();
  });

  test('of an item fails the item, and a component says what it said', async () => {
    const react =
      "export default () => { console.error('from a component'); return <img src='data:image/png;base64,AAAA'/> }";
    const items = [{ react, options: strict }, { react }];
    const accepted = await service().post('/v1/generate/batch', { items });
    const { body } = accepted;
    expect(accepted.status).toBe(202);
    await completed(service(), accepted);
    const read = (index: number) =>
      service().get(`/v1/generations/${body.generations[index].id}?receipt=true`);
    const [first, second] = [(await read(0)).body, (await read(1)).body];
    expect(first.error).toBe('ASSET_FAILED: data:image/png,…: is not an image that can be shown');
    expect(second.status).toBe('completed');
    expect(second.receipt.console.entries).toEqual([{ level: 'error', text: 'from a component' }]);
    expect(Object.keys(second.receipt.phases)).toContain('react');
  });
});
