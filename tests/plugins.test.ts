import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { ConfigError } from '../src/config.ts';
import { pdfText, toolsAvailable } from './support/pdf/pdf.ts';
import { Receiver } from './support/sites/receiver.ts';
import { bootError } from './support/service/boot-error.ts';
import { sharedService } from './support/service/shared-service.ts';
import { TestService } from './support/service/service.ts';
import { casesOfSuite, isThorough } from './support/suite.ts';
import { until } from './support/until.ts';

const fixture = (name: string) => join(import.meta.dir, 'fixtures', 'plugins', name);

/** Lists the built-in plugins that require a plugin. */
async function dependentsOf(name: string): Promise<string[]> {
  const entries = Object.entries(builtInPlugins).map(async ([other, load]) => {
    const { default: plugin } = (await load()) as { default: { requires?: readonly string[] } };
    return plugin.requires?.includes(name) ? [other] : [];
  });
  return (await Promise.all(entries)).flat();
}

/** Lists a plugin and the built-in plugins that cannot be on without it. */
async function withDependents(name: string): Promise<string[]> {
  const found = new Set([name]);
  for (const each of found) for (const dependent of await dependentsOf(each)) found.add(dependent);
  return [...found];
}

/** Reads the title of a built-in plugin, which is its tag in the documentation. */
async function titleOf(name: string): Promise<string> {
  const load = builtInPlugins[name];
  if (!load) throw new Error(`${name} is not a built-in plugin`);
  const { default: plugin } = (await load()) as { default: { title: string } };
  return plugin.title;
}

describe('a disabled plugin', () => {
  const on = sharedService();
  // The plugin `documents` has no routes. Those of `mcp` and of the studio are not documented; the test below
  // and `tests/api/studio/site.test.ts` switch these plugins off.
  const documented = Object.keys(builtInPlugins).filter(
    (name) => !['documents', 'mcp', 'studio'].includes(name),
  );
  const byFile = documented.map((name) => [name, 'file'] as const);

  test.each([...casesOfSuite(byFile, 18), ['render', 'environment'] as const])(
    '%s, disabled by the %s: its routes get 404 and are not documented, and the service is ready',
    async (name, by) => {
      const { body: whole } = await on().get('/openapi.json', null);
      const names = await withDependents(name);
      const settings =
        by === 'file'
          ? { config: { plugins: Object.fromEntries(names.map((each) => [each, false])) } }
          : { env: { PLATEN_PLUGINS: names.map((each) => `-${each}`).join(',') } };
      await using off = await TestService.start(settings);
      const { body: document } = await off.get('/openapi.json', null);
      const tag = await titleOf(name);
      expect(whole.tags.map((each: { name: string }) => each.name)).toContain(tag);
      expect(document.tags.map((each: { name: string }) => each.name)).not.toContain(tag);
      const operations = Object.entries<Record<string, { tags: string[] }>>(whole.paths).flatMap(
        ([path, methods]) => Object.entries(methods).map(([method, { tags }]) => ({ path, method, tags })),
      );
      const gone = operations.filter(({ tags }) => tags.includes(tag));
      expect(gone.length).toBeGreaterThan(0);
      for (const { path, method } of gone) {
        expect(document.paths[path]?.[method]).toBeUndefined();
        const { status } = await off.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'));
        // `/v1/templates/preview` is also a path of `/v1/templates/{id}`, which takes other methods.
        expect([404, 405]).toContain(status);
      }
      expect((await off.get('/readyz', null)).status).toBe(200);
    },
    60_000,
  );
});

test.if(isThorough)('without the plugin mcp, its route gets 404', async () => {
  await using service = await TestService.start({ config: { plugins: { mcp: false } } });
  expect((await service.post('/mcp', {})).status).toBe(404);
});

test.if(isThorough)('without the plugin templates, generate rejects a template with a reason', async () => {
  await using service = await TestService.start({
    env: { PLATEN_PLUGINS: '-templates,-template-tests,-marketplace,-starters' },
  });
  const { status, body } = await service.post('/v1/generate', { template: 'tmpl_x' });
  expect(status).toBe(400);
  expect(body.error.message).toContain('plugin "templates" is off');
});

test('a plugin that others require cannot be disabled alone, and the error names all of them', async () => {
  const { message } = await bootError({ config: { plugins: { render: false } } });
  const dependents = [...message.matchAll(/the plugin "([\w-]+)" requires the plugin "render"/g)].map(
    ([, name = '']) => name,
  );
  expect(dependents.length).toBeGreaterThan(1);
  expect(dependents.toSorted()).toEqual((await dependentsOf('render')).toSorted());
});

describe('a third-party plugin', () => {
  test('is loaded from a path, with its configuration, collections, services and routes', async () => {
    await using service = await TestService.start({
      config: { plugins: { [fixture('watermark.ts')]: true } },
    });
    expect((await service.get('/v1/watermark', null)).status).toBe(401);
    await service.get('/v1/watermark');
    expect((await service.get('/v1/watermark')).body).toEqual({
      owner: 'admin@localhost',
      marks: 2,
      hasRender: true,
      hasAbsent: false,
      config: {},
    });
    expect((await service.get('/v1/watermark/public', null)).body).toEqual({ open: true });
    const { body: document } = await service.get('/openapi.json', null);
    expect(document.paths['/v1/watermark'].get.tags).toEqual(['watermark']);
  });

  test.if(isThorough)('can provide the templates service that render uses', async () => {
    await using service = await TestService.start({
      config: {
        plugins: {
          templates: false,
          'template-tests': false,
          marketplace: false,
          starters: false,
          [fixture('templates.ts')]: true,
        },
      },
    });
    const { status, body } = await service.post('/v1/generate', {
      template: 'tmpl_good',
      data: { name: 'Ada' },
    });
    expect(status).toBe(200);
    if (toolsAvailable) expect(await pdfText(await service.download(body.url))).toContain('Dear Ada');
    const { body: read } = await service.get(`/v1/generations/${body.id}`);
    expect(read).toMatchObject({ template_id: 'tmpl_good', input_type: 'template' });
    expect((await service.post('/v1/generate', { template: 'tmpl_none' })).status).toBe(404);
    expect((await service.post('/v1/generate', { template: 'tmpl_mine' })).body.error.message).toMatch(
      /TEMPLATE_ERROR: template: line 1/,
    );
  });

  test('stops the service if a required plugin is off, and the error names both', async () => {
    const off = (await withDependents('render')).map((name) => [name, false]);
    const error = await bootError({
      config: { plugins: { [fixture('watermark.ts')]: true, ...Object.fromEntries(off) } },
    });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toBe(
      'the plugin "watermark" requires the plugin "render", which is off or not installed',
    );
  });
});

test.if(isThorough)('two services in one process do not share error codes', async () => {
  const start = (name: string) => TestService.start({ config: { plugins: { [fixture(name)]: true } } });
  await using gone = await start('gone-mark.ts');
  await using lost = await start('lost-mark.ts');
  const statuses = [gone, lost].map(async (service) => (await service.get('/v1/marks/lost', null)).status);
  expect(await Promise.all(statuses)).toEqual([410, 404]);
  const documents = [gone, lost].map(async (service) => {
    const { body: document } = await service.get('/openapi.json', null);
    return Object.keys(document.paths['/v1/marks/lost'].get.responses);
  });
  const [ofGone, ofLost] = await Promise.all(documents);
  expect(ofGone).toContain('410');
  expect(ofLost).not.toContain('410');
});

describe('a name that is already registered stops the service:', () => {
  const taken: [kind: string, says: string][] = [
    [
      'reference',
      'the plugin "taken": the reference prefix "gen_" is already registered by the plugin "render"',
    ],
    [
      'reference of the files',
      'the plugin "taken": the reference prefix "file_" is already registered by the plugin "files"',
    ],
    [
      'title of a schema',
      'taken: the route GET /v1/taken cannot be documented: two different schemas have the title Reference',
    ],
    ['check of the core', 'the plugin "taken": the check "store" is already registered by the core'],
    [
      'check of a plugin',
      'the plugin "taken": the check "fonts" is already registered by the plugin "render"',
    ],
    [
      'account data',
      'the plugin "taken": the kind of account data "api-keys" is already registered by the core',
    ],
    [
      'authentication scheme',
      'the plugin "taken": the authentication scheme "api-key" is already registered by the core',
    ],
    ['job', 'the plugin "taken": the job "webhooks.deliver" is already defined'],
    ['deletion', 'the plugin "taken": the deletion of "generation" is already registered'],
    ['quota', 'the plugin "taken": the quota of the work "gen_" is already registered'],
    ['route', 'taken: the route GET /v1/generations/:other is already registered'],
  ];

  test.each(casesOfSuite(taken, 12))(
    'a %s',
    async (kind, says) => {
      const { message } = await bootError({ config: { plugins: { [fixture('taken.ts')]: { kind } } } });
      expect(message).toBe(says);
    },
    60_000,
  );

  test('a collection, and a webhook message', async () => {
    const boot = (name: string) => bootError({ config: { plugins: { [fixture(name)]: true } } });
    expect((await boot('taken-collection.ts')).message).toBe(
      'the plugin "taken-collection": the collection "generations" is already declared',
    );
    expect((await boot('taken-webhook.ts')).message).toBe(
      'the plugin "taken-webhook": the webhook type "batch.completed" is already registered by the plugin "batch"',
    );
  }, 60_000);
});

test('a plugin outside the tree stores JSON of any size, nothing twice, and has errors of its own', async () => {
  await using service = await TestService.start({
    config: { plugins: { [fixture('notes.ts')]: { maxNotes: 4 } } },
  });
  const importNotes = (notes: object) => service.post('/v1/notes/import', { notes });
  expect((await importNotes({ a: 'one', b: 'two' })).status).toBe(204);
  expect((await importNotes({ b: 'changed', c: 'three' })).status).toBe(204);
  const { body } = await service.get('/v1/notes');
  expect(body.data.map(({ text }: { text: string }) => text).toSorted()).toEqual(['one', 'three', 'two']);

  expect((await service.post('/v1/notes', { text: 'four' })).status).toBe(201);
  const { status, body: refused } = await service.post('/v1/notes', { text: 'five' });
  expect([status, refused.error.code]).toEqual([409, 'NOTES_FULL']);
  const { body: page } = await service.get('/v1/notes?limit=1');
  expect(page).toEqual({ data: [{ text: 'four' }], has_more: true });
});

test('the first plugin of the guide reads its setting and names the account', async () => {
  await using service = await TestService.start({
    config: { plugins: { [fixture('whoami.ts')]: { greeting: 'Hello' } } },
  });
  expect((await service.get('/v1/whoami')).body).toEqual({ text: 'Hello admin@localhost' });
});

test('a route that takes PATCH reads and validates its body, and is documented', async () => {
  await using service = await TestService.start({ config: { plugins: { [fixture('patched.ts')]: true } } });
  const patch = (body: unknown) => service.request('PATCH', '/v1/patched/a', { body });
  expect((await patch({ text: 'new' })).body).toEqual({ id: 'a', text: 'new' });
  expect((await patch({})).body).toEqual({ id: 'a', text: 'unchanged' });
  const { status, body } = await patch({ text: 7 });
  expect([status, body.error.details[0].path]).toEqual([400, 'text']);
  expect((await service.request('PUT', '/v1/patched/a')).headers.get('allow')).toBe('PATCH');
  const { body: document } = await service.get('/openapi.json', null);
  expect(document.paths['/v1/patched/{id}'].patch.operationId).toBe('patchV1PatchedById');
});

test('a plugin outside the tree sends and documents webhook messages of its own', async () => {
  await using receiver = new Receiver();
  await using service = await TestService.start({
    config: {
      plugins: { [fixture('payments.ts')]: true, [fixture('undeclared-webhook.ts')]: true },
    },
    env: { EGRESS_ALLOW: receiver.host },
  });
  const { body: document } = await service.get('/openapi.json', null);
  expect(document.webhooks['invoice.paid'].post.operationId).toBe('onInvoicePaidEvent');
  const sent = await service.post('/v1/payments', { amount: 5, webhook: receiver.url('/paid') });
  expect(sent.status).toBe(200);
  await until(() => receiver.at('/paid').length > 0);
  const [message] = receiver.at('/paid');
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'invoice.paid', data: { amount: 5 } });
  const undeclared = await service.post('/v1/undeclared', { webhook: receiver.url('/voided') });
  expect(undeclared.status).toBe(500);
  expect(receiver.at('/voided')).toEqual([]);
});
