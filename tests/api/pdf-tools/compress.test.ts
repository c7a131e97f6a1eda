import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import {
  describeWithPdfTools,
  pdfText,
  perceivedDifference,
  qpdfCheck,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream, withQpdf } from '../../support/pdf/samples.ts';
import { signedPdf } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'compress');

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Creates the pixels of a smooth picture, as in a photograph. */
function photo(width: number, height: number, channels: 1 | 3): Buffer {
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [Math.floor(at / channels) % width, Math.floor(at / channels / width)];
    const noise = ((at * 2_654_435_761) >>> 27) - 16;
    pixels[at] = 128 + 60 * Math.sin(x / 90 + (at % channels)) + 50 * Math.cos(y / 70) + noise / 4;
  }
  return pixels;
}

/** Creates an image XObject with Flate data. */
function imageOf(
  pixels: Buffer,
  { width, height, space }: { width: number; height: number; space: string },
  more = '',
) {
  return stream(
    latin1(deflateSync(pixels)),
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/${space}/Filter/FlateDecode${more}`,
  );
}

/** Creates a page of 200 x 200 points that draws the image `I` in half of its width, and a line of text. */
function imagePdf(image: string, more: string[] = [], content = 'q 100 0 0 100 0 0 cm /I Do Q'): string {
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>/Font<</F 6 0 R>>>>>>',
    stream(`${content} BT /F 12 Tf 20 150 Td (Caption) Tj ET`),
    image,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  ]);
}

/** Lists the images of a file with poppler: type, width, height, colour space, encoding. */
function imagesOf(pdf: Uint8Array): string[] {
  const [, , ...lines] = runOn(pdf, ['pdfimages', '-list', '{}']).trim().split('\n');
  return lines.map((line) => {
    const [, , type, width, height, space, , , encoding] = line.trim().split(/ +/);
    return `${type} ${width}x${height} ${space} ${encoding}`;
  });
}

const large = { width: 1_000, height: 1_000 };
const photoPdf = imagePdf(imageOf(photo(1_000, 1_000, 3), { ...large, space: 'DeviceRGB' }));

describe('POST /v1/pdf/compress', () => {
  test('reports how many bytes it saves', async () => {
    const { status, body } = await client.post(photoPdf, { file_name: 'small' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ original_size: photoPdf.length, file_name: 'small.pdf' });
    expect(body.saved_bytes).toBe(photoPdf.length - body.file_size);
    expect(body.file_size).toBeLessThan(photoPdf.length / 10);
  });

  test('returns a PDF that cannot be made smaller unchanged', async () => {
    const once = await client.write(photoPdf, {});
    const { body } = await client.post(once, { output: 'base64' });
    expect([body.saved_bytes, body.original_size]).toEqual([0, once.length]);
    expect(Buffer.from(body.data, 'base64').equals(once)).toBeTrue();
  });

  test.each([
    [{ image_dpi: 5 }, 'image_dpi: '],
    [{ image_quality: 0 }, 'image_quality: '],
    [{ image_quality: 101 }, 'image_quality: '],
    [{ pages: '1' }, 'pages: unknown field'],
  ])('rejects %j', async (fields, message) => {
    expect(await client.rejection(pagesPdf(1), fields)).toStartWith(message);
  });

  test('rejects a signed file unless its signatures may be lost', async () => {
    const signed = signedPdf('/Subtype/Widget/Rect[0 0 9 9]', `/Padding(${'x'.repeat(9_000)})`);
    expect(await client.rejection(signed, {})).toBe(
      'pdf: is signed, and compressing it would invalidate its signatures; send allow_signature_loss: true to compress it anyway',
    );
    const pdf = await client.write(signed, { allow_signature_loss: true });
    expect(pdf.length).toBeLessThan(5_000);
    const { body } = await service().post('/v1/pdf/info', { pdf: pdf.toString('base64') });
    expect([body.has_form, body.has_signatures]).toEqual([false, false]);
  });

  test('accepts an encrypted file whose permissions forbid changes, as merge, split and pdfa do', async () => {
    const locked = withQpdf(pagesPdf(1), ['--encrypt', '', 'owner', '256', '--modify=none', '--']);
    const pdf = await client.write(locked, {});
    const { body } = await service().post('/v1/pdf/info', { pdf: pdf.toString('base64') });
    expect([body.pages, body.encrypted]).toEqual([1, false]);
    expect(await client.rejection(hostilePdfs.userPassword(), {})).toStartWith('pdf: is encrypted');
  });
});

describeWithPdfTools('the compressed file', () => {
  /** Compresses a file, and checks that qpdf accepts it and that it looks the same. */
  async function compress(pdf: string | Uint8Array, fields: object = {}): Promise<Buffer> {
    const compressed = await client.write(pdf, fields);
    await qpdfCheck(compressed);
    const before = Buffer.from(pdf as string, 'latin1');
    const { changed } = perceivedDifference(await rasterise(compressed), await rasterise(before));
    expect(changed).toBe(0);
    return compressed;
  }

  test('stores photographs as JPEG with the requested resolution and quality', async () => {
    const pdf = await compress(photoPdf);
    // 100 points at 150 dpi.
    expect(imagesOf(pdf)).toEqual(['image 208x208 rgb jpeg']);
    expect(await pdfText(pdf)).toContain('Caption');
    expect(imagesOf(await compress(photoPdf, { image_dpi: 300 }))).toEqual(['image 416x416 rgb jpeg']);
    const [good, bad] = [
      await client.write(photoPdf, { image_quality: 95 }),
      await client.write(photoPdf, { image_quality: 20 }),
    ];
    expect(good.length).toBeGreaterThan(1.5 * bad.length);
  });

  test('does not store drawings with sharp edges as JPEG', async () => {
    const pixels = Buffer.alloc(600 * 600 * 3, 255);
    const isDark = (x: number, y: number) => ((x * 7_919 + y * 104_729) * 2_654_435_761) % 7 < 3;
    for (let at = 0; at < pixels.length; at += 1) {
      const pixel = Math.floor(at / 3);
      if (isDark(Math.floor((pixel % 600) / 12), Math.floor(pixel / 7_200))) pixels[at] = 0;
    }
    const drawing = imageOf(pixels, { width: 600, height: 600, space: 'DeviceRGB' }, '/Interpolate true');
    const content = 'q 144 0 0 144 0 0 cm /I Do Q';
    const pdf = await client.write(imagePdf(drawing, [], content), { image_dpi: 100 });
    expect(imagesOf(pdf)).toEqual(['image 200x200 rgb image']);
  });

  test('reduces a soft mask with its image', async () => {
    const base = imageOf(photo(1_000, 1_000, 3), { ...large, space: 'DeviceRGB' }, '/SMask 7 0 R');
    const mask = imageOf(photo(1_000, 1_000, 1), { ...large, space: 'DeviceGray' });
    expect(imagesOf(await compress(imagePdf(base, [mask])))).toEqual([
      'image 208x208 rgb jpeg',
      'smask 208x208 gray jpeg',
    ]);
  });

  test('keeps the resolution of an image that is displayed large on one of its pages', async () => {
    const gray = imageOf(photo(1_000, 1_000, 1), { ...large, space: 'DeviceGray' });
    const content = 'q 20 0 0 20 0 0 cm /I Do Q q 0 200 -200 0 200 0 cm /I Do Q';
    expect(imagesOf(await compress(imagePdf(gray, [], content)))).toEqual(
      Array.from({ length: 2 }, () => 'image 416x416 gray jpeg'),
    );
  });

  test('keeps images whose samples are codes or bits', async () => {
    const pixels = photo(1_000, 1_000, 1);
    for (const image of [
      imageOf(pixels, { ...large, space: 'DeviceGray' }, '/Mask[0 10]'),
      imageOf(pixels, { width: 8_000, height: 1_000, space: 'DeviceGray' }, '/ImageMask true').replace(
        '/BitsPerComponent 8/ColorSpace/DeviceGray',
        '',
      ),
    ]) {
      const before = imagesOf(Buffer.from(imagePdf(image), 'latin1'));
      expect(before).toHaveLength(1);
      expect(imagesOf(await client.write(imagePdf(image), {}))).toEqual(before);
    }
  });

  test('keeps an image that cannot be decoded', async () => {
    const broken = stream(
      'x'.repeat(5_000),
      '/Type/XObject/Subtype/Image/Width 100/Height 100/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode',
    );
    const pdf = await client.write(imagePdf(broken), {});
    expect(pdf.toString('latin1')).toContain('x'.repeat(5_000));
  });

  test('stores equal images once, and compresses streams', async () => {
    const image = imageOf(photo(300, 300, 1), { width: 300, height: 300, space: 'DeviceGray' });
    const content = `/I Do /J Do ${'0 0 m 9 9 l S\n'.repeat(500)}`;
    const pdf = imagePdf(image, [image], content).replace('/XObject<<', '/XObject<</J 7 0 R');
    const objects = await readQpdf(await compress(pdf));
    expect(objects.typed('/XObject')).toHaveLength(1);
    expect((await client.write(pagesPdf(50), {})).length).toBeLessThan(pagesPdf(50).length / 2);
  });

  test('is not encrypted, even if the original was', async () => {
    const pdf = await client.write(withQpdf(photoPdf, ['--encrypt', '', 'owner', '256', '--']), {});
    expect(runOn(pdf, ['qpdf', '--show-encryption', '{}'])).toContain('not encrypted');
    expect(imagesOf(pdf)).toEqual(['image 208x208 rgb jpeg']);
  });
});
