import { describe, expect, test } from 'bun:test';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { describeWithPdfTools, pdfText, qpdfCheck, rasterise } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { base64, boxOnPage, signClient } from '../support/sign-client.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream } from './pdf-samples.ts';

const service = sharedService();
const { sign, post, refusal } = signClient(service);

describe('POST /v1/pdf/sign', () => {
  test('answers with a link or the file, and says under both names that it is signed', async () => {
    const said = { signed: true, signature_annotation_added: true };
    const { status, body } = await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage });
    expect(status).toBe(200);
    expect(body).toEqual({ url: expect.any(String), file_size: expect.any(Number), ...said });
    expect((await (await fetch(body.url)).bytes()).length).toBe(body.file_size);

    const { body: inline } = await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage, output: 'base64' });
    expect(inline).toEqual({ data: expect.any(String), file_size: expect.any(Number), ...said });
    expect(Buffer.from(inline.data, 'base64').length).toBe(inline.file_size);
  });

  test('appends to the file: every byte of it stays', async () => {
    const pdf = Buffer.from(pagesPdf(2), 'latin1');
    const signed = await sign(pdf);
    expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const again = await sign(signed, { y: 100, name: 'Charles Babbage' });
    expect(again.subarray(0, signed.length).equals(signed)).toBe(true);
  });

  test('the annotation says in text what the stamp shows', async () => {
    const signed = await sign(pagesPdf(1), { reason: 'I approve', location: 'London', contact: 'ada@x.org' });
    const text = signed.toString('latin1');
    expect(text).toMatch(/\/Subtype \/Stamp/);
    expect(text).toMatch(/\/F 132\b/);
    expect(text).toMatch(
      /\/Contents \(Ada Lovelace\nReason: I approve\nLocation: London\nContact: ada@x.org\nDate: \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/,
    );
    expect(text).toMatch(/\/NM \(platen-signature-[-0-9a-f]{36}\)/);
    expect(text).toMatch(/\/M \(D:\d{14}Z\)/);
    expect(text).toMatch(/\/P \d+ 0 R/);
  });

  test.each([
    [{ name: undefined }, 'name: is required'],
    [{ name: '' }, 'name: must be the name of the signer'],
    [{ name: ' \n\t ' }, 'name: must contain a visible character'],
    [{ name: '\u200b\u2066' }, 'name: must contain a visible character'],
    [{ name: 'x'.repeat(10_000) }, 'name: must be the name of the signer'],
    [{ name: 7 }, 'name: must be the name of the signer'],
    [{ name: null }, 'name: must be the name of the signer'],
    [{ reason: 'x'.repeat(10_000) }, 'reason: must be a string'],
    [{ location: 3 }, 'location: must be a string'],
    [{ contact: ['a'] }, 'contact: must be a string'],
    [{ page: -1 }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ page: 3 }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ page: 999 }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ page: 1.5 }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ page: '1' }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ page: null }, 'page: must be an integer from 0 to 2: the PDF has 3 pages'],
    [{ x: -1 }, 'x: must be a number of points from 0'],
    [{ x: 'NaN' }, 'x: must be a number of points'],
    [
      { x: 300 },
      'x: the box of 160 x 60 points at 300, 20 is not inside the page, which is 300 x 200 points',
    ],
    [{ x: 141 }, 'width: the box of 160 x 60 points at 141, 20 is not inside the page'],
    [{ y: 201 }, 'y: the box of'],
    [{ y: 150 }, 'height: the box of'],
    [{ width: -5 }, 'width: must be a number of points from 72'],
    [{ width: 71.9 }, 'width: must be a number of points from 72'],
    [{ width: 1e9 }, 'width: must be a number of points from 72 to 14400'],
    [{ height: 0 }, 'height: must be a number of points from 30'],
    [{ height: '60' }, 'height: must be a number of points'],
    [{ pdf: base64('<html>') }, 'pdf: is not a PDF but HTML'],
    [{ pdf: base64(pagesPdf(1).slice(0, 60)) }, 'pdf: is damaged'],
    [{ pdf: undefined }, 'pdf: is required'],
    [{ output: 'file' }, 'output: must be'],
    [{ colour: 'red' }, 'colour: unknown field'],
  ])('refuses %#: %j', async (body, says) => {
    expect(await refusal(body)).toStartWith(says);
  });

  test('an infinite number in the JSON is refused', async () => {
    const body = `{"pdf":"${samplePdf}","name":"Ada","x":1e999}`;
    const answer = await service().request('POST', '/v1/pdf/sign', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toStartWith('x: must be a number of points');
  });

  test('the standard box of 200 x 60 points at 50, 50 needs a page that holds it', async () => {
    const whole = await post({ pdf: base64(pagesPdf(1)), name: 'Ada', output: 'base64' });
    expect(whole.status).toBe(200);
    expect(Buffer.from(whole.body.data, 'base64').toString('latin1')).toMatch(/\/Rect \[50 50 250 110\]/);
    expect((await post({ pdf: samplePdf, name: 'Ada' })).body.error.message).toStartWith('width: the box of');
  });
});

/** Page of 400 x 300 units, cropped out of a larger one and turned by what its parent says. */
function turnedPage(rotation: number, entries = ''): string {
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[-50 -30 600 800]/Rotate ${rotation}>>`,
    `<</Type/Page/Parent 2 0 R/CropBox[100 120 500 420]/Contents 4 0 R/Resources<<>>${entries}>>`,
    stream('0.8 1 0.8 rg 0 0 600 800 re f'),
  ]);
}

describeWithPdfTools('a stamp', () => {
  test.each([
    ['Latin', 'Ada Lovelace'],
    ['Cyrillic', 'Мария Склодовская'],
    ['Greek', 'Ελένη Παπαδοπούλου'],
    ['Chinese', '王小明'],
    ['Japanese', '山田 太郎'],
    ['Korean', '김철수'],
    ['Thai', 'สมชาย ใจดี'],
    ['Arabic', 'محمد بن سلمان'],
    ['Hebrew', 'דוד בן־גוריון'],
    ['Devanagari', 'कृष्ण शर्मा'],
    ['emoji', 'Zoë 👩‍🚀🎉'],
    ['both directions', 'Dr. אברהם Smith 王 محمد'],
    ['markup', '<b>Ada</b> & "Co" \'x\' </div><script>'],
  ])('has a name in %s as text', async (_, name) => {
    const signed = await sign(pagesPdf(1), { name, reason: 'reason', y: 130 });
    await qpdfCheck(signed);
    // Poppler sets marks of direction around text, and spaces within clusters; it takes a change of font for one of line.
    const letters = (text: string) => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]/gu, '');
    expect(letters(await pdfText(signed))).toContain(letters(name));
  });

  test.each([0, 90, 180, 270])(
    'lies where it should on a page that is turned by %d, and nothing else changes',
    async (rotation) => {
      const pdf = turnedPage(rotation);
      const signed = await sign(pdf, { name: 'Ada', x: 30, y: 40, width: 200, height: 60 });
      await qpdfCheck(signed);
      const draw = async (file: Uint8Array) => (await rasterise(file, { dpi: 72, cropBox: true }))[0];
      const [was, is] = [await draw(Buffer.from(pdf, 'latin1')), await draw(signed)];
      if (!was || !is) throw new Error('no page');
      expect([is.width, is.height]).toEqual(rotation % 180 === 0 ? [400, 300] : [300, 400]);
      const changed: [number, number][] = [];
      for (let at = 0; at < is.data.length; at += 4) {
        if (is.data.readUInt32BE(at) === was.data.readUInt32BE(at)) continue;
        changed.push([(at / 4) % is.width, is.height - 1 - Math.floor(at / 4 / is.width)]);
      }
      const [across, up] = [changed.map(([x]) => x), changed.map(([, y]) => y)];
      expect([Math.min(...across), Math.max(...across)]).toEqual([30, 229]);
      expect([Math.min(...up), Math.max(...up)]).toEqual([40, 99]);
      // The name stands in the upper left.
      const upper = changed.filter(([x, y]) => x > 34 && x < 226 && y > 72 && y < 96).map(([x]) => x);
      expect(upper.length).toBeGreaterThan(50);
      expect(Math.max(...upper)).toBeLessThan(100);
    },
  );
});

test('points are counted in the units of a page', async () => {
  const box = { x: 30, y: 45, width: 150, height: 60 };
  const signed = await sign(turnedPage(90, '/UserUnit 1.5'), box);
  expect(signed.toString('latin1')).toContain('/Rect [430 140 470 240]');
});

describeWithPdfTools('a text that is long', () => {
  test('gets smaller and wraps, and ends in an ellipsis where nothing else helps', async () => {
    const words = Array.from({ length: 150 }, (_, index) => `w${index}`).join(' ');
    const roomy = await pdfText(await sign(pagesPdf(1), { reason: words, width: 270, height: 150 }));
    expect(roomy).toContain('w149');
    expect(roomy).not.toContain('…');
    const tight = await pdfText(await sign(pagesPdf(1), { reason: words, location: 'London' }));
    expect(tight).toContain('Ada Lovelace');
    expect(tight).toMatch(/w\d*…/);
    expect(tight).toContain('London');
    expect(tight).toMatch(/\d\d:\d\d UTC/);
    const least = { name: '王'.repeat(200), reason: words, width: 72, height: 30 };
    const smallest = await pdfText(await sign(pagesPdf(1), least));
    expect(smallest).toContain('王…');
    expect(smallest).toMatch(/\d\d:\d\d UTC/);
  });
});

test('hostile files are answered, and the next call is fine', async () => {
  for (const [kind, make] of Object.entries(hostilePdfs)) {
    const { status } = await post({ pdf: base64(make()), name: 'Ada', width: 72, height: 30, x: 0, y: 0 });
    expect([kind, [200, 400].includes(status)]).toEqual([kind, true]);
  }
  expect((await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage })).status).toBe(200);
}, 120_000);
