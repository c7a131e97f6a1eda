import { describe, expect, test } from 'bun:test';
import { startFaultySite } from '../../support/sites/faulty-site.ts';
import { extendedService, serviceOnDemand } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';

const origin = startFaultySite();
const EGRESS_ALLOW = new URL(origin).host;
const service = extendedService();
const withShortDeadline = serviceOnDemand({ env: { EGRESS_ALLOW, RENDER_TIMEOUT_MS: '3000' } });

/** Generates a document and returns its receipt, also if it failed. */
async function receiptOf(request: object, on = service()) {
  const { body } = await on.post('/v1/generate', request);
  const id = body.id ?? (await on.get('/v1/generations?limit=1')).body.data[0].id;
  const { status, body: read } = await on.get(`/v1/generations/${id}?receipt=true`);
  expect(status).toBe(200);
  return { answer: body, generation: read, receipt: read.receipt };
}

const NO_ENTRIES = { entries: [], omitted: 0 };

describe('GET /v1/generations/:id?receipt=true', () => {
  test('lists the phases of a plain document and no problems', async () => {
    const { receipt, generation } = await receiptOf({ html: '<p>Żółć, 中文, عربي, 👩‍👩‍👧' });
    expect(receipt).toEqual({
      class: 'plain',
      phases: expect.any(Object),
      resources: NO_ENTRIES,
      console: NO_ENTRIES,
      exceptions: NO_ENTRIES,
      missing_glyphs: { count: 0, characters: [] },
      schema_mismatches: NO_ENTRIES,
      missing_variables: NO_ENTRIES,
      overflow: null,
      proof: null,
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

  test('is returned only on request, and not to another account', async () => {
    const { generation } = await receiptOf({ html: '<p>x' });
    const plain = await service().get(`/v1/generations/${generation.id}`);
    expect('receipt' in plain.body).toBe(false);
    const wrong = await service().get(`/v1/generations/${generation.id}?receipt=yes`);
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'receipt']);
    const stranger = await service().newKey();
    const other = await service().get(`/v1/generations/${generation.id}?receipt=true`, stranger);
    expect(other.status).toBe(404);
  });

  test('reports the result of every asset', async () => {
    const { answer, receipt } = await receiptOf({
      html: `<link rel=stylesheet href="${origin}/moved.css"><img src="${origin}/gone.png?token=secret#x"><img src="${origin}/words.png">
        <img src="http://10.0.0.1/a.png"><img src="https://169.254.169.254/b.png"><img src="http://nowhere.invalid/c.png"><img src="data:image/png;base64,AAAA">`,
    });
    expect(answer.status).toBe('completed');
    expect(receipt.class).toBe('active');
    const byUrl = Object.fromEntries(
      receipt.resources.entries.map((entry: { url: string }) => [entry.url.replace(origin, ''), entry]),
    );
    const gone = {
      type: 'Image',
      outcome: 'failed',
      reason: 'the server responded with 404 (text/plain)',
      status: 404,
    };
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
    // Failed assets are listed first.
    const outcomes = receipt.resources.entries.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.slice(-2)).toEqual(['loaded', 'loaded']);
  });

  test('reports console output and exceptions, but not those of the previous document', async () => {
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
    expect([next.receipt.console, next.receipt.exceptions]).toEqual([NO_ENTRIES, NO_ENTRIES]);
  });

  test.if(isThorough)('has a limited size, whatever a document does', async () => {
    const { receipt } = await receiptOf({
      html: `<p>x<script>for (let i = 0; i < 1000; i++) { console.error('e' + i, 'x'.repeat(1000)); setTimeout(() => { throw new Error('t'.repeat(1000)) }) }
        for (let i = 0; i < 300; i++) { const image = new Image(); image.src = '${origin}/' + 'p'.repeat(300) + i; document.body.append(image) }</script>`,
    });
    expect(JSON.stringify(receipt).length).toBeLessThan(60_000);
    expect(receipt.resources.entries.length).toBe(50);
    expect(receipt.resources.omitted).toBe(250);
    expect(receipt.console.entries.length).toBe(30);
    expect(receipt.console.omitted).toBeGreaterThan(0);
    const next = await receiptOf({ html: '<p>y<script>console.error("recorded again")</script>' });
    expect(next.receipt.console.entries).toEqual([{ level: 'error', text: 'recorded again' }]);
  });

  test.if(isThorough)('counts the failed assets that it does not list', async () => {
    const html = Array.from({ length: 120 }, (_, index) => `<img src="${origin}/${index}.png">`).join('');
    const { resources } = (await receiptOf({ html })).receipt;
    const listed = resources.entries.map(({ outcome, reason }: Record<string, unknown>) => [outcome, reason]);
    expect(listed).toEqual(
      Array.from({ length: 50 }, () => ['failed', 'the server responded with 404 (text/plain)']),
    );
    expect(resources.omitted).toBe(70);
  });

  test.if(isThorough)('records console output again after a document that exceeded the limit', async () => {
    await receiptOf({ html: '<script>for (let i = 0; i < 1000; i++) console.error(i)</script>' });
    const { receipt } = await receiptOf({ html: '<script>console.error("recorded again")</script>' });
    expect(receipt.console.entries).toEqual([{ level: 'error', text: 'recorded again' }]);
  });

  test('lists the characters that no font has', async () => {
    const { receipt } = await receiptOf({
      html: '<p style="font-family: Liberation Sans">A\uE123B\uE124 <b>\uE125\uE125</b> 中\u{10FFF0} ع\uE126</p><p style="font-family: Noto Sans CJK SC">漢\uE127</p>',
    });
    expect(receipt.class).toBe('plain');
    expect(receipt.missing_glyphs.count).toBe(7);
    const characters = ['\uE123', '\uE124', '\uE125', '\uE126', '\uE127', '\u{10FFF0}'];
    expect(receipt.missing_glyphs.characters.toSorted()).toEqual(characters.toSorted());
  });

  test('lists missing characters of a header and a footer', async () => {
    const small = (text: string) => `<span style="font-size: 9px">${text}</span>`;
    const options = { header: small('H\uE200'), footer: small('\uE201') };
    const { receipt } = await receiptOf({ html: '<p>x', options });
    expect(receipt.missing_glyphs.count).toBe(2);
    expect(receipt.missing_glyphs.characters.toSorted()).toEqual(['\uE200', '\uE201']);
  });

  test.if(isThorough)('lists missing characters of a header on the first page', async () => {
    const small = (text: string) => `<span style="font-size: 9px">${text}</span>`;
    const options = { header: small('H\u{10FFE0}'), firstPage: { header: small('\u{10FFE1}') } };
    const { receipt } = await receiptOf({ html: '<p>x\u{10FFE2}<p style="break-before:page">y', options });
    expect(receipt.missing_glyphs.count).toBe(3);
    expect(receipt.missing_glyphs.characters.toSorted()).toEqual(['\u{10FFE0}', '\u{10FFE1}', '\u{10FFE2}']);
  });

  test('lists differences between data and the schema of a template', async () => {
    const schema = { customer: 'object', total: 'number', note: 'string' };
    const draft = { name: 'Invoice', html_content: '<p>{{customer.name}} {{total}}', schema };
    const template = (await service().post('/v1/templates', draft)).body.id;
    const { receipt } = await receiptOf({ template, data: { customer: { name: 'A' }, total: 'ten' } });
    expect(receipt.schema_mismatches.entries).toEqual([
      { path: 'total', expected: 'number', found: 'string' },
      { path: 'note', expected: 'string', found: 'missing' },
    ]);
  });

  test.if(isThorough)('names the phase and the pending assets of a timeout', async () => {
    const html = `<img src="${origin}/slow.png">`;
    let { generation, receipt } = await receiptOf({ html }, await withShortDeadline());
    // On a busy machine the deadline may pass before the document requests the image.
    for (let attempt = 1; attempt < 10 && receipt.resources.entries.length === 0; attempt += 1)
      ({ generation, receipt } = await receiptOf({ html }, await withShortDeadline()));
    expect(generation.error).toMatch(/^RENDER_TIMEOUT: .*in phase load; still pending: .*\/slow\.png$/);
    expect(generation.status).toBe('failed');
    expect(receipt.resources.entries[0]).toMatchObject({ url: `${origin}/slow.png`, outcome: 'pending' });
    expect(receipt.phases.load).toBeGreaterThan(0);
    expect(receipt.missing_glyphs).toBeNull();
  });
});
