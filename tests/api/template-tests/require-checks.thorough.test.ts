import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import { HTML, messageOf, NARROW, TemplateTestsClient } from '../../support/template-tests/client.ts';

const service = sharedService();
const tests = new TemplateTestsClient(service);

describe('require_checks', () => {
  test('stores a version with differences as a draft, until all its cases are accepted', async () => {
    const template = await tests.createAccepted({ require_checks: true });
    await tests.putCase(template, 'short', { data: { number: 2, text: 'Paid' } });
    await tests.accept(template, 'short');
    const equal = await tests.send('PUT', template, { html_content: `${HTML} ` });
    expect(equal.body).toMatchObject({ version: 2, check: { passed: true, stored_as: 'version' } });
    const held = await tests.send('PUT', template, { html_content: NARROW, name: 'Renamed' });
    expect(held).toMatchObject({
      status: 200,
      body: {
        name: 'Renamed',
        version: 3,
        current_version: 2,
        draft_version: 3,
        html_content: NARROW,
        require_checks: true,
        check: {
          passed: false,
          stored_as: 'draft',
          cases: [
            { name: 'one', status: 'different' },
            { name: 'short', status: 'equal' },
          ],
        },
      },
    });
    expect((await tests.send('GET', template)).body).toMatchObject({ version: 2, name: 'Renamed' });
    expect(messageOf(await tests.send('POST', `${template}/versions/3/promote`))).toBe(
      '409 the template requires checks, and these cases do not pass: one; accept them first',
    );
    expect((await tests.check(template)).body).toMatchObject({ version: 3, passed: false });
    expect((await tests.accept(template, 'one')).body).toMatchObject({
      promoted: true,
      accepted: { version: 3 },
    });
    expect((await tests.send('GET', template)).body).toMatchObject({ version: 3, draft_version: null });
    expect((await tests.send('POST', `${template}/versions/1/restore`)).body).toMatchObject({
      current_version: 3,
      draft_version: 4,
      check: { stored_as: 'draft' },
    });
  });

  test('does not hold back other fields, templates without cases, and changes without it', async () => {
    const template = await tests.create({ require_checks: true });
    expect((await tests.send('PUT', template, { html_content: NARROW })).body.version).toBe(2);
    await tests.putCase(template, 'one');
    const renamed = await tests.send('PUT', template, { name: 'Other', sample_data: { a: 1 } });
    expect(renamed.body).toMatchObject({ name: 'Other', version: 2, draft_version: null });
    expect((await tests.send('PUT', template, { html_content: HTML })).body).toMatchObject({
      draft_version: 3,
      check: { cases: [{ name: 'one', status: 'new' }] },
    });
    const freed = await tests.send('PUT', template, { html_content: HTML, require_checks: false });
    expect(freed.body).toMatchObject({ current_version: 4, require_checks: false });
    expect(freed.body.check).toBeUndefined();
  });

  test('loses no version of concurrent changes', async () => {
    const template = await tests.createAccepted({ require_checks: true });
    const results = await Promise.all([
      tests.send('PUT', template, { html_content: `${HTML}<!-- a -->` }),
      tests.send('PUT', template, { html_content: `${HTML}<!-- b -->` }),
      tests.send('PUT', template, { html_content: NARROW }),
    ]);
    for (const { status, body } of results) {
      expect([200, 409]).toContain(status);
      if (status === 200 && body.check.passed)
        expect((await tests.send('GET', `${template}?version=${body.version}`)).body.html_content).toBe(
          body.html_content,
        );
    }
    const held = results[2];
    if (held?.status === 200) expect(held.body.check.stored_as).toBe('draft');
  });

  test('checks a change of the schema', async () => {
    const template = await tests.createAccepted({ require_checks: true });
    const held = await tests.send('PUT', template, { schema: { customer: 'string!' } });
    expect(held.body).toMatchObject({
      draft_version: 2,
      check: { passed: false, cases: [{ name: 'one', status: 'failed' }] },
    });
    expect((await tests.send('GET', template)).body.schema).toEqual({});
  });

  test('holds no change back that another request has overtaken', async () => {
    const template = await tests.createAccepted({ require_checks: true });
    const [held, tagged] = await Promise.all([
      tests.send('PUT', template, { html_content: NARROW }),
      tests.send('PUT', template, { sample_data: { number: 7 } }),
    ]);
    expect(tagged.status).toBe(200);
    const current = (await tests.send('GET', template)).body;
    expect(current.sample_data).toEqual({ number: 7 });
    if (held.status === 200) {
      // The change began after the other one.
      expect(held.body.sample_data).toEqual({ number: 7 });
    } else {
      expect(messageOf(held)).toMatch(/^409 another request changed the template/);
      expect(current.draft_version).toBeNull();
    }
  });
});
