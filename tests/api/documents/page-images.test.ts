import { describe, expect, setSystemTime, test } from 'bun:test';
import { PNG } from 'pngjs';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { casesOfSuite, isThorough, onMongoAndS3 } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { whenNotBusy } from '../../support/service/in-time.ts';
import { unzip } from '../../support/unzip.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { fieldPdf, pagesPdf, plainPdf, stream, withQpdf } from '../../support/pdf/samples.ts';

const service = sharedService();

/** An image of a page has at most this many pixels. */
const MAX_PIXELS = 24_000_000;
const COLOURS = ['red', 'lime', 'blue'];
const threePages = {
  html: `<style>@page { margin: 0 } body { margin: 0 } section { height: 100vh; break-after: page }</style>${COLOURS.map((colour) => `<section style="background: ${colour}"></section>`).join('')}`,
  options: { format: { width: '4in', height: '2in' }, margin: 0 },
};

async function generate(body: object, key?: string): Promise<string> {
  const answer = await service().post('/v1/generate', body, key);
  expect(answer.status).toBe(200);
  return `/v1/generations/${answer.body.id}`;
}

async function upload(pdf: string): Promise<string> {
  return `/v1/files/${(await service().post('/v1/files', { file: base64(pdf) })).body.id}`;
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service().url + path, { headers: { authorization: `Bearer ${service().key}`, ...headers } });
}

async function draw(path: string): Promise<PNG> {
  const response = await whenNotBusy(() => get(path));
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

async function errorOf(path: string, key?: string | null): Promise<[number, string, string]> {
  const { status, body } = await service().get(path, key);
  return [status, body.error.code, body.error.message];
}

/** Returns the red, green, blue and alpha of a pixel, by default the pixel in the centre. */
function pixelOf({ data, width, height }: PNG, x = width >> 1, y = height >> 1): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

describe('an image of a page', () => {
  test('shows the page, opaque, 800 pixels wide or as wide as requested', async () => {
    const path = await generate(threePages);
    const first = await draw(`${path}/pages/1.png`);
    expect([first.width, first.height]).toEqual([800, 400]);
    expect(pixelOf(first)).toEqual([255, 0, 0, 255]);
    expect(pixelOf(await draw(`${path}/pages/2.png`))).toEqual([0, 255, 0, 255]);
    const third = await draw(`${path}/pages/3.png?width=300`);
    expect([third.width, third.height]).toEqual([300, 150]);
    expect(pixelOf(third)).toEqual([0, 0, 255, 255]);
    for (const width of isThorough ? [16, 4000] : [16])
      expect((await draw(`${path}/pages/1.png?width=${width}`)).width).toBe(width);
  });

  test('has a file name and headers that let only its caller cache it', async () => {
    const path = await generate(threePages);
    const { headers } = await get(`${path}/pages/2.png`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-disposition')).toContain('filename="page-2.png"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('shows pages of files, with stamps and form fields', async () => {
    const path = await upload(pagesPdf(2));
    const image = await draw(`${path}/pages/2.png?width=600`);
    expect([image.width, image.height]).toEqual([600, 400]);
    const signed = await service().post('/v1/pdf/sign', {
      pdf: base64(pagesPdf(1)),
      name: 'Ada',
      x: 20,
      y: 20,
      width: 200,
      height: 60,
    });
    const dark = ({ data }: PNG) => data.filter((value, at) => at % 4 === 0 && value < 128).length;
    const [before, after] = [await upload(pagesPdf(1)), `/v1/files/${signed.body.file_id}`];
    const darkBefore = dark(await draw(`${before}/pages/1.png`));
    expect(dark(await draw(`${after}/pages/1.png`))).toBeGreaterThan(darkBefore + 100);
  });

  test.if(isThorough)('shows a form field on a rotated page', async () => {
    const image = await draw(`${await upload(fieldPdf)}/pages/1.png?width=100`);
    const at = 4 * (10 * image.width + 10);
    expect([...image.data.subarray(at, at + 4)]).toEqual([255, 0, 0, 255]);
  });

  const annotations: [string, string][] = [
    ['PolyLine', '/Vertices[0 50 100 50]'],
    ['Line', '/L[0 50 100 50]'],
    ['FreeText', '/DA(1 0 0 rg /Helv 40 Tf)/Contents(IIIIIIIIIIIIIIIIIIII)'],
  ];
  test.each(casesOfSuite(annotations, 6))(
    'shows a %s annotation without an appearance',
    async (type, entries) => {
      const annotation = `<</Type/Annot/Subtype/${type}/F 4/C[1 0 0]/BS<</W 10>>/Rect[0 20 100 80]${entries}>>`;
      const pdf = plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2/MediaBox[0 0 100 100]>>',
        `<</Type/Page/Parent 2 0 R/Annots[${annotation}]>>`,
      ]);
      const image = await draw(`${await upload(pdf)}/pages/2.png?width=100`);
      const isRed = (at: number) => image.data[at] === 255 && image.data[at + 1] === 0;
      expect(
        Array.from({ length: 100 * 100 }, (_, pixel) => isRed(4 * pixel)).filter(Boolean).length,
      ).toBeGreaterThan(100);
      expect(pixelOf(image, 50, 10)).toEqual([255, 255, 255, 255]);
    },
  );

  test.each(casesOfSuite(['of the page', 'that it inherits'], 4))(
    'shows a page with a stamp and with boxes and resources %s',
    async (owner) => {
      const attributes =
        '/MediaBox[0 0 200 100]/CropBox[0 0 100 100]/Rotate 90/Resources<</ExtGState<</S<</ca .5>>>>/XObject<</X 6 0 R>>>>';
      const isInherited = owner === 'that it inherits';
      const form = (content: string) => stream(content, '/Type/XObject/Subtype/Form/BBox[0 0 100 100]');
      const pdf = plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Kids[3 0 R]/Count 1${isInherited ? attributes : ''}>>`,
        `<</Type/Page/Parent 2 0 R${isInherited ? '' : attributes}/Contents 4 0 R/Annots[<</Type/Annot/Subtype/Stamp/F 4/AP<</N 5 0 R>>/Rect[20 20 80 80]>>]>>`,
        stream('/S gs 0 0 1 rg 0 0 10 10 re f /X Do'),
        form('1 0 0 rg 0 0 100 100 re f'),
        form('0 1 0 rg 90 0 10 10 re f'),
      ]);
      const { body } = await service().post('/v1/pdf/images', {
        pdf: base64(pdf),
        dpi: 72,
        output: 'base64',
      });
      const [page] = await unzip(Buffer.from(body.data, 'base64'));
      if (!page) throw new Error('no image');
      for (const image of [
        await draw(`${await upload(pdf)}/pages/1.png?width=100`),
        PNG.sync.read(page.content),
      ]) {
        expect([image.width, image.height]).toEqual([100, 100]);
        // The page is turned clockwise, so the lower left corner is at the upper left.
        const colours = [pixelOf(image), pixelOf(image, 5, 5), pixelOf(image, 5, 95), pixelOf(image, 95, 95)];
        expect(colours.map((pixel) => pixel.map((value) => Math.round(value / 50)))).toEqual([
          [5, 0, 0, 5],
          [3, 3, 5, 5],
          [3, 5, 3, 5],
          [5, 5, 5, 5],
        ]);
      }
    },
  );

  test.if(isThorough)('of a very tall page is narrower than requested', async () => {
    const path = await upload(
      plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 14400]/Contents 4 0 R>>',
        stream('0 0 1 rg 0 0 72 14400 re f'),
      ]),
    );
    const image = await draw(`${path}/pages/1.png?width=4000`);
    expect(image.width * image.height).toBeLessThanOrEqual(MAX_PIXELS);
    expect(image.width).toBeGreaterThan(300);
    expect(Math.abs(image.height / image.width / 200 - 1)).toBeLessThan(0.01);
    expect(pixelOf(image)).toEqual([0, 0, 255, 255]);
  });
});

describe('a cached image', () => {
  test('is confirmed by its ETag', async () => {
    const path = `${await generate(threePages)}/pages/1.png?width=100`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const cached = await get(path, { 'if-none-match': sent });
      expect([sent, cached.status, await cached.text()]).toEqual([sent, 304, '']);
      expect(cached.headers.get('etag')).toBe(etag);
      expect(cached.headers.get('cache-control')).toBe('private, no-cache');
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test.if(isThorough)('has another ETag for another width, page or document', async () => {
    const [one, two] = [await generate(threePages), await generate(threePages)];
    const paths = [
      `${one}/pages/1.png`,
      `${one}/pages/1.png?width=100`,
      `${one}/pages/2.png`,
      `${two}/pages/1.png`,
    ];
    const etags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag')));
    expect(new Set(etags).size).toBe(4);
  });

  test.skipIf(onMongoAndS3)(
    'is confirmed without drawing it, even if its PDF is missing in the file store',
    async () => {
      const path = `${await generate(threePages)}/pages/1.png`;
      const etag = (await get(path)).headers.get('etag') ?? '';
      const { fileId } = await findFile(path);
      await Bun.file(`${service().dataDir}/files/${fileId.slice(-2)}/${fileId}`).delete();
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
      expect((await get(path)).status).toBe(404);
    },
  );
});

async function findFile(path: string): Promise<{ fileId: string }> {
  const { body } = await service().get(path.replace(/\/pages.*/, ''));
  return { fileId: new URL(body.url).pathname.split('/').at(-1) ?? '' };
}

describe('no image', () => {
  test('of a page that does not exist', async () => {
    const [path, file] = [await generate(threePages), await upload(pagesPdf(2))];
    expect(await errorOf(`${path}/pages/4.png`)).toEqual([
      404,
      'NOT_FOUND',
      'page 4 was not found: the document has 3 pages',
    ]);
    expect((await errorOf(`${file}/pages/3.png`))[0]).toBe(404);
    for (const page of [
      '0.png',
      '-1.png',
      '01.png',
      '1',
      '1.jpg',
      'x.png',
      '1.5.png',
      `${'9'.repeat(400)}.png`,
    ])
      expect([page, (await errorOf(`${path}/pages/${page}`)).slice(0, 2)]).toEqual([
        page,
        [404, 'NOT_FOUND'],
      ]);
    expect((await get(`${path}/pages/4.png`, { 'if-none-match': '*' })).status).toBe(404);
  });

  test.each(['15', '4001', '0', '-300', '300.5', 'wide', ''])('with the width %j', async (width) => {
    const path = await generate(threePages);
    const [status, code, message] = await errorOf(`${path}/pages/1.png?width=${width}`);
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(message).toContain('width');
  });

  test('with an unknown parameter', async () => {
    expect((await errorOf(`${await generate(threePages)}/pages/1.png?height=3`))[0]).toBe(400);
  });

  test('for another account, without a key, or with an unknown id', async () => {
    const key = await service().newKey();
    for (const path of [await generate(threePages), await upload(pagesPdf(1))]) {
      const etag = (await get(`${path}/pages/1.png`)).headers.get('etag') ?? '';
      expect((await errorOf(`${path}/pages/1.png`, key))[0]).toBe(404);
      const headers = { authorization: `Bearer ${key}`, 'if-none-match': etag };
      expect((await get(`${path}/pages/1.png`, headers)).status).toBe(404);
      expect((await errorOf(`${path}/pages/1.png`, null))[0]).toBe(401);
    }
    for (const path of ['/v1/generations/gen_x', '/v1/files/file_x'])
      expect((await errorOf(`${path}/pages/1.png`))[0]).toBe(404);
  });

  test('of a deleted or expired document, also when it is cached', async () => {
    const deleted = await generate(threePages);
    const etag = (await get(`${deleted}/pages/1.png`)).headers.get('etag') ?? '';
    await service().request('DELETE', deleted);
    expect((await get(`${deleted}/pages/1.png`, { 'if-none-match': etag })).status).toBe(404);
    const expiring = await generate({ ...threePages, expires_in: 60 });
    expect((await get(`${expiring}/pages/1.png`)).status).toBe(200);
    setSystemTime(new Date(Date.now() + 61_000));
    const status = (await get(`${expiring}/pages/1.png`)).status;
    setSystemTime();
    expect(status).toBe(404);
  });

  test('of a generation that has not ended (409) or has failed (404)', async () => {
    const items = [
      { html: '<p>x', options: { waitFor: { delayMs: 3_000 } } },
      { html: '{{#if}}', data: {} },
    ];
    const { body } = await service().post('/v1/generate/batch', { items });
    const batch = await service().get(`/v1/batches/${body.batch_id}`);
    const [slow, failing] = batch.body.generations.map(({ id }: { id: string }) => `/v1/generations/${id}`);
    const [status, code, message] = await errorOf(`${slow}/pages/1.png`);
    expect([status, code]).toEqual([409, 'CONFLICT']);
    expect(message).toContain('has not ended');
    await until(async () => (await service().get(failing)).body.status === 'failed');
    expect((await errorOf(`${failing}/pages/1.png`)).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
    await service().post(`/v1/batches/${body.batch_id}/cancel`, {});
  });

  test('of a PDF that needs a password', async () => {
    const locked = withQpdf(pagesPdf(1), ['--encrypt', 'secret', 'owner', '256', '--']);
    const path = await upload(Buffer.from(locked).toString('latin1'));
    expect(await errorOf(`${path}/pages/1.png`)).toEqual([
      400,
      'VALIDATION_ERROR',
      'the PDF needs a password: remove it with POST /v1/pdf/unlock first',
    ]);
  });
});
