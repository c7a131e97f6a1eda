import { describe, expect, test } from 'bun:test';
import { GotenbergClient, type GotenbergPart } from '../../support/gotenberg.ts';
import { darkBoundsOfPage } from '../../support/pdf/dark-bounds.ts';
import { runOn } from '../../support/pdf/pdf-operations.ts';
import { fieldPdf, pagesPdf, plainPdf } from '../../support/pdf/samples.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const { post, made, madeOne, rejection } = new GotenbergClient(service, 'forms/pdfengines/');

const pages3: GotenbergPart = ['files', pagesPdf(3), 'pages_3.pdf'];
const page1: GotenbergPart = ['files', pagesPdf(1), 'page_1.pdf'];
const blank = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
];
const xml: GotenbergPart = ['facturxXml', '<rsm:Invoice/>', 'mine.xml'];

/** Returns the texts of the pages. */
const textOf = (pdf: Buffer) =>
  runOn(pdf, ['pdftotext', '{}', '-'])
    .split('\f')
    .map((page) => page.trim().replaceAll(/\s+/g, ' '))
    .filter((page) => page !== '');

const infoOf = (pdf: Buffer) => runOn(pdf, ['pdfinfo', '{}']);

describe('encrypt', () => {
  const encryption = (pdf: Buffer, password: string) =>
    runOn(pdf, ['qpdf', '--show-encryption', `--password=${password}`, '{}']);

  test('encrypts even though protecting is off on this service', async () => {
    const { status, files } = await post('encrypt', [page1, pages3, ['userPassword', 'foo']]);
    expect([status, files.map(({ name }) => name)]).toEqual([200, ['page_1.pdf', 'pages_3.pdf']]);
    for (const { content } of files) {
      expect(encryption(content, 'foo')).toContain('R = 6');
      expect(encryption(content, 'x')).toContain('Incorrect password supplied');
    }
    const protect = await service().post('/v1/pdf/protect', {
      pdf: Buffer.from(pagesPdf(1), 'latin1').toString('base64'),
      owner_password: 'x',
    });
    expect(protect.status).toBe(501);
  });

  test('restricts permissions', async () => {
    const { files } = await post('encrypt', [
      page1,
      ['userPassword', 'foo'],
      ['ownerPassword', 'bar'],
      ['allowPrinting', 'false'],
      ['allowAnnotating', 'false'],
    ]);
    const shown = encryption(files[0]!.content, 'foo');
    expect(shown).toContain('print low resolution: not allowed');
    expect(shown).toContain('modify annotations: not allowed');
    expect(shown).toContain('extract for any purpose: allowed');
    expect(shown).toContain('modify forms: allowed');
    expect(encryption(files[0]!.content, 'bar')).toContain('Supplied password is owner password');
  });

  test('needs a password, and excludes PDF/A', async () => {
    expect(await rejection('encrypt', [page1])).toBe(
      "400 Invalid form data: a 'userPassword' or 'ownerPassword' is required",
    );
    expect(await rejection('merge', [page1, ['allowCopying', 'false']])).toBe(
      "400 Invalid form data: permission restrictions require a 'userPassword' or 'ownerPassword'",
    );
    expect(await rejection('merge', [page1, ['pdfa', 'PDF/A-1b'], ['userPassword', 'x']])).toBe(
      '400 Invalid form data: PDF/A format is incompatible with encryption',
    );
  });
});

describe('embed and factur-x', () => {
  test('embed files with their media types and relationships', async () => {
    const pdf = await madeOne('embed', [
      page1,
      ['embeds', '<a/>', 'embed_1.xml'],
      ['embeds', '<b/>', 'embed_2.xml'],
      ['embedsMetadata', '{"embed_1.xml":{"mimeType":"text/xml","relationship":"Alternative"}}'],
    ]);
    const listed = await service().post('/v1/pdf/attachments', { pdf: pdf.toString('base64') });
    expect(listed.body.attachments).toMatchObject([
      { name: 'embed_1.xml', mime_type: 'text/xml', relationship: 'alternative', size: 4 },
      { name: 'embed_2.xml', relationship: 'unspecified' },
    ]);
    expect(
      await rejection('embed', [page1, ['embeds', 'x', 'a.txt'], ['embedsMetadata', '{"a.txt":1}']]),
    ).toStartWith("400 Invalid form data: form field 'embedsMetadata' is invalid");
    expect(await rejection('merge', [page1, ['embeds', 'x', 'a.txt'], ['pdfa', 'PDF/A-2b']])).toBe(
      "400 Invalid form data: PDF format 'PDF/A-2b' does not support embedded files; only PDF/A-3 variants allow attachments",
    );
  });

  test('makes a PDF/A-3b with the invoice and its metadata', async () => {
    const pdf = await madeOne('factur-x', [page1, xml, ['facturxConformanceLevel', 'EN 16931']]);
    expect(runOn(pdf, ['pdfdetach', '-list', '{}'])).toContain('factur-x.xml');
    const metadata = runOn(pdf, ['pdfinfo', '-meta', '{}']);
    expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');
    if (requireVeraPdf())
      expect([...(await validateWithVeraPdf(new Map([['fx', pdf]]), '3b')).values()]).toEqual([[]]);
  });

  test('needs the invoice and its level, and PDF/A-3', async () => {
    expect(await rejection('factur-x', [page1, xml])).toBe(
      "400 Invalid form data: 'facturxConformanceLevel' and 'facturxXml' are both required",
    );
    expect(await rejection('embed', [page1, xml])).toBe(
      "400 Invalid form data: 'facturxConformanceLevel' is required when 'facturxXml' is provided",
    );
    expect(await rejection('embed', [page1, ['facturxConformanceLevel', 'BASIC']])).toBe(
      "400 Invalid form data: 'facturxXml' file is required when 'facturxConformanceLevel' is set",
    );
    expect(await rejection('factur-x', [page1, xml, ['facturxConformanceLevel', 'X']])).toContain(
      "(got 'X', resulting to unsupported conformance level 'X')",
    );
    expect(
      await rejection('factur-x', [page1, xml, ['facturxConformanceLevel', 'BASIC'], ['pdfa', 'PDF/A-1b']]),
    ).toBe(
      "400 Invalid form data: Factur-X requires a PDF/A-3 variant (PDF/A-3a, PDF/A-3b, or PDF/A-3u), got 'PDF/A-1b'",
    );
  });
});

describe('convert, flatten, optimize and rotate', () => {
  test('converts to PDF/A', async () => {
    for (const [part, conformance] of ['1B', '2U', '3B']) {
      const pdfa = `PDF/A-${part}${conformance?.toLowerCase()}`;
      const files = await made('convert', [page1, pages3, ['pdfa', pdfa]]);
      expect(files.map(({ name }) => name)).toEqual(['page_1.pdf', 'pages_3.pdf']);
      for (const { content } of files)
        expect(runOn(content, ['pdfinfo', '-meta', '{}'])).toContain(
          `<pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${conformance}</pdfaid:conformance>`,
        );
    }
  });

  test('converts a tagged PDF to PDF/UA, and refuses one without tags', async () => {
    const html = '<html lang="en"><title>Report</title><h1>Report</h1>';
    const pdf = await service().pdf({ html, options: { accessible: 'report' }, output: 'base64' });
    const converted = await madeOne('convert', [
      ['files', pdf, 'tagged.pdf'],
      ['pdfua', 'true'],
      ['pdfa', 'PDF/A-2b'],
    ]);
    expect(runOn(converted, ['pdfinfo', '-meta', '{}'])).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(await rejection('convert', [page1, ['pdfua', 'true']])).toBe(
      '501 Platen cannot convert to PDF/UA: the PDF has no tags, and Platen does not add them to an existing PDF.',
    );
  });

  test('names the formats', async () => {
    expect(await rejection('convert', [page1])).toBe(
      "400 Invalid form data: either 'pdfa' or 'pdfua' form fields must be provided",
    );
    expect(await rejection('convert', [page1, ['pdfa', 'PDF/A-1a']])).toBe(
      '501 Platen does not convert to PDF/A-1a. It converts to PDF/A-1b, PDF/A-2b, PDF/A-2u, PDF/A-3b, PDF/A-3u.',
    );
    expect(await rejection('convert', [page1, ['pdfua', 'foo']])).toBe(
      `400 Invalid form data: form field 'pdfua' is invalid (got 'foo', resulting to strconv.ParseBool: parsing "foo": invalid syntax)`,
    );
  });

  test('flattens form fields', async () => {
    const pdf = await madeOne('flatten', [['files', fieldPdf, 'form.pdf']]);
    expect(infoOf(pdf)).toMatch(/Form: +none/);
  });

  test('compresses images without losing text', async () => {
    expect(textOf(await madeOne('optimize', [pages3, ['imageQuality', '40']]))).toEqual([
      'Page 1',
      'Page 2',
      'Page 3',
    ]);
    expect(await rejection('optimize', [pages3, ['imageQuality', '200']])).toBe(
      "400 Invalid form data: form field 'imageQuality' is invalid (got '200', resulting to value is superior to 100)",
    );
  });

  test('rotates some pages and keeps the others', async () => {
    const pdf = await madeOne('rotate', [pages3, ['rotateAngle', '270'], ['rotatePages', '1,3']]);
    const rotations = runOn(pdf, ['pdfinfo', '-f', '1', '-l', '3', '{}']).match(/rot: +\d+/g);
    expect(rotations?.map((found) => found.replace(/\D+/, ''))).toEqual(['270', '0', '270']);
    expect(await rejection('rotate', [pages3, ['rotateAngle', '45']])).toBe(
      "400 Invalid form data: form field 'rotateAngle' is invalid (got '45', resulting to wrong value, expected 90, 180, or 270)",
    );
    expect(await rejection('rotate', [pages3])).toBe(
      "400 Invalid form data: form field 'rotateAngle' is required",
    );
    expect(await rejection('rotate', [pages3, ['rotateAngle', '90'], ['rotatePages', 'x']])).toBe(
      "400 Invalid form data: form field 'rotatePages' is invalid (must be pages such as 1-3,5,even,!2,7-)",
    );
  });
});

describe('watermark and stamp', () => {
  test('a text takes half of the width of the page along its diagonal, unless options say otherwise', async () => {
    const boundsOf = async (options: object) => {
      const parts: GotenbergPart[] = [
        ['files', plainPdf(blank), 'blank.pdf'],
        ['watermarkSource', 'text'],
        ['watermarkExpression', 'DRAFT'],
        ['watermarkOptions', JSON.stringify({ fillcolor: '0 0 0', ...options })],
      ];
      return darkBoundsOfPage(await madeOne('watermark', parts));
    };
    const turned = await boundsOf({});
    // The page has 300 x 200 points, so the diagonal has 34 degrees and the text 150 points.
    expect(turned.width).toBeGreaterThan(100);
    expect(turned.width).toBeLessThan(160);
    expect(turned.height).toBeGreaterThan(70);
    expect(Math.abs(turned.left + turned.width / 2 - 150)).toBeLessThan(10);
    const level = await boundsOf({ rot: '0', pos: 'bl', off: '10 20', sc: '0.2' });
    expect(level.left).toBeGreaterThanOrEqual(10);
    expect(level.left).toBeLessThan(16);
    expect(level.bottom).toBeGreaterThanOrEqual(20);
    expect(level.width).toBeGreaterThan(50);
    expect(level.width).toBeLessThan(62);
  });

  test('several stamps are drawn in order, with their own options, pages and files', async () => {
    const pdf = await madeOne('stamp', [
      pages3,
      ['stampSource', 'text'],
      ['stampSource', 'pdf'],
      ['stampExpression', 'First'],
      ['stampExpression', ''],
      ['stampPages', '1'],
      ['stampPages', '2-3'],
      ['stampOptions', '{"scale":"1 abs","rot":"0","fillc":"#FF0000","pos":"br"}'],
      ['stampOptions', '{"rot":"0","sc":"1"}'],
      ['stamp', pagesPdf(1).replace('Page 1', 'Second'), 's.pdf'],
    ]);
    const [one = '', two = '', three = ''] = textOf(pdf);
    expect([one.includes('First'), one.includes('Second')]).toEqual([true, false]);
    expect([two.includes('Second'), three.includes('Second')]).toEqual([true, true]);
  });

  test('%p and %P are the numbers of the pages', async () => {
    const pdf = await madeOne('stamp', [
      pages3,
      ['stampSource', 'text'],
      ['stampExpression', '%p of %P'],
      ['stampOptions', '{"scale":"1 abs","rot":"0","pos":"bc"}'],
    ]);
    expect(textOf(pdf).map((text) => text.includes(' of 3'))).toEqual([true, true, true]);
    expect(textOf(pdf)[1]).toContain('2 of 3');
  });

  test('pages that the document does not have are left out', async () => {
    const parts: GotenbergPart[] = [
      page1,
      ['stampSource', 'text'],
      ['stampExpression', 'X'],
      ['stampPages', '2-9'],
    ];
    expect(textOf(await madeOne('stamp', parts))).toEqual(['Page 1']);
  });

  test.each(['watermark', 'stamp'])('%s needs a source, its file and known options', async (kind) => {
    const one = (source: string, options = '') =>
      rejection(kind, [
        page1,
        [`${kind}Source`, source],
        [`${kind}Expression`, 'X'],
        [`${kind}Options`, options],
      ]);
    expect(await rejection(kind, [page1])).toBe(
      `400 Invalid form data: form field '${kind}Source' is required`,
    );
    expect(await one('foo')).toBe(
      `400 Invalid form data: form field '${kind}Source' is invalid (got 'foo', resulting to wrong value, expected either 'text', 'image' or 'pdf')`,
    );
    for (const source of ['image', 'pdf'])
      expect(await one(source)).toBe(
        `400 Invalid form data: a ${kind} file is required for image or pdf source`,
      );
    const invalid = `400 Invalid form data: form field '${kind}Options' is invalid`;
    expect(await one('text', '[]')).toBe(`${invalid} (must be a JSON object such as {"opacity":"0.5"})`);
    expect(await one('text', '{"foo":1}')).toBe(
      `${invalid} (the option 'foo' must be a string, such as "1")`,
    );
    expect(await one('text', '{"foo"')).toStartWith(`${invalid} (unmarshal ${kind}Options: `);
    expect(await one('text', '{"foo":"1"}')).toBe(
      `400 Invalid form data: form field '${kind}Options' is invalid (has the unknown option 'foo')`,
    );
    expect(await one('text', '{"op":"2"}')).toBe(
      `400 Invalid form data: form field '${kind}Options' is invalid (has an invalid opacity: it must be a number from 0 to 1)`,
    );
    expect(await one('text', '{"border":"5"}')).toBe(
      `501 Platen does not draw the option 'border' of '${kind}Options'.`,
    );
    expect(
      await rejection(kind, [page1, [`${kind}Source`, 'image'], [kind, 'no image', 'a.png']]),
    ).toStartWith(`400 Invalid form data: form field '${kind}' is invalid (`);
  });
});
