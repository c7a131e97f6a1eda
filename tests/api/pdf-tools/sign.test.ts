import { describe, expect, test } from 'bun:test';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { darkBounds } from '../../support/pdf/dark-bounds.ts';
import {
  describeWithPdfTools,
  pdfText,
  qpdfCheck,
  rasterise,
  qpdfJson,
  type QpdfDictionary,
  type QpdfValue,
} from '../../support/pdf/pdf.ts';
import { noProperties } from '../../support/service/results.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64, boxOnPage, signClient } from '../../support/signatures/sign-client.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream, withQpdf } from '../../support/pdf/samples.ts';
import { TestService } from '../../support/service/service.ts';
import { docMdp, signedPdf } from '../../support/pdf/signed-samples.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const { sign, post, refusal } = signClient(service);

describe('POST /v1/pdf/sign', () => {
  test('returns a link or the file, with the flag under both of its names', async () => {
    const flags = { signed: true, signature_annotation_added: true };
    const { status, body } = await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.any(String),
      file_id: expect.any(String),
      file_size: expect.any(Number),
      ...noProperties,
      ...flags,
    });
    expect((await (await fetch(body.url)).bytes()).length).toBe(body.file_size);

    const { body: inline } = await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage, output: 'base64' });
    expect(inline).toEqual({
      data: expect.any(String),
      file_id: expect.any(String),
      file_size: expect.any(Number),
      ...noProperties,
      ...flags,
    });
    expect(Buffer.from(inline.data, 'base64').length).toBe(inline.file_size);
  });

  test('appends to the file and keeps every byte', async () => {
    const pdf = Buffer.from(pagesPdf(2), 'latin1');
    const signed = await sign(pdf);
    expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const again = await sign(signed, { y: 100, name: 'Charles Babbage' });
    expect(again.subarray(0, signed.length).equals(signed)).toBe(true);
  });

  test('writes the text of the stamp into the annotation', async () => {
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
    [{ width: -5 }, 'width: must be a number of points from 4'],
    [{ width: 3.9 }, 'width: must be a number of points from 4'],
    [{ width: 1e9 }, 'width: must be a number of points from 4 to 14400'],
    [{ height: 0 }, 'height: must be a number of points from 4'],
    [{ height: '60' }, 'height: must be a number of points'],
    [{ pdf: base64('<html>') }, 'pdf: is not a PDF but HTML'],
    [{ pdf: base64(pagesPdf(1).slice(0, 60)) }, 'pdf: is damaged'],
    [{ pdf: undefined }, 'pdf: is required'],
    [{ output: 'file' }, 'output: must be'],
    [{ colour: 'red' }, 'colour: unknown field'],
  ])('rejects %j', async (body, says) => {
    expect(await refusal(body)).toStartWith(says);
  });

  test('rejects a number that overflows to infinity', async () => {
    const body = `{"pdf":"${samplePdf}","name":"Ada","x":1e999}`;
    const answer = await service().request('POST', '/v1/pdf/sign', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toStartWith('x: must be a number of points');
  });

  test('the default box of 200 x 60 points at 50, 50 must fit on the page', async () => {
    const whole = await post({ pdf: base64(pagesPdf(1)), name: 'Ada', output: 'base64' });
    expect(whole.status).toBe(200);
    expect(Buffer.from(whole.body.data, 'base64').toString('latin1')).toMatch(/\/Rect \[50 50 250 110\]/);
    expect((await post({ pdf: samplePdf, name: 'Ada' })).body.error.message).toStartWith('width: the box of');
  });
});

/** Creates a page of 400 x 300 units, cropped out of a larger page, with an inherited rotation. */
function rotatedPage(rotation: number, entries = ''): string {
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[-50 -30 600 800]/Rotate ${rotation}>>`,
    `<</Type/Page/Parent 2 0 R/CropBox[100 120 500 420]/Contents 4 0 R/Resources<<>>${entries}>>`,
    stream('0.8 1 0.8 rg 0 0 600 800 re f'),
  ]);
}

describeWithPdfTools('a stamp', () => {
  const names: [string, string][] = [
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
  ];
  test.each(casesOfSuite(names, 12))('contains a name in %s as text', async (_, name) => {
    const signed = await sign(pagesPdf(1), { name, reason: 'reason', y: 130 });
    await qpdfCheck(signed);
    // Poppler adds direction marks around text and spaces within clusters, and starts a new line at a change
    // of font.
    const letters = (text: string) => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]/gu, '');
    expect(letters(await pdfText(signed))).toContain(letters(name));
  });

  test.each(casesOfSuite([90, 0, 180, 270], 8))(
    'is placed correctly on a page rotated by %d, and nothing else changes',
    async (rotation) => {
      const pdf = rotatedPage(rotation);
      const signed = await sign(pdf, { name: 'Ada', x: 30, y: 40, width: 200, height: 60 });
      await qpdfCheck(signed);
      const renderPage = async (file: Uint8Array) => (await rasterise(file, { dpi: 72, cropBox: true }))[0];
      const [before, after] = [await renderPage(Buffer.from(pdf, 'latin1')), await renderPage(signed)];
      if (!before || !after) throw new Error('no page');
      expect([after.width, after.height]).toEqual(rotation % 180 === 0 ? [400, 300] : [300, 400]);
      const changed: [number, number][] = [];
      for (let at = 0; at < after.data.length; at += 4) {
        if (after.data.readUInt32BE(at) === before.data.readUInt32BE(at)) continue;
        changed.push([(at / 4) % after.width, after.height - 1 - Math.floor(at / 4 / after.width)]);
      }
      const [across, up] = [changed.map(([x]) => x), changed.map(([, y]) => y)];
      expect([Math.min(...across), Math.max(...across)]).toEqual([30, 229]);
      expect([Math.min(...up), Math.max(...up)]).toEqual([40, 99]);
      // The name is in the upper left corner.
      const upper = changed.filter(([x, y]) => x > 34 && x < 226 && y > 72 && y < 96).map(([x]) => x);
      expect(upper.length).toBeGreaterThan(50);
      expect(Math.max(...upper)).toBeLessThan(100);
    },
  );
});

test('UserUnit scales the box of a stamp', async () => {
  const box = { x: 30, y: 45, width: 150, height: 60 };
  const signed = await sign(rotatedPage(90, '/UserUnit 1.5'), box);
  expect(signed.toString('latin1')).toContain('/Rect [430 140 470 240]');
});

describeWithPdfTools('long text in a stamp', () => {
  test('shrinks and wraps, and is truncated with an ellipsis if necessary', async () => {
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

describeWithPdfTools('a stamp smaller than 72 x 30 points', () => {
  const label = (width: number, height: number) =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 ${width} ${height}]>>`,
      '<</Type/Page/Parent 2 0 R/Resources<<>>>>',
    ]);

  const sizes: [number, number][] = [
    [60, 20],
    [20, 60],
    [5, 200],
    [4, 4],
  ];
  test.each(casesOfSuite(sizes, 8))(
    'is drawn smaller, on a page of %d x %d points',
    async (width, height) => {
      const signed = await sign(label(width, height), { x: 0, y: 0, width, height });
      await qpdfCheck(signed);
      const pixelsPerPoint = 16;
      const [page] = await rasterise(signed, { dpi: 72 * pixelsPerPoint });
      if (!page) throw new Error('no page');
      const painted = darkBounds(page);
      expect(painted.width).toBeGreaterThan(width * pixelsPerPoint * 0.9);
      expect(painted.height).toBeGreaterThan(height * pixelsPerPoint * 0.9);
      expect(await pdfText(signed)).toContain('Ada');
    },
  );
});

test('hostile files get 200 or 400, and the next call works', async () => {
  for (const [kind, make] of casesOfSuite(Object.entries(hostilePdfs), 16)) {
    const { status } = await post({ pdf: base64(make()), name: 'Ada', width: 72, height: 30, x: 0, y: 0 });
    expect([kind, [200, 400].includes(status)]).toEqual([kind, true]);
  }
  expect((await post({ pdf: samplePdf, name: 'Ada', ...boxOnPage })).status).toBe(200);
}, 120_000);

describeWithPdfTools('a stamp in an existing file', () => {
  const link = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>';
  const twoPages = (annotations: [string, string], more: string[]) =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
      `<</Type/Page/Parent 2 0 R/Resources<<>>${annotations[0]}>>`,
      `<</Type/Page/Parent 2 0 R/Resources<<>>${annotations[1]}>>`,
      ...more,
    ]);
  const stampsByPage = async (pdf: Uint8Array) => {
    const { pages, qpdf } = await qpdfJson(pdf);
    const follow = (value: QpdfValue | undefined) =>
      typeof value === 'string' ? qpdf[1][`obj:${value}`]?.value : value;
    return pages.map(({ object }) => {
      const page = follow(object) as QpdfDictionary;
      const items = (follow(page['/Annots']) ?? []) as QpdfValue[];
      return items.map((item) => (follow(item) as QpdfDictionary)['/Subtype']);
    });
  };

  test.each([
    ['direct', twoPages([`/Annots[${link}]`, ''], [])],
    ['an object', twoPages(['/Annots 5 0 R', ''], ['[6 0 R]', link])],
    ['an object of two pages', twoPages(['/Annots 5 0 R', '/Annots 5 0 R'], ['[6 0 R]', link])],
    ['null', twoPages(['/Annots null', ''], [])],
  ])('keeps the annotations of a page whose list is %s', async (how, pdf) => {
    const signed = await sign(pdf);
    await qpdfCheck(signed);
    const [first, second] = await stampsByPage(signed);
    expect(first).toEqual(how === 'null' ? ['/Stamp'] : ['/Link', '/Stamp']);
    expect(second).toEqual(how === 'an object of two pages' ? ['/Link'] : []);
  });

  test('continues a file with object streams with a cross-reference stream', async () => {
    const pdf = withQpdf(pagesPdf(2), ['--object-streams=generate']);
    const signed = await sign(pdf, { page: 1 });
    await qpdfCheck(signed);
    expect(signed.subarray(pdf.length).toString('latin1')).not.toContain('trailer');
    expect(await stampsByPage(signed)).toEqual([[], ['/Stamp']]);
  });

  test('keeps the generation numbers of objects', async () => {
    const pdf = twoPages([`/Annots 5 3 R`, ''], ['[6 0 R]', link])
      .replace('5 0 obj', '5 3 obj')
      .replace(/(0000000\d+) 00000 n \n(?=\S+ \S+ n \ntrailer)/, '$1 00003 n \n');
    const signed = await sign(pdf);
    await qpdfCheck(signed);
    expect(signed.toString('latin1')).toContain('\n5 3 obj');
  });

  test('rewrites a file to stamp one occurrence of a page that is shown twice', async () => {
    const pdf = twoPages(['', ''], []).replace('3 0 R 4 0 R', '3 0 R 3 0 R');
    const signed = await sign(pdf, { page: 1 });
    await qpdfCheck(signed);
    expect(await stampsByPage(signed)).toEqual([[], ['/Stamp']]);
  });

  test('rewrites a damaged file', async () => {
    const signed = await sign(pagesPdf(2).replace(/startxref\n\d+/, 'startxref\n99999'));
    await qpdfCheck(signed);
    expect(await stampsByPage(signed)).toEqual([['/Stamp'], []]);
  });

  const ciphers: [string, string[]][] = [
    ['RC4', ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=n', '--']],
    ['AES 128', ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=y', '--']],
    ['AES 256', ['--encrypt', '', 'owner', '256', '--print=none', '--']],
  ];
  test.each(casesOfSuite(ciphers, 6))(
    'keeps the encryption of a file with an owner password: %s',
    async (_, options) => {
      const signed = await sign(withQpdf(pagesPdf(1), options), { name: 'Ada 王' });
      await qpdfCheck(signed);
      expect(await pdfText(signed)).toMatch(/Ada\s+王/);
      const { qpdf } = await qpdfJson(signed);
      const objects = Object.values(qpdf[1]).map(({ value }) => value as QpdfDictionary | undefined);
      const stamp = objects.find((object) => object?.['/Subtype'] === '/Stamp');
      expect(stamp?.['/T']).toBe('u:Ada 王');
      const { body } = await service().post('/v1/pdf/info', { pdf: base64(signed) });
      expect(body.encrypted).toBe(true);
    },
  );

  test('respects permissions that forbid annotations', async () => {
    const pdf = withQpdf(pagesPdf(1), ['--encrypt', '', 'owner', '256', '--annotate=n', '--']);
    expect(await refusal({ pdf: base64(pdf) })).toBe(
      'pdf: is encrypted, and its permissions do not allow annotations',
    );
  });
});

describe('a stamp in a signed file', () => {
  test.each([
    ['certified, no changes', signedPdf('', docMdp('/P 1'), '/Perms<</DocMDP 5 0 R>>'), 'no changes'],
    ['certified, forms', signedPdf('', docMdp('/P 2'), '/Perms<</DocMDP 5 0 R>>'), 'only filling in forms'],
    ['certified, no level', signedPdf('', docMdp(''), '/Perms<</DocMDP 5 0 R>>'), 'only filling in forms'],
    ['a lock of the document', signedPdf('/Lock<</Action/All/P 1>>', ''), 'no changes'],
  ])('is rejected if a signature forbids annotations: %s', async (_, pdf, says) => {
    const message = await refusal({ pdf: base64(pdf) });
    expect(message).toStartWith(`pdf: has a signature that allows ${says}`);
  });

  test('is appended if the signatures allow annotations or do not mention them', async () => {
    for (const reference of [docMdp('/P 3'), '', '/Reference[<</TransformMethod/FieldMDP>>]']) {
      const pdf = Buffer.from(signedPdf('/Lock<</Action/All>>', reference), 'latin1');
      expect((await sign(pdf)).subarray(0, pdf.length).equals(pdf)).toBe(true);
    }
  });

  test('is rejected if the file is damaged', async () => {
    const pdf = signedPdf('', '').replace(/startxref\n\d+/, 'startxref\n99999');
    expect(await refusal({ pdf: base64(pdf) })).toStartWith('pdf: is signed and damaged');
  });
});

test('without the plugins render and office, what needs them is refused, and the rest works', async () => {
  await using bare = await TestService.start({
    env: {
      PLATEN_PLUGINS: '-render,-batch,-ai,-integrations,-office,-gotenberg,-browserless,-template-tests',
    },
  });
  const signed = await bare.post('/v1/pdf/sign', { pdf: samplePdf, name: 'Ada' });
  expect([signed.status, signed.body.error.code]).toEqual([501, 'NOT_IMPLEMENTED']);
  const steps = [{ do: 'info' }];
  const converted = await bare.post('/v1/pdf/pipeline', { file: samplePdf, steps });
  expect([converted.status, converted.body.error.code]).toEqual([501, 'NOT_IMPLEMENTED']);
  expect((await bare.post('/v1/pdf/pipeline', { pdf: samplePdf, steps })).status).toBe(200);
  expect((await bare.post('/v1/pdf/info', { pdf: samplePdf })).status).toBe(200);
});
