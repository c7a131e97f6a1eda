import { describe, expect, test } from 'bun:test';
import { base64, rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const post = (body: object, key?: string) => service().post('/v1/pdf/pipeline', body, key);
const files = async (key: string) => (await service().get('/v1/files', key)).body.data;
const generations = async (key: string) => (await service().get('/v1/generations', key)).body.data;
const pdf = base64(pagesPdf(2));

describe('a pipeline that begins with generate', () => {
  test('records one generation with the result of the last step, and uses one unit of quota', async () => {
    const key = await service().newKey('free');
    const { status, body, headers } = await post(
      {
        generate: {
          markdown: '# {{title}}',
          data: { title: 'Offer' },
          options: { properties: { title: 'Offer' } },
        },
        steps: [
          { do: 'merge', pdfs: [pdf] },
          { do: 'stamp', text: 'Draft' },
        ],
        reference: 'offer-1',
      },
      key,
    );
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      status: 'completed',
      pages: 3,
      reference: 'offer-1',
      steps: [{ do: 'merge' }, { do: 'stamp' }],
    });
    expect(body.file_id).toBeUndefined();
    expect(headers.get('platen-quota-remaining')).toBe('49');
    const [generation, ...others] = await generations(key);
    expect(others).toEqual([]);
    expect(generation).toMatchObject({
      id: body.id,
      input_type: 'markdown',
      pages: 3,
      file_size: body.file_size,
      reference: 'offer-1',
    });
    expect((await service().download(body.url)).length).toBe(body.file_size);
    expect(await files(key)).toEqual([]);
  });

  test('records a failing step as a failed generation, which returns its unit', async () => {
    const key = await service().newKey('free');
    const steps = [
      { do: 'properties', set: { title: 'x' } },
      { do: 'stamp', text: 'x', pages: '7' },
    ];
    const answer = await post({ generate: { html: 'x' }, steps }, key);
    expect(rejectionOf(answer)).toBe('steps.1.pages: names page 7: the PDF has 1 page');
    expect(answer.headers.get('platen-quota-remaining')).toBe('50');
    const [{ id, status }] = await generations(key);
    expect(status).toBe('failed');
    expect((await service().get(`/v1/generations/${id}`, key)).body.error).toBe(
      'RENDER_FAILED: steps.1.pages: names page 7: the PDF has 1 page',
    );
  });

  test('names its invalid fields', async () => {
    const rejection = async (generate: object) =>
      rejectionOf(await post({ generate, steps: [{ do: 'pdfa' }] }));
    expect(await rejection({ data: { a: 1 } })).toStartWith('generate.html: one of html, template, ');
    expect(await rejection({ html: 'x', options: { margin: 'wide' } })).toStartWith(
      'generate.options.margin: ',
    );
    expect(await rejection({ html: 'x', output: 'url' })).toBe(
      'generate.output: must be absent: send output in the request itself, because the pipeline has one result',
    );
    expect(await rejection({ html: '{{#if}}', data: {} })).toStartWith('generate.html: ');
    const unknown = await post({ generate: { template: 'tmpl_none' }, steps: [{ do: 'pdfa' }] });
    expect(unknown.status).toBe(404);
  });

  test('returns the file itself with output binary', async () => {
    const body = { generate: { html: 'x' }, steps: [{ do: 'pdfa' }], output: 'binary' };
    const response = await service().send('/v1/pdf/pipeline', body);
    expect(response.headers.get('platen-generation-id')).toStartWith('gen_');
    expect((await response.text()).slice(0, 5)).toBe('%PDF-');
  });
});
