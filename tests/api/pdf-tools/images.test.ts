import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { describeWithPdfTools, perceivedDifference, rasterise } from '../../support/pdf/pdf.ts';
import { base64, OperationClient } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { unzip } from '../../support/unzip.ts';
import { fieldPdf, hostilePdfs, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';
import { isThorough } from '../../support/suite.ts';

const service = sharedService();
const client = new OperationClient(service, 'images');

/** Returns the files of the archive. */
const draw = async (pdf: string | Uint8Array, fields: object = {}) => unzip(await client.write(pdf, fields));
const named = (parts: readonly { name: string }[]) => parts.map(({ name }) => name);

describe('POST /v1/pdf/images', () => {
  test('stores an archive with an image for each page, in page order', async () => {
    const { status, body } = await client.post(pagesPdf(10), { file_name: 'Report', reference: 'r1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ file_name: 'Report.zip', reference: 'r1' });
    expect(body.file_id).toStartWith('file_zip_');
    const archive = await service().download(body.url);
    expect(archive.length).toBe(body.file_size);
    const parts = await unzip(archive);
    expect(named(parts)).toEqual(
      Array.from({ length: 10 }, (_, page) => `page-${String(page + 1).padStart(2, '0')}.png`),
    );
    const { width, height } = PNG.sync.read(parts[0]!.content);
    expect([width, height]).toEqual([417, 278]);
    const { body: record } = await service().get(`/v1/files/${body.file_id}`);
    expect(record).toMatchObject({ operation: 'images', pages: 10, file_name: 'Report.zip' });
    const content = await fetch(`${service().url}/v1/files/${body.file_id}/content`, {
      headers: { authorization: `Bearer ${service().key}` },
    });
    expect(content.headers.get('content-type')).toBe('application/zip');
    expect(Buffer.from(await content.arrayBuffer()).equals(archive)).toBeTrue();
  });

  test('draws the selected pages in other formats and resolutions', async () => {
    const jpeg = await draw(pagesPdf(12), { pages: '11-, 2', type: 'jpeg', dpi: 36 });
    expect(named(jpeg)).toEqual(['page-11.jpg', 'page-12.jpg', 'page-02.jpg']);
    for (const { content } of jpeg) {
      expect(content.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      expect(await new Bun.Image(content).metadata()).toMatchObject({ width: 150, height: 100 });
    }
    const [webp] = await draw(pagesPdf(1), { type: 'webp', dpi: 144 });
    expect(webp!.name).toBe('page-1.webp');
    expect(await new Bun.Image(webp!.content).metadata()).toMatchObject({
      format: 'webp',
      width: 600,
      height: 400,
    });
  });

  test('keeps the order of the selection, and numbers the images of a repeated page', async () => {
    const pdf = pagesPdf(10);
    const parts = await draw(pdf, { pages: '10-9, 3, 9-', dpi: 36 });
    expect(named(parts)).toEqual([
      'page-10.png',
      'page-09.png',
      'page-03.png',
      'page-09-2.png',
      'page-10-2.png',
    ]);
    expect(parts[3]!.content.equals(parts[1]!.content)).toBeTrue();
    expect(parts[3]!.content.equals(parts[0]!.content)).toBeFalse();
    const { body } = await client.post(pdf, { pages: '10-9, 3, 9-', dpi: 36 });
    const { body: record } = await service().get(`/v1/files/${body.file_id}`);
    expect(record.pages).toBe(5);
  });

  test('returns the archive when the request accepts a zip', async () => {
    const headers = { accept: 'application/zip' };
    const answer = await service().send('/v1/pdf/images', { pdf: base64(pagesPdf(2)) }, { headers });
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('platen-file-id')).toStartWith('file_zip_');
    expect(named(await unzip(await answer.bytes()))).toEqual(['page-1.png', 'page-2.png']);
  });

  test('draws annotations and form fields on white', async () => {
    const [part] = await draw(fieldPdf, { dpi: 72 });
    const { width, height, data } = PNG.sync.read(part!.content);
    expect([width, height]).toEqual([100, 200]);
    const pixel = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
    // The rotation moves the lower left corner of the page to the upper left.
    expect([pixel(10, 10), pixel(80, 150)]).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });

  test.if(isThorough)('draws annotations without an appearance', async () => {
    const line =
      '<</Type/Annot/Subtype/PolyLine/F 4/C[1 0 0]/BS<</W 10>>/Rect[0 40 100 60]/Vertices[0 50 100 50]>>';
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Annots[${line}]>>`,
    ]);
    const [part] = await draw(pdf, { dpi: 72 });
    const { data } = PNG.sync.read(part!.content);
    const at = (x: number, y: number) => [...data.subarray(4 * (100 * y + x), 4 * (100 * y + x) + 4)];
    expect([at(50, 50), at(50, 20)]).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });

  test.if(isThorough)('draws links that have an appearance, and nothing for other links', async () => {
    const link = '/Type/Annot/Subtype/Link/F 4';
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Annots[<<${link}/Rect[0 0 40 40]>><<${link}/Rect[60 60 100 100]/AP<</N 4 0 R>>>>]>>`,
      stream('1 0 0 rg 0 0 40 40 re f', '/Type/XObject/Subtype/Form/BBox[0 0 40 40]'),
    ]);
    const [part] = await draw(pdf, { dpi: 72 });
    const { data } = PNG.sync.read(part!.content);
    const at = (x: number, y: number) => [...data.subarray(4 * (100 * y + x), 4 * (100 * y + x) + 4)];
    expect([at(80, 20), at(20, 80)]).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });

  test.if(isThorough)('draws text in the font of a graphics state', async () => {
    const page = (select: string) =>
      plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>',
        '<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F 4 0 R/H 6 0 R>>/ExtGState<</S<</Font[4 0 R 30]>>>>>>>>',
        '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
        stream(`BT /H 8 Tf ${select} 10 40 Td (in Courier) Tj ET`),
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ]);
    const [byState] = await draw(page('/S gs'));
    const [byOperator] = await draw(page('/F 30 Tf'));
    expect(byState!.content.equals(byOperator!.content)).toBeTrue();
  });

  test('opens encrypted files that need no password', async () => {
    expect(await draw(hostilePdfs.ownerPassword())).toHaveLength(1);
    expect(await client.rejection(hostilePdfs.userPassword(), {})).toStartWith('pdf: is encrypted');
  });

  test('names the field that makes images too large or too many', async () => {
    const poster = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count 4/Kids[${'3 0 R '.repeat(4)}]>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 7200 7200]>>',
    ]);
    expect(await client.rejection(poster, { dpi: 100 })).toBe(
      'dpi: makes page 1 larger than 24000000 pixels; send 48 or less',
    );
    expect(await draw(poster, { dpi: 20, pages: '4' })).toHaveLength(1);
    const many = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count 100/Kids[${'3 0 R '.repeat(100)}]>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 2880 2880]>>',
    ]);
    expect(await client.rejection(many, {})).toBe(
      'pages: have more than 1500000000 pixels; send fewer pages or a lower dpi',
    );
  });

  test.each([
    [{ pages: '3' }, 'pages: names page 3: the PDF has 2 pages'],
    [{ pages: 'x' }, 'pages: must be pages and ranges such as "1-3, 5, 9-"'],
    [{ dpi: 5 }, 'dpi: '],
    [{ dpi: 72.5 }, 'dpi: '],
    [{ type: 'gif' }, 'type: '],
  ])('rejects %j', async (fields, message) => {
    expect(await client.rejection(pagesPdf(2), fields)).toStartWith(message);
  });

  test('the archive is not accepted as a PDF', async () => {
    const { body } = await client.post(pagesPdf(1), {});
    const id = body.file_id as string;
    const answer = await service().post('/v1/pdf/info', { pdf: id });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      `pdf: ${id} is a zip archive, not a PDF`,
    ]);
    expect((await service().get(`/v1/files/${id}/pages/1.png`)).status).toBe(400);
  });
});

describeWithPdfTools('the images', () => {
  test('look like the images that poppler draws', async () => {
    const pdf = Buffer.from(
      await service().pdf({ html: '<h1 style="color:teal">Title</h1><p>Some text in a paragraph.</p>' }),
    );
    const images = (await draw(pdf)).map(({ content }) => PNG.sync.read(content));
    const { changed, pixels } = perceivedDifference(images, await rasterise(pdf, { dpi: 100 }));
    expect(changed / pixels).toBeLessThan(0.002);
  });
});
