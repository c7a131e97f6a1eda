import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../src/commands/failures.ts';
import type { CallOptions, Client } from '../../src/commands/service/client.ts';
import { push } from '../../src/commands/templates/push.ts';
import { platen } from '../support/service/process.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { captured, failureOf, INVOICE, PUSH, workplaces } from './template-workplace.ts';

const service = sharedService();
const workplace = workplaces(service);

describe('platen templates pull', () => {
  test('writes a folder for each template, with all that decides the document', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await service().request('PUT', `/v1/templates/${id}/cases/long`, {
      body: { data: { number: 'x'.repeat(50) } },
      key: at.key,
    });
    expect(await at.pull()).toEqual({ code: 0, output: 'invoice: new' });
    expect(readdirSync(at.folder)).toEqual(['invoice']);
    expect(readdirSync(join(at.folder, 'invoice')).toSorted()).toEqual([
      'cases',
      'sample.json',
      'template.html',
      'template.json',
    ]);
    expect(at.read('invoice/template.html')).toBe(INVOICE.html_content);
    expect(at.json('invoice/sample.json')).toEqual(INVOICE.sample_data);
    expect(at.json('invoice/cases/long.json')).toEqual({ data: { number: 'x'.repeat(50) } });
    const { servers, ...fields } = at.json('invoice/template.json');
    const { alias, category, tags, options, schema } = INVOICE;
    expect(fields).toEqual({ name: 'Invoice', alias, category, tags, options, schema });
    expect(servers[service().url]).toMatchObject({ id, version: 1 });
    expect(await at.pull()).toEqual({ code: 0, output: 'invoice: unchanged' });
    expect(await at.diff()).toEqual({ code: 0, output: '' });
  });

  test('follows the server, keeps local changes, and replaces both only with --force', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    await at.put(id, { html_content: '<p>server</p>' });
    expect((await at.pull()).output).toBe('invoice: updated');
    expect(at.read('invoice/template.html')).toBe('<p>server</p>');
    at.write('invoice/template.html', '<p>mine</p>');
    expect(await at.pull()).toMatchObject({ code: 0, output: expect.stringContaining('kept') });
    await at.put(id, { tags: ['other'] });
    const conflict = await at.pull();
    expect(conflict).toMatchObject({ code: 1, output: expect.stringContaining('--force') });
    expect(at.read('invoice/template.html')).toBe('<p>mine</p>');
    expect((await at.pull({ force: true })).output).toBe('invoice: updated');
    expect(at.read('invoice/template.html')).toBe('<p>server</p>');
  });

  test('does not see the line ends and the JSON format that git and editors change', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    at.write('invoice/template.html', at.read('invoice/template.html').replaceAll('\n', '\r\n'));
    at.write('invoice/template.json', JSON.stringify(at.json('invoice/template.json')));
    expect((await at.push()).output).toContain('unchanged');
    await at.put(id, { html_content: '<p>2</p>' });
    expect((await at.pull()).output).toBe('invoice: updated');
  });

  test('writes nothing outside of the folder, whatever the names of the templates are', async () => {
    const at = await workplace();
    for (const name of ['../../x', 'CON', 'a/b', 'n'.repeat(200), 'Same', 'same', '..', 'dot.', '请求/书'])
      await at.create({ name });
    await at.create({ alias: 'nul' });
    expect((await at.pull()).code).toBe(0);
    expect(readdirSync(at.root)).toEqual(['templates']);
    expect(readdirSync(at.folder).toSorted()).toEqual(
      ['x', '_con', 'a-b', 'n'.repeat(60), 'same', 'same-2', 'template', 'dot', '请求-书', '_nul'].toSorted(),
    );
    // The folders are found again by the ids that they have.
    expect((await at.pull()).output.split('\n')).toEqual(
      expect.arrayContaining(['same: unchanged', 'same-2: unchanged', '_con: unchanged']),
    );
    expect(readdirSync(at.folder)).toHaveLength(10);
  });

  test('refuses symbolic links, as a folder and as a file', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    const outside = join(at.root, 'outside');
    mkdirSync(outside);
    rmSync(join(at.folder, 'invoice/cases'), { recursive: true, force: true });
    symlinkSync(outside, join(at.folder, 'invoice/cases'));
    const body = { data: { number: '1' } };
    await service().request('PUT', `/v1/templates/${id}/cases/long`, { body, key: at.key });
    expect(await failureOf(at.pull())).toContain('symbolic link');
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(at.folder, 'invoice/cases'));
    writeFileSync(join(outside, 'secret.html'), 'secret');
    rmSync(join(at.folder, 'invoice/template.html'));
    symlinkSync(join(outside, 'secret.html'), join(at.folder, 'invoice/template.html'));
    expect(await failureOf(at.push())).toContain('symbolic link');
    expect(await failureOf(at.pull({ force: true }))).toContain('symbolic link');
    expect(readFileSync(join(outside, 'secret.html'), 'utf8')).toBe('secret');
  });

  test('takes selected templates by id or alias, and an office file as it is', async () => {
    const at = await workplace();
    const file = readFileSync(join(import.meta.dir, '../../starters/office/service-agreement.docx'));
    await at.create({ name: 'Letter', html_content: null, file: file.toString('base64'), alias: 'letter' });
    await at.create(INVOICE);
    expect((await at.pull({ selected: ['letter'] })).output).toBe('letter: new');
    expect(readFileSync(join(at.folder, 'letter/template.docx')).equals(file)).toBe(true);
    expect((await at.push()).output).toContain('letter: unchanged');
    expect(await failureOf(at.pull({ selected: ['missing'] }))).toContain('not found');
  });
});

describe('platen templates push', () => {
  test('creates new templates, remembers them, and pushes later changes with their cases', async () => {
    const at = await workplace();
    at.write('offer/template.html', '<p>{{> logo}} {{name}}</p>\n');
    at.write('offer/template.json', '{"name": "Offer", "alias": "offer", "options": {"format": "A5"}}');
    at.write('offer/cases/long.json', '{"data": {"name": "Ann"}, "options": {"format": "A4"}}');
    at.write('logo/template.html', '<b>logo</b>\n');
    at.write('logo/template.json', '{"name": "logo", "partial": true}');
    const first = await at.push();
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('offer: created') });
    const offer = await at.get('offer');
    expect(offer).toMatchObject({ name: 'Offer', options: { format: 'A5' }, version: 1 });
    expect((await at.get('offer/cases/long')).data).toEqual({ name: 'Ann' });
    expect((await at.push()).output).not.toMatch(/created|pushed/);

    at.write('offer/template.html', '<p>{{> logo}} Dear {{name}}</p>\n');
    at.write('offer/sample.json', '{"name": "Ann"}');
    rmSync(join(at.folder, 'offer/cases/long.json'));
    at.write('offer/cases/short.json', '{"data": {"name": "B"}}');
    const differences = await at.diff();
    expect(differences.code).toBe(1);
    expect(differences.output).toContain('-<p>{{> logo}} {{name}}</p>\n+<p>{{> logo}} Dear {{name}}</p>\n');
    expect(differences.output).toContain('--- /dev/null\n+++ b/offer/cases/short.json\n');
    const second = await at.push();
    expect(second.output).toContain('template.html  +1 -1\n  sample.json  +3 -1\n  cases/long.json  deleted');
    expect(second.output).toContain('offer: pushed: version 2');
    expect(await at.get('offer')).toMatchObject({ version: 2, sample_data: { name: 'Ann' } });
    expect((await at.get('offer/cases')).data.map(({ name }: { name: string }) => name)).toEqual(['short']);
    expect(await at.diff()).toEqual({ code: 0, output: '' });
  });

  test('keep the name template.hbs', async () => {
    const at = await workplace();
    at.write('offer/template.hbs', '<p>{{name}}</p>\n');
    at.write('offer/template.json', '{"alias": "offer"}');
    expect((await at.push()).output).toContain('offer: created');
    await at.put('offer', { html_content: '<b>{{name}}</b>\n' });
    expect((await at.diff()).output).toStartWith('--- a/offer/template.hbs\n+++ b/offer/template.hbs\n');
    expect((await at.pull()).output).toBe('offer: updated');
    expect(at.read('offer/template.hbs')).toBe('<b>{{name}}</b>\n');
    expect(readdirSync(join(at.folder, 'offer'))).not.toContain('template.html');
    expect(await at.diff()).toEqual({ code: 0, output: '' });
  });

  test('are differences that git can apply', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.put(`${id}/cases/gone`, { data: { number: '1' } });
    await at.pull();
    at.write('invoice/template.html', '<h1>Offer {{number}}</h1>');
    const { options: _, ...properties } = at.json('invoice/template.json');
    at.write('invoice/template.json', JSON.stringify({ ...properties, tags: ['new'] }));
    rmSync(join(at.folder, 'invoice/sample.json'));
    rmSync(join(at.folder, 'invoice/cases/gone.json'));
    at.write('invoice/cases/a new one.json', '{"data": {}}');
    const { code, output } = await at.diff();
    expect(code).toBe(1);
    const stdin = Buffer.from(`${output}\n`);
    const apply = (...args: string[]) =>
      Bun.spawnSync(['git', 'apply', ...args], { cwd: at.folder, stdin }).stderr.toString();
    expect(apply('--check')).toContain('does not');
    // The folder gets the state of the server.
    expect(apply('-R')).toBe('');
    expect(await at.diff()).toEqual({ code: 0, output: '' });
    expect(at.read('invoice/template.html')).toBe(INVOICE.html_content);
  });

  test.each<[string, object]>([
    ['content', { html_content: '<p>theirs</p>' }],
    ['options, which keep the version', { options: { format: 'A3' } }],
    ['a tag', { tags: ['theirs'] }],
  ])('leaves a template alone whose %s has changed on the server', async (_, change) => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    await at.put(id, change);
    const theirs = await at.get(id);
    at.write('invoice/template.html', '<p>mine</p>');
    const { code, output } = await at.push();
    expect([code, output]).toEqual([1, expect.stringContaining('pull first')]);
    expect(await at.get(id)).toEqual(theirs);
  });

  test('asks, and refuses without a terminal', async () => {
    const at = await workplace();
    at.write('offer/template.html', '<p>1</p>');
    expect(await failureOf(at.push({ yes: false }))).toContain('add --yes');
    const env = { PLATEN_URL: service().url, PLATEN_API_KEY: at.key };
    const refused = await platen(['templates', 'push', at.folder], env);
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('offer (new template)') });
    expect(refused.stderr).toEndWith(
      'platen: nothing was pushed, because there is no terminal to ask in; add --yes\n',
    );
    const pushed = await platen(['templates', 'push', at.folder, '--yes', '--json'], env);
    expect(JSON.parse(pushed.stdout)).toEqual({
      templates: [
        {
          template: 'offer',
          result: 'created',
          version: 1,
          message: 'version 1',
          changes: expect.arrayContaining(['template.html  new']),
          conflict: false,
        },
      ],
    });
  });

  test('with --draft stores drafts, not over those of others', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    at.write('invoice/template.html', '<p>draft</p>');
    expect((await at.push({ isDraft: true })).output).toContain('invoice: draft: version 2');
    expect(await at.get(id)).toMatchObject({ html_content: INVOICE.html_content, draft_version: 2 });
    at.write('invoice/template.html', '<p>draft 2</p>');
    expect((await at.push({ isDraft: true })).output).toContain('version 3');
    expect((await at.get(id, '?version=draft')).html_content).toBe('<p>draft 2</p>');
    await at.put(id, { html_content: '<p>theirs</p>', draft: true });
    at.write('invoice/template.html', '<p>draft 3</p>');
    expect(await at.push({ isDraft: true })).toMatchObject({
      code: 1,
      output: expect.stringContaining('promote or delete it first'),
    });
    expect((await at.get(id, '?version=draft')).html_content).toBe('<p>theirs</p>');
  });

  test('with require_checks says that a version waits for the acceptance of its cases', async () => {
    const at = await workplace();
    at.write('offer/template.html', '<p>1</p>');
    at.write('offer/template.json', '{"alias": "offer", "require_checks": true}');
    at.write('offer/cases/a.json', '{"data": {}}');
    expect((await at.push()).output).toContain('offer: created');
    const accept = () =>
      service().request('POST', '/v1/templates/offer/cases/a/accept', { body: {}, key: at.key });
    expect((await accept()).status).toBe(200);
    expect((await at.pull()).output).toBe('offer: updated');
    expect(existsSync(join(at.folder, 'offer/cases/a.pdf'))).toBe(true);
    at.write('offer/template.html', '<h1>2</h1>');
    expect((await at.push()).output).toContain('offer: draft: version 2, until its cases are accepted');
    expect(await at.get('offer')).toMatchObject({ html_content: '<p>1</p>', draft_version: 2 });
    expect((await accept()).body.promoted).toBe(true);
    expect((await at.pull()).output).toContain('conflict');
    expect((await at.pull({ force: true })).output).toBe('offer: updated');
    expect(await at.diff()).toEqual({ code: 0, output: '' });
  });

  test('stores no case if the template has changed since the comparison, also if the checks are required', async () => {
    const at = await workplace();
    const id = await at.create({ ...INVOICE, require_checks: true });
    await at.pull();
    at.write('invoice/cases/a.json', '{"data": {}}');
    at.write('invoice/template.html', '<p>mine</p>');
    // Somebody changes the template between the comparison and the first write.
    const reads = { count: 0 };
    const client: Client = {
      ...at.client,
      async json<T>(route: string, options?: CallOptions) {
        if (route === `/v1/templates/${id}` && (reads.count += 1) === 2)
          await at.put(id, { tags: ['theirs'] });
        return at.client.json<T>(route, options);
      },
    };
    const { code, output } = await captured(() => push(client, { ...PUSH, folder: at.folder }));
    expect([code, output]).toEqual([1, expect.stringContaining('it has just changed on the server')]);
    expect((await at.get(`${id}/cases`)).data).toEqual([]);
    expect(await at.get(id)).toMatchObject({ html_content: INVOICE.html_content, tags: ['theirs'] });
  });

  test('does not take a change that comes right after the push as its own', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    await at.pull();
    at.write('invoice/template.html', '<p>mine</p>');
    const client: Client = {
      ...at.client,
      async json<T>(route: string, options?: CallOptions) {
        const answer = await at.client.json<T>(route, options);
        if (route.startsWith('PUT ')) await at.put(id, { tags: ['theirs'] });
        return answer;
      },
    };
    expect((await captured(() => push(client, { ...PUSH, folder: at.folder }))).code).toBe(0);
    at.write('invoice/template.html', '<p>mine 2</p>');
    expect(await at.push()).toMatchObject({ code: 1, output: expect.stringContaining('pull first') });
    expect((await at.get(id)).tags).toEqual(['theirs']);
  });

  test('deletes the accepted pages of a case whose PDF was deleted', async () => {
    const at = await workplace();
    const id = await at.create(INVOICE);
    const route = `/v1/templates/${id}/cases/a`;
    await service().request('PUT', route, { body: { data: { number: '1' } }, key: at.key });
    const accepted = await service().request('POST', `${route}/accept`, { body: {}, key: at.key });
    expect([accepted.status, accepted.body.error]).toEqual([200, undefined]);
    await at.pull();
    rmSync(join(at.folder, 'invoice/cases/a.pdf'));
    expect((await at.push()).output).toContain('cases/a.pdf  deleted');
    expect(await at.get(`${id}/cases/a`)).toMatchObject({ data: { number: '1' }, accepted: null });
    expect(await at.diff()).toEqual({ code: 0, output: '' });
  });

  test('goes on after a template that the server refuses', async () => {
    const at = await workplace();
    at.write('bad/template.html', '<p>{{#if}}</p>');
    at.write('good/template.html', '<p>good</p>');
    const { code, output } = await at.push();
    expect(code).toBe(4);
    expect(output).toMatch(/bad: refused: .*line 1/);
    expect(output).toContain('good: created');
  });
});

describe('bad input', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'JSON',
      { 'a/template.html': 'x', 'a/template.json': '{\n  "name": nope\n}' },
      'template.json is not JSON: line 2',
    ],
    [
      'a field',
      { 'a/template.html': 'x', 'a/template.json': '{"titel": "x"}' },
      'template.json: titel unknown field',
    ],
    ['a type', { 'a/template.html': 'x', 'a/template.json': '{"tags": "x"}' }, 'template.json: tags must be'],
    ['a case', { 'a/template.html': 'x', 'a/cases/b.json': '{"number": 1}' }, 'b.json:'],
    ['the name of a case', { 'a/template.html': 'x', 'a/cases/ä.json': '{"data": {}}' }, 'rename the file'],
    ['two contents', { 'a/template.html': 'x', 'a/template.docx': 'x' }, 'a template has one of them'],
    ['a kind that no service stores', { 'template.md': 'x' }, 'printed by platen render and dev only'],
    ['no templates', { 'a/readme.md': 'x' }, 'has no templates'],
  ])('%s is one sentence that names the file', async (_, files, message) => {
    const at = await workplace();
    for (const [name, content] of Object.entries(files)) at.write(name, content);
    const error = await at.push().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).message).toContain(message);
    expect((error as CommandError).message).not.toContain('\n');
    expect((error as CommandError).exitStatus).toBe(2);
  });

  test('a missing folder, a missing key and a wrong address', async () => {
    const at = await workplace();
    expect(await failureOf(at.push())).toContain(`${at.folder} does not exist`);
    expect(existsSync(at.folder)).toBe(false);
    const env = { PLATEN_URL: service().url };
    const keyless = await platen(['templates', 'pull', at.folder], env);
    expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('PLATEN_API_KEY')]);
    expect(keyless.stderr.split('\n')).toHaveLength(2);
  });
});
