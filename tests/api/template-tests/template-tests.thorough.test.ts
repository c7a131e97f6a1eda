import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const send = (method: string, path: string, body?: unknown, key?: string) =>
  service().request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });

const HTML = '<style>p { font: 14px sans-serif }</style><h1>Invoice {{number}}</h1><p>{{text}}</p>';

async function create(fields: object = {}): Promise<string> {
  const { status, body } = await send('POST', '/v1/templates', { name: 'T', html_content: HTML, ...fields });
  expect(status).toBe(201);
  return `/v1/templates/${body.id}`;
}

describe('cases', () => {
  test('are stored, accepted and checked', async () => {
    const template = await create();
    const saved = await send('PUT', `${template}/cases/one`, { data: { number: 1, text: 'Hello' } });
    expect(saved).toMatchObject({ status: 200, body: { name: 'one', accepted: null, options: null } });
    const first = await send('POST', `${template}/check`, {});
    expect(first).toMatchObject({
      status: 200,
      body: { passed: false, version: 1, cases: [{ name: 'one', status: 'new', layout: [] }] },
    });
    const accepted = await send('POST', `${template}/cases/one/accept`, {});
    console.log(JSON.stringify(accepted.body));
    expect(accepted.status).toBe(200);
    const second = await send('POST', `${template}/check`, {});
    expect(second.body).toMatchObject({
      passed: true,
      cases: [{ status: 'equal', pages: [{ diff_url: null }] }],
    });
    const third = await send('POST', `${template}/check`, { html_content: HTML.replace('14px', '18px') });
    console.log(JSON.stringify(third.body, null, 1));
    const image = await fetch(third.body.cases[0].pages[0].diff_url);
    await Bun.write('/tmp/checks-diff.png', await image.bytes());
  });
});
