import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import { messageOf, TemplateTestsClient } from '../../support/template-tests/client.ts';

const service = sharedService();
const tests = new TemplateTestsClient(service);

describe('checks and acceptances', () => {
  test('apply the schema of the template to the data of a case', async () => {
    const template = await tests.create({ schema: { number: 'number!', text: 'number' } });
    await tests.putCase(template, 'lacking', { data: { text: 'x' } });
    await tests.putCase(template, 'one');
    const { body } = await tests.check(template);
    expect(body.cases).toMatchObject([
      {
        name: 'lacking',
        status: 'failed',
        error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('the data has no number') },
      },
      {
        name: 'one',
        status: 'new',
        layout: [{ page: null, finding: expect.stringMatching(/^SCHEMA_MISMATCH: text is /) }],
      },
    ]);
    const { body: ofHtml } = await tests.check(template, { html_content: '{{number}}', cases: ['lacking'] });
    expect(ofHtml.cases).toMatchObject([{ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } }]);
    expect(messageOf(await tests.accept(template, 'lacking'))).toMatch(/^400 .*the data has no number/);
    expect((await tests.accept(template, 'one')).status).toBe(200);
    expect((await tests.check(template, { cases: ['one'] })).body.passed).toBe(true);
  });

  test('make documents, so the key needs the scope generate', async () => {
    const template = await tests.createAccepted();
    const key = await service().newKeyOfAccount({ scopes: ['templates:read', 'templates:write'] });
    for (const path of ['/check', '/cases/one/accept']) {
      const refused = await tests.send('POST', template + path, {}, key);
      expect([path, messageOf(refused)]).toEqual([path, expect.stringMatching(/^403 .*generate/)]);
    }
    expect((await tests.send('GET', `${template}/cases/one`, undefined, key)).status).toBe(200);
  });
});
