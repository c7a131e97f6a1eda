import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completed, submit } from '../../support/batch/batches.ts';
import { startFaultySite } from '../../support/sites/faulty-site.ts';
import { untilResponse } from '../../support/service/in-time.ts';
import { ReactItems } from '../../support/batch/react-items.ts';
import { TestService } from '../../support/service/service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const origin = startFaultySite();
const EGRESS_ALLOW = `${new URL(origin).host},127.0.0.1:1`;
const render = { maxPages: 20 };
const { service } = ReactItems.share({ EGRESS_ALLOW }, render);
// For documents that never end.
const { service: withShortDeadline } = ReactItems.share(
  { EGRESS_ALLOW, RENDER_TIMEOUT_MS: '4000' },
  { reactTimeoutMs: 1_500 },
);

const strict = { strict: true };
const forever = 'while (true) {}';
const tall = '<div style="height:20in">x</div>';
const halfPage = '<div style="height:5.6in">x</div>';

/**
 * A document, the field that is at fault, and the code and message of the fault. The recorded error begins
 * with the field unless the document as a whole is at fault.
 */
type Fault = [request: Record<string, unknown>, path: string, code: string, says: RegExp];

const templates: Record<string, Fault> = {
  'a block that is not closed': [
    { html: '<p>\n{{#if a}}', data: {} },
    'html',
    'TEMPLATE_ERROR',
    /^line 2.*if/,
  ],
  'an unknown helper': [
    { html: '<p>{{shout a b}}', data: {} },
    'html',
    'TEMPLATE_ERROR',
    /^line 1, column 4: .*shout/,
  ],
  'an unknown partial': [{ html: '{{> footer}}', data: {} }, 'html', 'TEMPLATE_ERROR', /^line 1.*footer/],
  'an argument that a helper does not accept': [
    { html: '{{formatDate when}}', data: { when: 'soon' } },
    'html',
    'TEMPLATE_ERROR',
    /^line 1, column 1: .*formatDate/,
  ],
  'output that is too large': [
    {
      html: '{{#each a}}{{#each @root.a}}{{#each @root.a}}{{@root.b}}{{/each}}{{/each}}{{/each}}',
      data: { a: Array.from({ length: 300 }, () => 1), b: 'x'.repeat(1000) },
    },
    'html',
    'TEMPLATE_ERROR',
    /too large|takes longer|memory/,
  ],
  'a header that is not a valid template': [
    { html: 'x', data: {}, options: { header: '{{#if}}' } },
    'options.header',
    'TEMPLATE_ERROR',
    /^line 1/,
  ],
  'a script in a footer, from the data': [
    { html: 'x', data: { f: '<script>1</script>' }, options: { footer: '{{{f}}}' } },
    'options.footer',
    'TEMPLATE_ERROR',
    /^must be HTML without scripts/,
  ],
  'a header that the data make too long': [
    { html: 'x', data: { h: 'x'.repeat(400_001) }, options: { header: '{{h}}' } },
    'options.header',
    'TEMPLATE_ERROR',
    /^must be at most 400000 characters/,
  ],
};

const components: Record<string, Fault> = {
  'a component that throws': [
    { react: "export default () => { throw new Error('no luck'); }" },
    'react',
    'COMPONENT_ERROR',
    /^line 1: no luck$/,
  ],
  'a component with a syntax error': [
    { react: 'export default () => <p' },
    'react',
    'COMPONENT_ERROR',
    /^line 1, column \d+: /,
  ],
  'a component that is not exported': [
    { react: 'function Invoice() {}' },
    'react',
    'COMPONENT_ERROR',
    /^the module has no default export/,
  ],
  'a component that imports an unknown module': [
    { react: "import x from 'lodash'; export default () => x" },
    'react',
    'COMPONENT_ERROR',
    /^line 1, column \d+: "lodash" cannot be imported/,
  ],
  'a component that reads a missing prop': [
    { react: 'export default ({ a }) => <p>{a.b}</p>', data: {} },
    'react',
    'COMPONENT_ERROR',
    /^line 1: TypeError: Cannot read properties of undefined/,
  ],
  'a component that never returns': [
    { react: `export default () => { ${forever} }` },
    'react',
    'RENDER_TIMEOUT',
    /^not finished after 1500 ms, in phase react$/,
  ],
};

const assets: Record<string, Fault> = {
  'a missing image': [
    { html: `<img src="${origin}/gone.png">`, options: strict },
    'html',
    'ASSET_FAILED',
    /\/gone\.png: the server responded with 404 \(text\/plain\)$/,
  ],
  'a missing style sheet': [
    { html: `<link rel=stylesheet href="${origin}/gone.css">`, options: strict },
    'html',
    'ASSET_FAILED',
    /\/gone\.css: /,
  ],
  'an image at a private address': [
    { html: '<img src="http://10.0.0.1/x">', options: strict },
    'html',
    'ASSET_FAILED',
    /^http:\/\/10\.0\.0\.1\/x: the address is not public$/,
  ],
  'a relative URL': [
    { html: '<img src="logo.png">', options: strict },
    'html',
    'ASSET_FAILED',
    /^logo\.png: relative URL/,
  ],
  'an invalid data: image': [
    { html: '<img src="data:image/png,x">', options: strict },
    'html',
    'ASSET_FAILED',
    /the file is not a valid image$/,
  ],
  'a redirect loop': [
    { html: `<img src="${origin}/loop">`, options: strict },
    'html',
    'ASSET_FAILED',
    /\/loop: the server redirected more than 20 times$/,
  ],
  'a component with a missing image': [
    { react: `export default () => <img src="${origin}/gone.png" />`, options: strict },
    'react',
    'ASSET_FAILED',
    /\/gone\.png: the server responded with 404 \(text\/plain\)$/,
  ],
};

const scripts: Record<string, Fault> = {
  'an undefined name': [
    { html: '<script>nope()</script>', options: strict },
    'html',
    'SCRIPT_ERROR',
    /^a script failed: Uncaught ReferenceError: nope is not defined$/,
  ],
  'a script with a syntax error': [
    { html: '<script>if (</script>', options: strict },
    'html',
    'SCRIPT_ERROR',
    /^a script failed: Uncaught SyntaxError/,
  ],
  'a rejected promise': [
    { html: "<script>Promise.reject(new Error('no data'))</script>", options: strict },
    'html',
    'SCRIPT_ERROR',
    /^a script failed: .*no data/,
  ],
  'an exception in an event handler': [
    { html: '<body onload="throw new Error(\'late\')">x', options: strict },
    'html',
    'SCRIPT_ERROR',
    /^a script failed: .*late/,
  ],
};

const pages: Record<string, Fault> = {
  'a header taller than the page': [
    { html: 'x', options: { header: tall } },
    'options.header',
    'NO_ROOM',
    /^is too high/,
  ],
  'a footer taller than the page': [
    { html: 'x', options: { footer: tall } },
    'options.footer',
    'NO_ROOM',
    /^is too high/,
  ],
  'a header and a footer that fill the page together': [
    { html: 'x', options: { header: halfPage, footer: halfPage } },
    'options.header',
    'NO_ROOM',
    /leaves no room/,
  ],
  'more pages than the limit': [
    { html: '<p style="break-after: page">x'.repeat(30) },
    'html',
    'TOO_MANY_PAGES',
    /^the document has 3\d pages; the limit is 20$/,
  ],
};

const endings: Record<string, Fault> = {
  'a script that leaves to a private address': [
    { html: "<script>location = 'http://10.0.0.1/a?token=x'</script>" },
    'html',
    'NAVIGATION_BLOCKED',
    /^the document navigates to http:\/\/10\.0\.0\.1\/a\?…, which is refused: the address is not public$/,
  ],
  'a refresh to a private address': [
    { html: '<meta http-equiv="refresh" content="0;url=http://192.168.0.1/">x' },
    'html',
    'NAVIGATION_BLOCKED',
    /192\.168\.0\.1\/, which is refused/,
  ],
  'a script that opens an application': [
    { html: "<script>location = 'intent://scan/'</script>" },
    'html',
    'NAVIGATION_BLOCKED',
    /which is not a web page$/,
  ],
  'a script that leaves to a closed port': [
    { html: "<script>location = 'http://127.0.0.1:1/'</script>" },
    'html',
    'NAVIGATION_BLOCKED',
    /which (cannot be reached|is refused)/,
  ],
  'an endless script': [
    { html: `<script>${forever}</script>` },
    'html',
    'RENDER_TIMEOUT',
    /^not finished after 4000 ms, in phase load$/,
  ],
  'an asset that never arrives': [
    { html: `<img src="${origin}/slow.png">` },
    'html',
    'RENDER_TIMEOUT',
    /in phase load; still pending: .*\/slow\.png$/,
  ],
};

const faults: Record<string, Fault> = {
  ...templates,
  ...components,
  ...assets,
  ...scripts,
  ...pages,
  ...endings,
};

/** Faults that are tested only in a batch. */
const faultsOfBatch: Record<string, Fault> = {
  'too many console messages': [
    { html: '<script>for (let i = 0; i < 60000; i++) console.log(i)</script>' },
    'html',
    'RENDER_FAILED',
    /^the document caused more than 50000 events/,
  ],
};

/** Sends a request to the route for its source. */
function send(on: TestService, { react, ...request }: Record<string, unknown>) {
  return react === undefined
    ? on.post('/v1/generate', request)
    : on.post('/v1/react-items', { source: { react }, ...request });
}

describe('a fault in a document is a 400 and a failed generation:', () => {
  test.each(casesOfSuite(Object.entries(faults), 6))(
    '%s',
    async (_name, [request, path, code, says]) => {
      const on = code === 'RENDER_TIMEOUT' ? withShortDeadline() : service();
      const recordedIds = async () =>
        (await on.get('/v1/generations?limit=100')).body.data.map(({ id }: { id: string }) => id);
      let before: string[] = [];
      // On a busy machine the deadline may pass before the document begins.
      const { status, body } = await untilResponse(
        async () => {
          before = await recordedIds();
          return send(on, request);
        },
        (answer) => says.test(answer.body.error?.details[0].message),
      );
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.details).toEqual([{ path, code, message: expect.stringMatching(says) }]);
      const [id, ...others] = await recordedIds();
      expect(others).toEqual(before);
      const { body: recorded } = await on.get(`/v1/generations/${id}`);
      expect(recorded).toMatchObject({ status: 'failed', url: null, pages: null, file_size: null });
      const [{ message }] = body.error.details;
      expect([`${code}: ${message}`, `${code}: ${path}: ${message}`]).toContain(recorded.error);
      expect(body.error.message).toBe(
        `the document could not be rendered (${recorded.id}): ${recorded.error}`,
      );
    },
    60_000,
  );

  test.if(isThorough)(
    'a batch records the same errors',
    async () => {
      await using own = await TestService.start({ env: { EGRESS_ALLOW }, config: { plugins: { render } } });
      const key = await own.newKey();
      const quick = Object.values({ ...faults, ...faultsOfBatch }).filter(
        ([, , code]) => code !== 'RENDER_TIMEOUT',
      );
      const accepted = await submit(
        own,
        quick.map(([request]) => request),
        { key },
      );
      const batch = await completed(own, accepted, key);
      expect(batch).toMatchObject({ completed: 0, failed: quick.length });
      for (const [index, [, path, code, says]] of quick.entries()) {
        const { error } = batch.generations[index];
        expect(error).toStartWith(`${code}: `);
        expect(error.slice(code.length + 2).replace(`${path}: `, '')).toMatch(says);
      }
    },
    120_000,
  );

  test('a fault in a stored template names the template, and its versions stay usable', async () => {
    const draft = { name: 'dates', html_content: '{{formatDate when}}' };
    const template = (await service().post('/v1/templates', draft)).body.id;
    const { status, body } = await service().post('/v1/generate', { template, data: { when: 'soon' } });
    expect([status, body.error.details[0].path, body.error.details[0].code]).toEqual([
      400,
      'template',
      'TEMPLATE_ERROR',
    ]);
    const again = await service().post('/v1/generate', { template, data: { when: '2026-11-22' } });
    expect(again.status).toBe(200);
  });

  test('the integrations action names its own field', async () => {
    const draft = { name: 'dates', html_content: '{{formatDate when}}' };
    const template_id = (await service().post('/v1/templates', draft)).body.id;
    const { status, body } = await service().post('/v1/integrations/actions/generate', {
      template_id,
      data: { when: 'soon' },
    });
    expect([status, body.error.details[0].path, body.error.details[0].code]).toEqual([
      400,
      'template_id',
      'TEMPLATE_ERROR',
    ]);
  });
});

test('docs/errors.md explains every code', async () => {
  const root = join(import.meta.dir, '..', '..', '..');
  const text = await readFile(join(root, 'docs', 'errors.md'), 'utf8');
  const explained = new Set(Array.from(text.matchAll(/^\|[^`\n]*`([A-Z_]+)`/gm), ([, code]) => code));
  const api = await readFile(join(root, 'docs', 'openapi.json'), 'utf8');
  const responses = Array.from(api.matchAll(/"code": "([A-Z_]+)"/g), ([, code]) => code);
  expect(responses).toContain('AI_NOT_CONFIGURED');
  const recorded = Object.values(faults).map(([, , code]) => code);
  for (const code of [...responses, ...recorded, 'STORAGE_ERROR']) expect(explained).toContain(code);
});
