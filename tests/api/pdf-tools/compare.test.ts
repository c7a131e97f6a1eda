import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { isThorough } from '../../support/suite.ts';
import { listCorpus, readCorpus, requireCorpus } from '../../corpus/corpus.ts';
import { base64, rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostileNames, hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const compare = (a: string | Uint8Array, b: string | Uint8Array, fields: object = {}, key?: string) =>
  service().post('/v1/pdf/compare', { pdfs: [base64(a), base64(b)], ...fields }, key);
const files = async (key: string) => (await service().get('/v1/files', key)).body.data;
const fileIds = async (key: string) => (await files(key)).map(({ id }: { id: string }) => id);

describe('POST /v1/pdf/compare', () => {
  test('stores an image for each page that differs', async () => {
    const key = await service().newKey('pro');
    const other = pagesPdf(3).replace('(Page 2)', '(Leaf 2)');
    const { status, body } = await compare(pagesPdf(3), other, { reference: 'r1', expires_in: 600 }, key);
    expect([status, body.equal]).toEqual([200, false]);
    const [first, second, third] = body.pages;
    expect([first, third]).toEqual([
      { page: 1, equal: true, changed_fraction: 0 },
      { page: 3, equal: true, changed_fraction: 0 },
    ]);
    expect(second).toMatchObject({ page: 2, equal: false });
    expect(second.changed_fraction).toBeWithin(0.001, 0.1);
    const response = await fetch(second.image_url);
    expect(response.headers.get('content-type')).toBe('image/png');
    const { width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect([width, height]).toEqual([300, 200]);
    const [record, ...others] = await files(key);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ operation: 'compare', reference: 'r1', pages: 1 });
    expect(record.id).toStartWith('file_png_');
    expect(Date.parse(record.expires_at)).toBeGreaterThan(Date.now());
    const deletion = await service().request('DELETE', `/v1/files/${record.id}`, { key });
    expect([deletion.status, (await fetch(second.image_url)).status]).toEqual([204, 404]);
  });

  test('stores nothing for equal files, even if they are written differently', async () => {
    const key = await service().newKey('pro');
    const written = await service().post(
      '/v1/pdf/properties',
      { pdf: base64(pagesPdf(2)), set: { title: 'x' }, output: 'base64', expires_in: 60 },
      key,
    );
    const before = await fileIds(key);
    const { body } = await compare(pagesPdf(2), Buffer.from(written.body.data, 'base64'), {}, key);
    expect(body).toEqual({
      equal: true,
      pages: [
        { page: 1, equal: true, changed_fraction: 0 },
        { page: 2, equal: true, changed_fraction: 0 },
      ],
    });
    expect(await fileIds(key)).toEqual(before);
  });

  test('reports pages that only one file has', async () => {
    const { body } = await compare(pagesPdf(1), pagesPdf(2));
    expect(body).toEqual({
      equal: false,
      pages: [
        { page: 1, equal: true, changed_fraction: 0 },
        { page: 2, equal: false, changed_fraction: 1, only_in: 1 },
      ],
    });
  });

  test('can be the last step of a pipeline', async () => {
    const pdf = base64(pagesPdf(2));
    const steps = [
      { do: 'stamp', text: 'PAID', pages: '2' },
      { do: 'compare', pdfs: [pdf] },
    ];
    const { body } = await service().post('/v1/pdf/pipeline', { pdf, steps, reference: 'r' });
    expect(body.pages.map(({ equal }: { equal: boolean }) => equal)).toEqual([true, false]);
    const few = await service().post('/v1/pdf/pipeline', { pdf, steps: [{ do: 'compare' }] });
    expect(rejectionOf(few)).toBe('steps.0.pdfs: is required: compare takes at least 2 PDFs and gets 1');
    const output = await service().post('/v1/pdf/pipeline', { pdf, steps, output: 'url' });
    expect(rejectionOf(output)).toStartWith('output: cannot be set: ');
  });

  test('names the invalid field in its error', async () => {
    const rejection = async (...args: Parameters<typeof compare>) => rejectionOf(await compare(...args));
    expect(await rejection('no PDF', pagesPdf(1))).toStartWith('pdfs[0]: is not a PDF');
    expect(await rejection(pagesPdf(1), 'no PDF')).toStartWith('pdfs[1]: is not a PDF');
    expect(await rejection(pagesPdf(1), pagesPdf(1), { dpi: 5 })).toStartWith('dpi: ');
    expect(await rejection(pagesPdf(1), pagesPdf(1), { tolerance: 2 })).toStartWith('tolerance: ');
    expect(await rejection(pagesPdf(1), pagesPdf(1), { output: 'url' })).toStartWith('output: unknown field');
    const one = await service().post('/v1/pdf/compare', { pdfs: [base64(pagesPdf(1))] });
    expect(rejectionOf(one)).toStartWith('pdfs: must be a list of 2 PDFs');
    expect(await rejection(pagesPdf(1), hostilePdfs.userPassword())).toMatch(/^pdfs\[1\]: .*password/);
  });

  test.each(hostileNames({ slow: isThorough }))(
    'returns 200 or 400 for the hostile file %s',
    async (name) => {
      const { status, body } = await compare(hostilePdfs[name](), hostilePdfs[name]());
      expect([200, 400]).toContain(status);
      if (status === 200) expect(body.equal).toBe(true);
    },
    // A comparison may take a minute.
    180_000,
  );

  test.skipIf(!isThorough || !requireCorpus())(
    'finds every file of the corpus equal to itself',
    async () => {
      for (const { name, sound } of listCorpus()) {
        const pdf = readCorpus(name);
        const { status, body } = await compare(pdf, pdf);
        expect([name, sound ? status === 200 : [200, 400].includes(status)]).toEqual([name, true]);
        if (status === 200) expect([name, body.equal]).toEqual([name, true]);
      }
    },
    600_000,
  );
});
