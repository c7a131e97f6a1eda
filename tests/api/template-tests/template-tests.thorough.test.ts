import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { docx, paragraph } from '../../../packages/office-templates/tests/make-file.ts';
import { TestKeyClient } from '../../support/accounts/test-key-client.ts';
import { describeWithLibreOffice } from '../../support/libreoffice.ts';
import { showsMark } from '../../support/pdf/test-marks.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { onMongoAndS3 } from '../../support/suite.ts';
import { DATA, HTML, messageOf, TemplateTestsClient } from '../../support/template-tests/client.ts';

const service = sharedService();
const keys = new TestKeyClient(service);
const tests = new TemplateTestsClient(service);

describe('cases of a template', () => {
  test('are stored, listed, read and deleted, also by the alias of the template', async () => {
    const alias = `invoice-${crypto.randomUUID()}`;
    const template = await tests.create({ alias });
    const saved = await tests.putCase(`/v1/templates/${alias}`, 'long name_1', { options: { format: 'A5' } });
    expect(saved).toMatchObject({
      status: 200,
      body: { name: 'long name_1', data: DATA, options: { format: 'A5' }, accepted: null },
    });
    expect(template).toBe(`/v1/templates/${saved.body.template_id}`);
    await tests.putCase(template, 'b', { data: {} });
    const list = await tests.send('GET', `${template}/cases`);
    expect(list.body).toMatchObject({ data: [{ name: 'b', options: null }, saved.body], has_more: false });
    const next = await tests.send('GET', `${template}/cases?limit=1&starting_after=b`);
    expect(next.body.data).toEqual([saved.body]);
    expect((await tests.send('GET', `${template}/cases/long%20name_1`)).body).toEqual(saved.body);
    expect((await tests.send('DELETE', `${template}/cases/b`)).status).toBe(204);
    expect((await tests.send('DELETE', `${template}/cases/b`)).status).toBe(404);
    const unknown = await tests.send('POST', `${template}/cases/b/accept`, {});
    expect([unknown.status, unknown.body.error.message]).toEqual([404, 'case "b" not found']);
    expect((await tests.send('GET', `${template}/cases`)).body.data).toHaveLength(1);
  });

  test('refuse names, data, options and PDFs that they cannot have', async () => {
    const template = await tests.create();
    const names = ['__proto__', 'a%2Fb', 'a%00b', '%C3%A4', 'a%20', 'x'.repeat(65), '%25', '-a', 'a:b'];
    for (const name of names)
      expect([name, messageOf(await tests.putCase(template, name))]).toEqual([
        name,
        '400 name: must have 1 to 64 letters (A to Z, a to z), digits, spaces, - and _, begin with a letter or digit, and not end with a space',
      ]);
    expect(messageOf(await tests.send('PUT', `${template}/cases/a`, {}))).toMatch(/^400 data: is required/);
    expect(messageOf(await tests.putCase(template, 'a', { data: [] }))).toMatch(
      /^400 data: must be an object/,
    );
    expect(messageOf(await tests.putCase(template, 'a', { data: { text: 'x'.repeat(65_536) } }))).toBe(
      '400 data: must have at most 65536 bytes of JSON',
    );
    const protect = { user_password: 'x', owner_password: 'y' };
    expect(messageOf(await tests.putCase(template, 'a', { options: { protect } }))).toMatch(
      /^400 options\.protect/,
    );
    expect(messageOf(await tests.putCase(template, 'a', { accepted: 'AAAA' }))).toMatch(/^400 accepted: /);
    expect(messageOf(await tests.putCase(template, 'a', { accepted: 'gen_unknown' }))).toMatch(
      /^404 accepted: /,
    );
    expect((await tests.send('GET', `${template}/cases`)).body.data).toEqual([]);
    const big = { data: { text: 'x'.repeat(10_000_000) } };
    expect(messageOf(await tests.putCase(template, 'a', big))).toMatch(/^400 data: must have at most/);
    const prototype = await tests.send('PUT', `${template}/cases/a`, '{"data": {"__proto__": {"x": 1}}}');
    expect([prototype.status, JSON.stringify(prototype.body.data)]).toEqual([200, '{"__proto__":{"x":1}}']);
  });

  test('belong to their account', async () => {
    const template = await tests.createAccepted();
    const key = await service().newKey();
    for (const [method, path, body] of [
      ['PUT', '/cases/one', { data: {} }],
      ['GET', '/cases', undefined],
      ['GET', '/cases/one', undefined],
      ['DELETE', '/cases/one', undefined],
      ['POST', '/cases/one/accept', {}],
      ['POST', '/check', {}],
    ] as const)
      expect([method, path, (await tests.send(method, template + path, body, key)).status]).toEqual([
        method,
        path,
        404,
      ]);
    expect((await tests.send('GET', `${template}/cases/one`)).status).toBe(200);
  });

  test('are at most 100', async () => {
    const template = await tests.create();
    for (let first = 0; first < 98; first += 14)
      await Promise.all(
        Array.from({ length: 14 }, (_, index) => tests.putCase(template, `c${first + index}`)),
      );
    expect((await tests.putCase(template, 'c98')).status).toBe(200);
    const both = await Promise.all([
      tests.putCase(template, 'd'),
      tests.putCase(template, 'e'),
      tests.putCase(template, 'f'),
    ]);
    // Requests that exceed the limit together may all be refused.
    expect(both.some(({ status }) => status === 400)).toBe(true);
    for (const name of ['d', 'e', 'f']) await tests.putCase(template, name);
    expect((await tests.send('GET', `${template}/cases?limit=100`)).body.data).toHaveLength(100);
    expect((await tests.putCase(template, 'c98', { data: {} })).status).toBe(200);
    const long = { data: { text: 'x'.repeat(60_000) } };
    await Promise.all(Array.from({ length: 14 }, (_, index) => tests.putCase(template, `c${index}`, long)));
    const names: string[] = [];
    for (let query = ''; ;) {
      const { data, has_more } = (await tests.send('GET', `${template}/cases?limit=100${query}`)).body;
      names.push(...data.map(({ name }: { name: string }) => name));
      if (!has_more) break;
      query = `&starting_after=${names.at(-1)}`;
    }
    expect([names.length, new Set(names).size]).toEqual([100, 100]);
    expect(messageOf(await tests.putCase(template, 'g'))).toMatch(
      /^400 name: is new, and the template already has 100 cases/,
    );
  });
});

describe('POST /v1/templates/:id/check', () => {
  test('is new, then equal, then different when a line wraps', async () => {
    const template = await tests.create();
    expect(messageOf(await tests.check(template))).toMatch(/^400 cases: are missing/);
    await tests.putCase(template, 'one');
    expect((await tests.check(template)).body).toMatchObject({
      passed: false,
      version: 1,
      cases: [{ name: 'one', status: 'new', layout: [], pages: [{ page: 1, equal: false, diff_url: null }] }],
    });
    const accepted = await tests.accept(template, 'one');
    expect(accepted.body).toMatchObject({ accepted: { pages: 1, version: 1 }, promoted: false });
    expect(accepted.body.accepted.chromium).toMatch(/^\d+$/);
    expect((await tests.check(template)).body).toMatchObject({
      passed: true,
      version: 1,
      cases: [{ status: 'equal', layout: [], pages: [{ equal: true, changed_fraction: 0, diff_url: null }] }],
    });
    const narrow = await tests.check(template, { html_content: HTML.replace('200px', '100px') });
    expect(narrow.body).toMatchObject({ passed: false, version: null, cases: [{ status: 'different' }] });
    const [{ pages, layout }] = narrow.body.cases;
    expect(layout).toEqual([
      {
        page: 1,
        finding: expect.stringMatching(
          /^the text "Payable within ten days" is on 2 lines, and was on 1 line: /,
        ),
      },
    ]);
    for (const url of [pages[0].image_url, pages[0].diff_url]) {
      const image = await fetch(url);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
      // Links to S3 are signed by S3.
      if (onMongoAndS3) continue;
      expect((await fetch(url.replace(/signature=..../, 'signature=AAAA'))).status).toBe(403);
    }
  });

  test('ignores a move of 0.2 px, and finds another colour, image and page', async () => {
    const rect = (fill: string) =>
      `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${fill}"/></svg>`)}`;
    const html = (left: string, colour: string, fill: string, more = '') =>
      `<div style="position: relative; left: ${left}; width: 12px; height: 12px; background: ${colour}"></div><p>Text</p><img src="${rect(fill)}">${more}`;
    const template = await tests.createAccepted({ html_content: html('10px', '#eee', 'red') });
    const statusOf = async (html_content: string) => {
      const { body } = await tests.check(template, { html_content });
      const [found] = body.cases;
      return [
        found.status,
        found.pages.length,
        found.layout.map(({ finding }: { finding: string }) => finding),
      ];
    };
    expect(await statusOf(html('10.2px', '#eee', 'red'))).toEqual(['equal', 1, []]);
    expect(await statusOf(html('10px', '#ded', 'red'))).toEqual(['different', 1, []]);
    expect(await statusOf(html('10px', '#eee', 'blue'))).toEqual(['different', 1, []]);
    expect(await statusOf(html('10px', '#eee', 'red', '<p style="break-before: page">More</p>'))).toEqual([
      'different',
      2,
      ['the document has 2 pages, and the accepted one has 1 page'],
    ]);
  });

  test('applies the options of the template, and then those of the case', async () => {
    const template = await tests.create({ options: { format: 'A5', margin: '0' } });
    await tests.putCase(template, 'a5');
    await tests.putCase(template, 'a6', { options: { format: 'A6' } });
    for (const name of ['a5', 'a6']) await tests.accept(template, name);
    await tests.send('PUT', template, { options: { format: 'A4', margin: '0' } });
    const { body } = await tests.check(template);
    expect(body.cases).toMatchObject([
      { name: 'a5', status: 'different', layout: [{ page: 1, finding: expect.stringContaining('in size') }] },
      { name: 'a6', status: 'equal' },
    ]);
    expect((await tests.check(template, { cases: ['a6', 'a6'] })).body).toMatchObject({
      passed: true,
      cases: [{}],
    });
    expect(messageOf(await tests.check(template, { cases: ['b'] }))).toBe(
      '400 cases: names "b", which is not a case of the template',
    );
    expect(messageOf(await tests.check(template, { html_content: 'x', version: 1 }))).toMatch(
      /^400 version: /,
    );
  });

  test('reports a document that fails as a case, which cannot be accepted', async () => {
    const template = await tests.createAccepted();
    await tests.putCase(template, 'two');
    const { body } = await tests.check(template, { html_content: '{{#if}}' });
    expect(body).toMatchObject({ passed: false, cases: [{ status: 'failed', pages: [], layout: [] }, {}] });
    expect(body.cases[0].error).toMatchObject({ code: 'TEMPLATE_ERROR' });
    const strict = await tests.create({ options: { strict: true } });
    await tests.putCase(strict, 'one', { data: {} });
    expect((await tests.check(strict)).body.cases).toMatchObject([
      { status: 'failed', error: { code: 'MISSING_VARIABLE' } },
    ]);
    expect(messageOf(await tests.accept(strict, 'one'))).toMatch(/^400 .*MISSING_VARIABLE/);
    expect((await tests.send('GET', `${strict}/cases/one`)).body.accepted).toBeNull();
  });

  test('says that content overflows or lacks data now', async () => {
    const template = await tests.createAccepted();
    const wide = HTML.replace('<h1>', '<div style="width: 2000px; height: 1px"></div>{{missing}}<h1>');
    const { body } = await tests.check(template, { html_content: wide });
    const findings = body.cases[0].layout.map(
      ({ page, finding }: { page: number | null; finding: string }) => `${String(page)} ${finding}`,
    );
    expect(findings[0]).toMatch(/^null MISSING_VARIABLE: the data has no missing/);
    expect(findings[1]).toMatch(/^null OVERFLOW: the content is wider than the page/);
  });

  test('leaves no history and costs no quota, and loads nothing from private addresses', async () => {
    const key = await service().newKey();
    const created = await tests.send('POST', '/v1/templates', { name: 'T', html_content: HTML }, key);
    const template = `/v1/templates/${created.body.id}`;
    await tests.send('PUT', `${template}/cases/one`, { data: DATA }, key);
    const before = await tests.send('GET', '/v1/usage', undefined, key);
    await tests.send('POST', `${template}/cases/one/accept`, {}, key);
    const html_content = `${HTML}<img src="http://169.254.169.254/secret.png">`;
    const { body } = await tests.send('POST', `${template}/check`, { html_content }, key);
    expect(body.cases[0].layout[0].finding).toMatch(/^ASSET_FAILED: http:\/\/169\.254\.169\.254/);
    for (const list of ['/v1/generations', '/v1/files'])
      expect((await tests.send('GET', list, undefined, key)).body.data).toEqual([]);
    expect((await tests.send('GET', '/v1/usage', undefined, key)).body).toEqual(before.body);
  });

  test('compares with a PDF that the case was given', async () => {
    const template = await tests.create();
    const made = await tests.send('POST', '/v1/generate', { html: HTML, data: DATA });
    const saved = await tests.putCase(template, 'given', { accepted: made.body.id });
    expect(saved.body.accepted).toMatchObject({ pages: 1, version: null });
    expect((await tests.check(template)).body.passed).toBe(true);
    const link = await fetch(saved.body.accepted.url);
    const base64 = Buffer.from(await link.bytes()).toString('base64');
    await tests.putCase(template, 'given', { data: { ...DATA, number: 2 }, accepted: base64 });
    const different = await tests.check(template);
    expect(different.body.cases[0].layout).toEqual([
      { page: 1, finding: 'the line "Invoice 1" is now "Invoice 2"' },
    ]);
    expect((await fetch(saved.body.accepted.url)).status).toBe(404);
  });

  test('marks the images of a test key, which gets no link to accepted pages', async () => {
    const { live, testKey } = await keys.newKeys();
    const created = await tests.send('POST', '/v1/templates', { name: 'T', html_content: HTML }, live);
    const template = `/v1/templates/${created.body.id}`;
    await tests.send('PUT', `${template}/cases/one`, { data: DATA }, testKey);
    const accepted = await tests.send('POST', `${template}/cases/one/accept`, {}, testKey);
    expect(accepted.body.accepted.url).toBeNull();
    const { body } = await tests.send('POST', `${template}/check`, {}, testKey);
    expect(body.passed).toBe(true);
    const image = await (await fetch(body.cases[0].pages[0].image_url)).bytes();
    expect(showsMark(PNG.sync.read(Buffer.from(image)))).toBe(true);
    expect((await tests.send('POST', `${template}/check`, {}, live)).body.passed).toBe(true);
  });
});

describe('accepting', () => {
  test('twice at once leaves one accepted PDF', async () => {
    const template = await tests.create();
    await tests.putCase(template, 'one');
    const both = await Promise.all([tests.accept(template, 'one'), tests.accept(template, 'one')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const statuses = await Promise.all(both.map(async ({ body }) => (await fetch(body.accepted.url)).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404]);
    expect((await tests.check(template)).body.passed).toBe(true);
  });

  test('ends with the template', async () => {
    const template = await tests.createAccepted();
    const { url } = (await tests.send('GET', `${template}/cases/one`)).body.accepted;
    const checking = tests.check(template);
    expect((await tests.send('DELETE', template)).status).toBe(200);
    expect([200, 404]).toContain((await checking).status);
    expect((await fetch(url)).status).toBe(404);
    expect((await tests.send('GET', `${template}/cases/one`)).status).toBe(404);
  });
});

describeWithLibreOffice('an office template', () => {
  test('has cases, but no html_content and no required checks', async () => {
    const file = (text: string) => Buffer.from(docx(paragraph(text))).toString('base64');
    const created = await tests.send('POST', '/v1/templates', {
      name: 'Letter',
      file: file('Dear {{text}}'),
    });
    const template = `/v1/templates/${created.body.id}`;
    await tests.putCase(template, 'one');
    expect((await tests.accept(template, 'one')).body).toMatchObject({
      accepted: { version: 1, chromium: null },
    });
    expect((await tests.check(template)).body.passed).toBe(true);
    await tests.send('PUT', template, { file: file('Hello {{text}}') });
    expect((await tests.check(template)).body.cases[0].layout).toEqual([
      {
        page: 1,
        finding: `the line "Dear ${DATA.text}" is now "Hello ${DATA.text}"`,
      },
    ]);
    expect(messageOf(await tests.check(template, { html_content: 'x' }))).toMatch(
      /^400 html_content: is not for/,
    );
    expect(messageOf(await tests.send('PUT', template, { require_checks: true }))).toMatch(
      /^400 require_checks: /,
    );
  });
});
