import { afterEach, expect, spyOn, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBatch } from '../batch/run.ts';
import { checkTemplate } from '../template-tests/check.ts';
import { savePictures } from '../template-tests/pictures.ts';
import { connectTo } from '../service/connect.ts';
import { readTemplates } from './folder.ts';
import { pull } from './pull.ts';
import { removeInside, writeInside, writeTemplate } from './write-folder.ts';

const open: Disposable[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each[Symbol.dispose]();
});

const TEMPLATE = {
  id: 'tpl_1',
  name: 'Invoice',
  alias: 'invoice',
  category: 'other',
  format: 'html',
  partial: false,
  tags: [],
  schema: {},
  options: null,
  sample_data: {},
  html_content: '<p>1</p>',
  etag: 'a',
  version: 1,
  draft_version: null,
};

/** A folder, and a service whose answers a test chooses by the route. */
function workplace(answers: Record<string, unknown>) {
  const root = mkdtempSync(join(tmpdir(), 'platen-strange-'));
  open.push({ [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) });
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ method, url }) {
      const route = `${method} ${new URL(url).pathname}`;
      requests.push(route);
      const answer = answers[route];
      const error = { code: 'NOT_FOUND', message: 'not found' };
      return answer === undefined ? Response.json({ error }, { status: 404 }) : Response.json(answer);
    },
  });
  open.push({ [Symbol.dispose]: () => void server.stop(true) });
  const client = connectTo({ server: server.url.origin, key: 'plt_live_x' });
  const folder = join(root, 'a/b/templates');
  return { root, folder, client, requests, pull: () => quietly(() => pull(client, { ...PULL, folder })) };
}

const PULL = { selected: ['tpl_1'], force: false, json: false };

/** Returns the exit status of a command, or the message with which it fails. */
async function quietly(work: () => Promise<unknown>): Promise<unknown> {
  const log = spyOn(console, 'log').mockImplementation(() => undefined);
  return work()
    .catch(({ name, message }: Error) => `${name}: ${message}`)
    .finally(() => log.mockRestore());
}

const listOf = (...data: object[]) => ({ data, has_more: false });
const caseOf = (fields: object) => ({ name: 'one', data: {}, options: null, accepted: null, ...fields });

test.each<[string, object, object, string]>([
  ['the name of a case', {}, caseOf({ name: '../../../evil' }), 'a case with a name that no case has'],
  ['a format', { format: '/../../../../evil' }, caseOf({}), 'a template in an unknown format'],
  ['a version', { version: '1' }, caseOf({}), 'a template without the number of its version'],
])('pull writes nothing if %s is not that of a template', async (_, fields, entry, message) => {
  const at = workplace({
    'GET /v1/templates/tpl_1': { ...TEMPLATE, ...fields },
    'GET /v1/templates/tpl_1/cases': listOf(entry),
  });
  expect(await at.pull()).toContain(`ServiceError: ${at.client.url} sent ${message}`);
  expect(readdirSync(at.root)).toEqual([]);
});

test('writeInside and removeInside leave files outside the root alone', () => {
  const { root } = workplace({});
  writeFileSync(join(root, 'evil'), 'old');
  for (const path of ['../evil', 'x/../../evil', '.', '..']) {
    expect(() => writeInside(join(root, 'in'), path, 'new')).toThrow('it was left as it is');
    expect(() => removeInside(join(root, 'in'), path)).toThrow('it was left as it is');
  }
  expect(readdirSync(root)).toEqual(['evil']);
  expect(readFileSync(join(root, 'evil'), 'utf8')).toBe('old');
  writeInside(join(root, 'in'), '..a/b', 'new');
  expect(readFileSync(join(root, 'in/..a/b'), 'utf8')).toBe('new');
});

test.each<[string, object]>([
  ['case', { name: '../../../evil', status: 'new', pages: [], layout: [] }],
  [
    'page',
    {
      name: 'one',
      status: 'different',
      pages: [{ page: '/../../../evil', equal: false, image_url: '/x', diff_url: null }],
      layout: [],
    },
  ],
])('platen test writes nothing for an unknown %s', async (_, found) => {
  const at = workplace({
    'POST /v1/templates': { id: 'tpl_1' },
    'PUT /v1/templates/tpl_1/cases/one': {},
    'POST /v1/templates/tpl_1/check': { cases: [found] },
    'POST /v1/templates/tpl_1/cases/one/accept': { accepted: { url: '/x' } },
    'GET /x': {},
    'DELETE /v1/templates/tpl_1': {},
  });
  writeInside(at.folder, 'template.html', '<p>1</p>');
  writeInside(at.folder, 'cases/one.json', '{"data": {}}');
  const [local] = readTemplates(at.folder);
  if (!local) throw new Error('the folder has a template');
  const output = join(at.root, 'a/b/results');
  for (const update of [true, false]) {
    const options = { siblings: [], update, output, onResult: () => undefined };
    expect(await quietly(() => checkTemplate(at.client, local, options))).toContain(
      'sent the result of an unknown case or page',
    );
  }
  expect(readdirSync(join(at.root, 'a/b'))).toEqual(['templates']);
  expect(readdirSync(join(at.folder, 'cases'))).toEqual(['one.json']);
});

test('a link to a file of this machine is not read', async () => {
  const at = workplace({
    'GET /v1/templates/tpl_1': { ...TEMPLATE, format: 'docx', file_url: `file://${import.meta.path}` },
  });
  expect(await at.pull()).toBe(
    `ServiceError: ${at.client.url} sent the link "file://${import.meta.path}", which is not http: or https:; correct the service`,
  );
  const page = { page: 1, equal: false, changed_fraction: 1, image_url: 'data:,x', diff_url: null };
  const place = { accepted: null, output: at.root, folder: 'x' };
  expect(await quietly(() => savePictures(at.client, [page], place))).toContain(
    'which is not http: or https:',
  );
  expect(readdirSync(at.root)).toEqual([]);
});

test('a template whose file the key does not read is explained', async () => {
  const at = workplace({ 'GET /v1/templates/tpl_1': { ...TEMPLATE, format: 'docx', file_url: null } });
  expect(await at.pull()).toBe(
    'UsageError: this key does not read the file of Invoice; use a live key with the scope templates',
  );
});

test('a connection that breaks during an answer is a failure of the service', async () => {
  const listener = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      data(socket) {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"');
      },
    },
  });
  open.push({ [Symbol.dispose]: () => listener.stop(true) });
  const client = connectTo({ server: `http://127.0.0.1:${listener.port}`, key: 'plt_live_x' });
  const message = `ServiceError: ${client.url} broke off its answer; try again`;
  expect(await quietly(() => client.bytes('/v1/bytes'))).toBe(message);
  expect(await quietly(() => client.json('/v1/json'))).toBe(message);
});

test('a pull that fails on the way does not say that the folder has the new state', async () => {
  const at = workplace({});
  writeInside(at.folder, 'invoice/template.html', '<p>1</p>');
  writeInside(at.folder, 'invoice/template.json', '{"name": "Invoice", "alias": "invoice"}');
  const [local] = readTemplates(at.folder);
  if (!local) throw new Error('the folder has a template');
  mkdirSync(join(at.folder, 'invoice/cases/one.pdf'), { recursive: true });
  const state = {
    ...local.state,
    content: { format: 'html', text: '<p>2</p>' } as const,
    cases: new Map([['one', { data: {}, options: null, accepted: new Uint8Array(1) }]]),
  };
  const servers = { [at.client.url]: { id: 'tpl_1', version: 2, content: 'x' } };
  expect(() => writeTemplate(local, { state, before: local.state, servers })).toThrow(
    'one.pdf is a folder in the place of a file; rename it',
  );
  // Targets are checked first, so not even the files before it are written.
  expect(readFileSync(join(at.folder, 'invoice/template.html'), 'utf8')).toBe('<p>1</p>');
  rmSync(join(at.folder, 'invoice/cases'), { recursive: true });
  writeFileSync(join(at.folder, 'invoice/cases'), '');
  expect(() => writeTemplate(local, { state, before: local.state, servers })).toThrow(
    'cases is a file in the place of a folder; rename it',
  );
  rmSync(join(at.folder, 'invoice/cases'));
  // No check finds this content, which stands for a disk that is full.
  const unwritable = { data: {}, options: null, accepted: 1 as unknown as Uint8Array<ArrayBuffer> };
  const last = { ...state, cases: new Map([['one', unwritable]]) };
  expect(() => writeTemplate(local, { state: last, before: local.state, servers })).toThrow(
    'one.pdf cannot be written',
  );
  expect(readFileSync(join(at.folder, 'invoice/template.html'), 'utf8')).toBe('<p>2</p>');
  expect(readFileSync(join(at.folder, 'invoice/template.json'), 'utf8')).not.toContain('tpl_1');
});

test('a batch of a stored template reads neither its cases nor their pages', async () => {
  const item = { index: 0, status: 'completed', error: null, url: '/pdf' };
  const at = workplace({
    'GET /v1/templates/invoice': TEMPLATE,
    'GET /v1/templates/invoice/cases': listOf(caseOf({})),
    'POST /v1/batches': { batch_id: 'bat_1' },
    'GET /v1/batches/bat_1/items': { data: [item] },
    'GET /pdf': {},
  });
  const data = join(at.root, 'data.json');
  writeFileSync(data, '[{}]');
  const status = await quietly(() =>
    runBatch({
      folder: undefined,
      template: 'invoice',
      data,
      output: join(at.root, 'out'),
      name: undefined,
      overwrite: false,
      json: true,
      service: { server: at.client.url, key: 'plt_live_x' },
    }),
  );
  expect(status).toBe(0);
  expect(at.requests).toEqual([
    'GET /v1/templates/invoice',
    'POST /v1/batches',
    'GET /v1/batches/bat_1/items',
    'GET /pdf',
  ]);
});
