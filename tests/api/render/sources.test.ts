import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const REACT = 'export default ({ name }) => <p>Dear {name}</p>';

/** Sends a source to the three routes. A preview has its HTML in another field. */
const routes: Record<string, (body: Record<string, unknown>) => Promise<ApiResponse>> = {
  generate: (body) => service().post('/v1/generate', body),
  preview: ({ html, ...body }) =>
    service().post('/v1/templates/preview', {
      ...body,
      output: 'base64',
      ...(html !== undefined && { html_content: html }),
    }),
  'a batch item': (body) => submit(service(), [body]),
};

/** Sends a source to a route and returns the text of the document. */
async function textOf(route: string, body: Record<string, unknown>): Promise<string> {
  const answer = await routes[route]?.(body);
  if (answer === undefined || answer.status >= 300) throw new Error(JSON.stringify(answer?.body));
  if (route === 'preview') return flat(await pdfText(Buffer.from(answer.body.data, 'base64')));
  if (route !== 'generate') expect(await completed(service(), answer)).toMatchObject({ completed: 1 });
  const url =
    answer.body.url ?? (await service().get(`/v1/generations/${answer.body.generations[0].id}`)).body.url;
  return flat(await pdfText(await service().download(url)));
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe.each(Object.keys(routes))('%s rejects', (route) => {
  const prefix = route === 'a batch item' ? 'items[0]' : '';
  const renamed = (name: string) => (route === 'preview' && name === 'html' ? 'html_content' : name);

  async function faultsOf(body: Record<string, unknown>): Promise<{ path: string; message: string }[]> {
    const answer = await routes[route]?.(body);
    expect([answer?.status, answer?.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    return answer?.body.error.details;
  }

  test('a request without a source, and names all sources', async () => {
    const [fault] = await faultsOf({});
    expect(fault?.path).toBe(prefix || renamed('html'));
    for (const name of ['html', 'template', 'react', 'markdown'])
      expect(fault?.message).toContain(renamed(name));
  });

  test('a version of a source that is not a template', async () => {
    const [fault] = await faultsOf({ react: REACT, template_version: 1 });
    expect(fault?.path).toBe(prefix ? `${prefix}.template_version` : 'template_version');
  });

  test.each([
    ['an empty component', { react: '' }, 'react'],
    ['styles that are not text', { html: 'x', styles: 1 }, 'styles'],
  ])('%s', async (_name, body, field) => {
    const [fault] = await faultsOf(body);
    expect(fault?.path).toBe(prefix ? `${prefix}.${field}` : field);
  });
});

describe.each(['generate', 'preview'])('%s rejects several sources', (route) => {
  test.each([
    [{ html: 'x', template: 'tmpl_x' }],
    [{ html: 'x', react: REACT }],
    [{ template: 'tmpl_x', react: REACT }],
    [{ html: 'x', template: 'tmpl_x', react: REACT }],
    [{ react: REACT, markdown: 'x' }],
  ])('%j, and names them', async (body) => {
    const answer = await routes[route]?.(body);
    expect([answer?.status, answer?.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const names = Object.keys(body).map((name) =>
      route === 'preview' && name === 'html' ? 'html_content' : name,
    );
    const paths = answer?.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(answer?.body.error.message).toContain(name);
  });
});

describeWithPdfTools('sources', () => {
  test.each(Object.keys(routes))('%s prints a component with its data', async (route) => {
    expect(await textOf(route, { react: REACT, data: { name: 'Ada' } })).toBe('Dear Ada');
  });

  test.each(Object.keys(routes))('%s adds styles after the styles of the document', async (route) => {
    const own = '<style>p::after { content: " own" }</style>';
    const styles = 'p::after { content: " added </style>" }';
    expect(await textOf(route, { html: `${own}<p>HTML`, styles })).toBe('HTML added </style>');
    expect(await textOf(route, { html: `${own}<p>{{x}}`, data: { x: 'Template' }, styles })).toBe(
      'Template added </style>',
    );
    const { body } = await service().post('/v1/templates', { name: 'x', html_content: `${own}<p>Stored` });
    expect(await textOf(route, { template: body.id, styles })).toBe('Stored added </style>');
    expect(await textOf(route, { react: REACT, data: { name: 'Ada' }, styles })).toBe(
      'Dear Ada added </style>',
    );
  });

  test('styles are not a template', async () => {
    const styles = 'p::after { content: "{{x}}" }';
    expect(await textOf('generate', { html: '<p>{{x}}', data: { x: 'value ' }, styles })).toBe('value {{x}}');
  });

  test('records a component with input_type react', async () => {
    const { body } = await service().post('/v1/generate', { react: REACT });
    const { body: read } = await service().get(`/v1/generations/${body.id}`);
    expect(read).toMatchObject({ input_type: 'react', template_id: null });
  });

  test('names the field of a component with a fault', async () => {
    for (const route of ['generate', 'preview']) {
      const answer = await routes[route]?.({ react: 'export default () => <p>' });
      expect([answer?.status, answer?.body.error.details[0]]).toMatchObject([
        400,
        { path: 'react', code: 'COMPONENT_ERROR' },
      ]);
    }
  });

  test('a batch item uses the first of html, react and template', async () => {
    const sources = { html: '<p>HTML', react: REACT, template: 'tmpl_x' };
    expect(await textOf('a batch item', sources)).toBe('HTML');
    expect(await textOf('a batch item', { ...sources, html: undefined })).toBe('Dear');
  });
});

test('a batch item with Markdown and another source is rejected', async () => {
  const { status, body } = await submit(service(), [{ html: 'x' }, { html: 'x', markdown: 'y' }]);
  expect([status, body.error.details[0].path]).toEqual([400, 'items[1]']);
  expect(body.error.message).toContain('send only one of html and markdown');
});
