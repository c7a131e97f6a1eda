import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, pageCount, pdfInfo, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { base64, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { extendedService, sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const protecting = extendedService();
const post = (body: object, key?: string) => service().post('/v1/pdf/pipeline', body, key);
const rejection = async (body: object) => rejectionOf(await post({ pdf: base64(pagesPdf(2)), ...body }));
const files = async (key: string) => (await service().get('/v1/files', key)).body.data;
const generations = async (key: string) => (await service().get('/v1/generations', key)).body.data;
const pdf = base64(pagesPdf(2));

describe('POST /v1/pdf/pipeline', () => {
  test('stores one file: the result of the last step, with the properties of the request', async () => {
    const key = await service().newKey('pro');
    const { status, body } = await post(
      {
        pdfs: [pdf, pdf],
        steps: [
          { do: 'merge' },
          { do: 'outline', set: [{ title: 'Copy', page: 3 }] },
          { do: 'properties', set: { title: 'Two copies' } },
          { do: 'attachments', add: [{ name: 'a.txt', data: 'QQ==' }] },
          { do: 'pdfa', level: '3b' },
        ],
        file_name: 'copies',
        reference: 'order-1',
        metadata: { a: 'b' },
        expires_in: 600,
      },
      key,
    );
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      file_name: 'copies.pdf',
      reference: 'order-1',
      metadata: { a: 'b' },
      pages: 4,
    });
    expect(body.steps).toEqual([
      { do: 'merge' },
      { do: 'outline' },
      { do: 'properties' },
      { do: 'attachments' },
      { do: 'pdfa', pdfa: true, level: '3b' },
    ]);
    const [record, ...others] = await files(key);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      id: body.file_id,
      operation: 'pipeline',
      pages: 4,
      file_name: 'copies.pdf',
    });
    expect(record.expires_at).toBe(body.expires_at);
    expect((await service().download(body.url)).length).toBe(body.file_size);
    expect(await generations(key)).toEqual([]);
  });

  test('needs one source and valid steps, and names their fields', async () => {
    expect(rejectionOf(await post({ steps: [{ do: 'info' }] }))).toBe(
      'pdf: is required, or pdfs, file or generate',
    );
    expect(await rejection({ pdfs: [pdf], steps: [{ do: 'merge' }] })).toBe(
      'pdfs: cannot be combined with pdf',
    );
    expect(await rejection({})).toStartWith('steps: is required');
    expect(await rejection({ steps: [] })).toStartWith('steps: must be a list of 1 to 20 steps');
    expect(await rejection({ steps: Array.from({ length: 21 }, () => ({ do: 'info' })) })).toStartWith(
      'steps: ',
    );
    expect(await rejection({ steps: ['merge'] })).toStartWith('steps.0.do: must be one of accessible, ');
    expect(await rejection({ steps: [{ do: 'pdfa' }, { do: 'toString' }] })).toStartWith(
      'steps.1.do: must be one of',
    );
    expect(await rejection({ steps: [{ do: 'stamp', text: 'x', opacity: 2 }] })).toBe(
      'steps.0.opacity: must be a number 0 to 1',
    );
    expect(
      await rejection({ steps: [{ do: 'pdfa' }, { do: 'stamp', text: 'x', position: { x: 1 } }] }),
    ).toStartWith('steps.1.position.y: ');
    expect(await rejection({ steps: [{ do: 'pdfa', output: 'url' }] })).toBe(
      'steps.0.output: unknown field; valid fields are do, level, title, author, subject, keywords, language, allow_signature_loss',
    );
    expect(await rejection({ steps: [{ do: 'pdfa', pdf }] })).toStartWith('steps.0.pdf: unknown field');
    expect(await rejection({ steps: [{ do: 'pdfa' }], expires_in: 1 })).toStartWith('expires_in: ');
    expect(await rejection({ steps: [{ do: 'pdfa' }], file_name: '../x' })).toStartWith('file_name: ');
  });

  test('checks the fields of all steps before the first step begins', async () => {
    const damaged = base64('no PDF at all');
    expect(rejectionOf(await post({ pdf: damaged, steps: [{ do: 'pdfa' }, { do: 'info' }] }))).toStartWith(
      'steps.0.pdf: is not a PDF',
    );
    const steps = [
      { do: 'properties', set: { title: 'x' } },
      { do: 'stamp', text: ' ' },
    ];
    expect(rejectionOf(await post({ pdf: damaged, steps }))).toBe(
      'steps.1.text: must contain a visible character',
    );
    const key = await service().newKey('free');
    const answer = await post({ generate: { html: 'x' }, steps: [{ do: 'stamp' }] }, key);
    expect(rejectionOf(answer)).toStartWith('steps.0.text: is required');
    expect(await generations(key)).toEqual([]);
  });

  test('rejects an impossible order with the reason and an alternative', async () => {
    const merge = { do: 'merge', pdfs: [pdf] };
    expect(await rejection({ steps: [{ do: 'merge' }] })).toBe(
      'steps.0.pdfs: is required: merge takes at least 2 PDFs and gets 1',
    );
    expect(await rejection({ pdf: undefined, pdfs: [pdf, pdf], steps: [{ do: 'pdfa' }] })).toBe(
      'steps.0.do: pdfa takes one PDF, and the request has 2. Make merge the first step',
    );
    expect(await rejection({ steps: [{ do: 'info' }, { do: 'pdfa' }] })).toBe(
      'steps.0.do: info must be the last step: it does not give one PDF for pdfa',
    );
    expect(await rejection({ steps: [{ do: 'outline' }, { do: 'pdfa' }] })).toStartWith(
      'steps.0.do: outline must be the last step with these fields',
    );
    expect(await rejection({ steps: [{ do: 'sign', name: 'Ada' }, merge] })).toBe(
      'steps.1.do: merge cannot follow sign (steps.0): the signer has not seen the other PDFs. Merge first, then sign',
    );
    expect(await rejection({ steps: [{ do: 'pdfa' }, { do: 'watermark', text: 'x' }] })).toBe(
      'steps.1.do: watermark cannot follow pdfa (steps.0): a mark removes the PDF/A conformance. Draw it first, then convert',
    );
    const encrypted = { html: 'x', options: { protect: { ownerPassword: 'owner' } } };
    expect(rejectionOf(await post({ generate: encrypted, steps: [merge] }))).toStartWith(
      'steps.0.do: merge cannot follow generate.options.protect: the file is encrypted then',
    );
    const generate = { html: 'x', options: { pdfa: true } };
    expect(rejectionOf(await post({ generate, steps: [merge] }))).toStartWith(
      'steps.0.do: merge cannot follow generate.options.pdfa: ',
    );
    const attach = { do: 'attachments', add: [{ name: 'a.txt', data: 'QQ==' }] };
    expect(await rejection({ steps: [attach, { do: 'pdfa' }] })).toBe(
      'steps.1.do: pdfa cannot follow attachments (steps.0): PDF/A-1b does not allow attachments; set level to "3b" to attach any file',
    );
    expect(await rejection({ steps: [{ do: 'pdfa', level: '3b' }, attach] })).toEndWith(
      'Change them first, then convert to level 3b, which keeps them',
    );
    const attaching = { html: 'x', options: { attachments: [{ name: 'a.txt', data: 'QQ==' }] } };
    expect(rejectionOf(await post({ generate: attaching, steps: [{ do: 'pdfa', level: '2u' }] }))).toBe(
      'steps.0.do: pdfa cannot follow generate.options.attachments: PDF/A-2u allows only PDF/A files as attachments; set level to "3u" to attach any file',
    );
    expect((await post({ pdf, steps: [attach, { do: 'pdfa', level: '3b' }] })).status).toBe(200);
    expect(rejectionOf(await post({ generate: { html: 'x' }, steps: [{ do: 'split' }] }))).toStartWith(
      'steps.0.do: split cannot be a step after generate: ',
    );
    expect(await rejection({ steps: [{ do: 'info' }], output: 'url' })).toBe(
      'output: cannot be set: the response of the last step, info, does not have it',
    );
  });

  test('keeps the PDF/A conformance in every step that may follow pdfa', async () => {
    const fields: Record<string, object> = {
      merge: { pdfs: [pdf] },
      sign: { name: 'Ada' },
      pdfa: {},
      properties: { set: { title: 'x' } },
      outline: { set: [{ title: 'x', page: 1 }] },
      attachments: { add: [{ name: 'a.txt', data: 'QQ==' }] },
      watermark: { text: 'x' },
      stamp: { text: 'x' },
      flatten: {},
      number: {},
      pages: { pages: '2' },
      compress: {},
      unlock: { password: 'x' },
    };
    const allowed: string[] = [];
    for (const name of Object.keys(fields)) {
      const steps = [{ do: 'pdfa' }, { do: name, ...fields[name] }, { do: 'validate' }];
      const { status, body } = await post({ pdf, steps });
      if (status === 200) {
        allowed.push(name);
        expect([name, body.results]).toEqual([name, [{ profile: 'pdfa-1b', valid: true, findings: [] }]]);
      } else expect(rejectionOf({ status, body })).toStartWith(`steps.1.do: ${name} cannot follow pdfa`);
    }
    expect(allowed).toEqual(['pdfa', 'properties', 'outline', 'flatten', 'number', 'unlock']);
  });

  test('names the step that fails, and stores nothing', async () => {
    const key = await service().newKey('pro');
    const steps = [
      { do: 'properties', set: { title: 'x' } },
      { do: 'stamp', text: 'x', pages: '3' },
    ];
    expect(rejectionOf(await post({ pdf, steps }, key))).toBe(
      'steps.1.pages: names page 3: the PDF has 2 pages',
    );
    const missing = await post({ pdf, steps: [{ do: 'merge', pdfs: ['file_none'] }] }, key);
    expect([missing.status, missing.body.error.message]).toEqual([
      404,
      'steps.0: pdfs[0]: file_none not found',
    ]);
    const invalid = async (pdfs: string[]) =>
      rejectionOf(await post({ pdf, steps: [{ do: 'merge', pdfs }] }, key));
    expect(await invalid([base64('no PDF')])).toBe('steps.0.pdfs[0]: is not a PDF');
    expect(await invalid([pdf, '!'])).toBe('steps.0.pdfs[1]: is not valid base64');
    const damaged = await post({ pdf: base64('no PDF'), steps: [{ do: 'merge', pdfs: [pdf] }] }, key);
    expect(rejectionOf(damaged)).toBe('steps.0.pdf: is not a PDF');
    const other = await post({ pdf: 'gen_none', steps: [{ do: 'pdfa' }] }, key);
    expect([other.status, other.body.error.message]).toEqual([404, 'pdf: gen_none not found']);
    expect(await files(key)).toEqual([]);
  });

  test('can end with a step that returns files, a record or a list', async () => {
    const mark = { do: 'properties', set: { title: 'Marked' } };
    const split = await post({ pdf, steps: [mark, { do: 'split' }], output: 'base64', file_name: 'part' });
    expect(split.body.parts.map(({ file_name }: { file_name: string }) => file_name)).toEqual([
      'part-1.pdf',
      'part-2.pdf',
    ]);
    expect(Buffer.from(split.body.parts[0].data, 'base64').toString('latin1')).toStartWith('%PDF');
    expect((await post({ pdf, steps: [mark, { do: 'info' }] })).body).toMatchObject({
      title: 'Marked',
      pages: 2,
    });
    expect((await post({ pdf, steps: [mark, { do: 'attachments' }] })).body).toEqual({ attachments: [] });
    const { body: text } = await post({ pdf, steps: [{ do: 'stamp', text: 'Marked' }, { do: 'text' }] });
    expect(text.pages[1].text).toContain('Marked');
    const { body: images } = await post({ pdf, steps: [mark, { do: 'images', dpi: 20 }] });
    expect(images.file_id).toStartWith('file_zip_');
  });

  test('takes form data and ids of files, and returns the file itself', async () => {
    const steps = JSON.stringify([{ do: 'merge' }, { do: 'stamp', text: 'Merged' }]);
    const bytes = Buffer.from(pagesPdf(2), 'latin1');
    const form = formOf([
      ['pdfs', bytes],
      ['pdfs', bytes],
      ['steps', steps],
    ]);
    const { status, body } = await postForm(service(), '/v1/pdf/pipeline', form);
    expect([status, body.pages]).toEqual([200, 4]);
    const request = { pdf: body.file_id, steps: [{ do: 'merge', pdfs: [body.file_id, pdf] }] };
    const headers = { accept: 'application/pdf' };
    const response = await service().send('/v1/pdf/pipeline', request, { headers });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('platen-pages')).toBe('10');
    expect(response.headers.get('platen-file-id')).toStartWith('file_');
    expect((await response.text()).slice(0, 5)).toBe('%PDF-');
  });

  test.each(casesOfSuite(Object.keys(hostilePdfs) as (keyof typeof hostilePdfs)[], 16))(
    'returns 200 or 400 for the hostile file %s',
    async (name) => {
      const steps = [
        { do: 'properties', set: { title: 'x' } },
        { do: 'attachments', add: [{ name: 'a.txt', data: 'QQ==' }] },
      ];
      const { status, body } = await post({ pdf: base64(hostilePdfs[name]()), steps });
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.error.details[0].path).toMatch(/^steps\.\d/);
    },
  );

  test('has every operation on PDFs as a step', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const operations = Object.keys(document.paths).flatMap(
      (path) => /^\/v1\/pdf\/([^/]+)$/.exec(path)?.[1] ?? [],
    );
    const { body } = await post({ pdf, steps: [{ do: '' }] });
    const steps = /must be one of (.*)$/.exec(body.error.details[0].message)?.[1]?.split(', ');
    // A pipeline in a pipeline would have two results, and a conversion takes no PDF: it is a source.
    const others = operations.filter((name) => name !== 'pipeline' && name !== 'convert');
    expect(steps?.toSorted()).toEqual(others.toSorted());
  });

  test('rejects protect while it is switched off', async () => {
    expect(await rejection({ steps: [{ do: 'pdfa' }, { do: 'protect', owner_password: 'x' }] })).toBe(
      'steps.1.do: password protection is switched off on this service; nothing was encrypted. The operator can switch it on with plugins.pdf-tools.protect',
    );
  });

  test('can unlock in the first step, and protect in the last step', async () => {
    const open = protecting();
    const protect = { do: 'protect', owner_password: 'owner', user_password: 'user' };
    const send = (body: object) => open.post('/v1/pdf/pipeline', { output: 'base64', ...body });
    const marked = await send({ pdf, steps: [{ do: 'stamp', text: 'Secret' }, protect] });
    expect([marked.status, (await open.post('/v1/pdf/info', { pdf: marked.body.data })).status]).toEqual([
      200, 400,
    ]);
    const steps = [{ do: 'unlock', password: 'user' }, { do: 'info' }];
    expect((await open.post('/v1/pdf/pipeline', { pdf: marked.body.data, steps })).body.encrypted).toBe(
      false,
    );
    expect(rejectionOf(await send({ pdf, steps: [protect, { do: 'stamp', text: 'x' }] }))).toBe(
      'steps.1.do: stamp cannot follow protect (steps.0): the file is encrypted then. Make protect the last step',
    );
    expect(rejectionOf(await send({ pdf, steps: [{ do: 'pdfa' }, protect] }))).toStartWith(
      'steps.1.do: protect cannot follow pdfa (steps.0): ',
    );
  });
});

describeWithPdfTools('the result of a pipeline', () => {
  test('has the effect of every step', async () => {
    const { body } = await post({
      pdfs: [pdf, pdf],
      steps: [
        { do: 'merge' },
        {
          do: 'watermark',
          overlay: base64(pagesPdf(1).replaceAll('(Page', '(Mark')),
          position: { x: 0, y: -50 },
        },
        { do: 'stamp', text: 'PAID' },
        { do: 'properties', set: { title: 'Result' } },
        { do: 'attachments', add: [{ name: 'a.txt', data: 'QQ==' }] },
        { do: 'sign', name: 'Ada Lovelace', page: 3 },
      ],
      output: 'base64',
    });
    const result = Buffer.from(body.data, 'base64');
    await qpdfCheck(result);
    expect(await pageCount(result)).toBe(4);
    const text = await pdfText(result);
    for (const word of ['Page 1', 'Mark 1', 'PAID']) expect(text).toContain(word);
    expect((await pdfInfo(result))['Title']).toBe('Result');
    expect(runOn(result, ['pdfdetach', '-list', '{}'])).toContain('a.txt');
    expect(body.steps.at(-1)).toEqual({ do: 'sign', signed: true, signature_annotation_added: true });
  });
});
