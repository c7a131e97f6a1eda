import { readFileSync } from 'node:fs';
import { expect, test } from 'bun:test';
import { inflateFont, openTypeFont, renameFont, trueTypeFont, woff2Of } from '../../support/fonts/fonts.ts';
import { describeWithPdfTools, pdfFonts, pdfText } from '../../support/pdf/pdf.ts';
import { drawPages } from '../../support/pdf/pixels.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const service = sharedService();

const files = {
  'acme.ttf': renameFont(trueTypeFont, 'Acme Sans'),
  'acme.otf': renameFont(openTypeFont, 'Acme Code'),
  'acme.woff2': woff2Of(renameFont(trueTypeFont, 'Acme Web')),
} satisfies Record<string, Uint8Array>;

async function upload(name: string, content: Uint8Array, key: string, fields: object = {}): Promise<void> {
  const body = { name, data: Buffer.from(content).toString('base64'), ...fields };
  const answer = await service().post('/v1/assets', body, key);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

async function newAccount(): Promise<string> {
  const key = await service().newKey();
  for (const [name, content] of Object.entries(files)) await upload(name, content, key);
  return key;
}

async function print(body: object, key: string) {
  const { body: made, status } = await service().post('/v1/generate', body, key);
  if (status !== 200) throw new Error(JSON.stringify(made));
  const { receipt } = (await service().get(`/v1/generations/${made.id}?receipt=true`, key)).body;
  const pdf = await service().download(made.url);
  const fonts = await pdfFonts(pdf);
  return { pdf, receipt, fonts, names: fonts.map(({ name }) => name) };
}

const paragraph = (family: string) => `<p style="font-family: '${family}'">Hamburgefonts</p>`;

describeWithPdfTools('an uploaded font is available by its name', () => {
  const formats: [string, string, string][] = [
    ['TrueType', 'Acme Sans', 'AcmeSans'],
    // Chromium embeds fonts with PostScript outlines as Type 3 with only the used glyphs, without a name.
    ['OpenType', 'Acme Code', '[none]'],
    ['WOFF2', 'Acme Web', 'AcmeWeb'],
    ['TrueType, ignoring case', 'acme SANS', 'AcmeSans'],
  ];
  test.each(casesOfSuite(formats, 8))('%s', async (_, family, name) => {
    const key = await newAccount();
    for (const [documentClass, html] of [
      ['plain', paragraph(family)],
      ['active', `<script></script>${paragraph(family)}`],
      [
        'plain',
        `<!doctype html><html><head><style>p { font-family: "${family}" }</style></head><p>Hamburgefonts`,
      ],
    ]) {
      for (let time = 1; time <= 2; time += 1) {
        const { fonts, receipt, pdf } = await print({ html, options: { strict: true } }, key);
        expect(receipt.class).toBe(documentClass);
        expect(fonts).toEqual([{ name, isEmbedded: true, isSubset: name !== '[none]' }]);
        expect(await pdfText(pdf)).toContain('Hamburgefonts');
      }
    }
  });

  test.if(isThorough)('in header and footer', async () => {
    const key = await newAccount();
    for (const html of ['<p style="font-family: Liberation Sans">x', '<script></script>'])
      for (let time = 1; time <= 2; time += 1) {
        const options = {
          header: '<p style="font: 12px Acme Sans">Hamburg {{pageNumber}}</p>',
          footer: '<style>.f { font: 12px "Acme Web" }</style><p class="f">fonts {{totalPages}}</p>',
          strict: true,
        };
        const { fonts, pdf } = await print({ html, options }, key);
        for (const name of ['AcmeSans', 'AcmeWeb'])
          expect(fonts).toContainEqual({ name, isEmbedded: true, isSubset: true });
        expect(await pdfText(pdf)).toContain('Hamburg 1');
      }
  });

  test('in the header of the first page', async () => {
    const key = await newAccount();
    const options = {
      header: '<p style="font: 12px Acme Web">Later</p>',
      firstPage: { header: '<p style="font: 12px Acme Sans">First {{pageNumber}}</p>' },
      strict: true,
    };
    const html = '<p style="font-family: Liberation Sans">x<p style="break-before: page">y';
    const { names, pdf } = await print({ html, options }, key);
    expect(names).toEqual(expect.arrayContaining(['AcmeSans', 'AcmeWeb']));
    expect(await pdfText(pdf, { page: 1 })).toContain('First 1');
  });

  test.if(isThorough)('in PDF/A', async () => {
    const key = await newAccount();
    const options = { pdfa: true, header: '<p style="font: 12px Acme Web">Header</p>' };
    const { fonts } = await print({ html: paragraph('Acme Sans'), options }, key);
    expect(fonts.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      ['AcmeSans', 'AcmeWeb'].map((name) => ({ name, isEmbedded: true, isSubset: true })),
    );
  });

  test.if(isThorough)('in a style sheet that is an asset, and in a style that a script adds', async () => {
    const key = await newAccount();
    await upload('brand.css', Buffer.from('p { font-family: "Acme Sans" }'), key);
    const linked = await print({ html: '<link rel="stylesheet" href="asset:brand.css"><p>Hamburg' }, key);
    expect(linked.names).toEqual(['AcmeSans']);
    const scripted = await print(
      { html: "<p>Hamburg<script>document.querySelector('p').style.fontFamily = 'Acme ' + 'Web'</script>" },
      key,
    );
    expect(scripted.names).toEqual(['AcmeWeb']);
  });

  const faces: [string, string][] = [
    [
      'a style element',
      '<style>@font-face { font-family: Mine; src: url("asset:acme.woff2") } p { font-family: Mine }</style><p>Hamburg',
    ],
    ['a style sheet, by a relative URL', '<link rel="stylesheet" href="asset:relative.css"><p>Hamburg'],
    ['a style sheet, by an asset: URL', '<link rel="stylesheet" href="asset:absolute.css"><p>Hamburg'],
  ];
  test.each(casesOfSuite(faces, 6))('a font face of %s can load it', async (_, html) => {
    const key = await newAccount();
    const face = (url: string) =>
      Buffer.from(
        `@font-face { font-family: Mine; src: url(${url}) format("woff2") } p { font-family: Mine }`,
      );
    await upload('relative.css', face('acme.woff2'), key);
    await upload('absolute.css', face('asset:acme.woff2'), key);
    expect((await print({ html, options: { strict: true } }, key)).names).toEqual(['AcmeWeb']);
  });

  // A comment with `url(` makes the service display the document, so that Chromium loads the fonts before it
  // prints.
  const uses: [string, string, string, string[]][] = [
    ['in one font', 'p { font-family: "Acme Sans" }', '<p>Hamburg', ['AcmeSans']],
    ['by styles for print', '@media print { p { font-family: "Acme Web" } }', '<p>Hamburg', ['AcmeWeb']],
    [
      'in a second font for the characters that the first does not have',
      'p { font-family: "Acme Web", "Acme Second" }',
      '<p>Hamburg \u0416',
      ['AcmeSecond', 'AcmeWeb'],
    ],
    [
      'with a table of contents',
      'body { font: 40px "Acme Second" } h1 { break-before: page }',
      `<nav data-toc="h1"></nav>${'<h1>Chapter</h1><p>Hamburg'.repeat(3)}`,
      ['AcmeSecond'],
    ],
  ];
  test.each(casesOfSuite(uses, 8))(
    '%s, in a document that is hidden on the screen',
    async (_, styles, body, expected) => {
      const key = await newAccount();
      const installed = Bun.spawnSync(['fc-match', '-f', '%{file}', 'Liberation Serif']).stdout.toString();
      await upload('second.ttf', renameFont(readFileSync(installed), 'Acme Second'), key);
      const html = (css: string) => `<!doctype html><html><head><style>${css}${styles}</style></head>${body}`;
      const shown = await print({ html: html('/* url( */') }, key);
      expect(shown.names).toEqual(expect.arrayContaining(expected));
      // The second time, the browser page has the font in memory.
      for (let time = 1; time <= 2; time += 1) {
        const hidden = await print({ html: html(''), options: { strict: true } }, key);
        expect([hidden.names, hidden.receipt.class]).toEqual([shown.names, 'plain']);
        expect(await drawPages(hidden.pdf, { dpi: 50 })).toEqual(await drawPages(shown.pdf, { dpi: 50 }));
      }
    },
  );

  test.if(isThorough)('weight and style select among the fonts of a family', async () => {
    const key = await service().newKey();
    await upload('regular.ttf', renameFont(trueTypeFont, 'Acme Regular'), key, { family: 'Acme' });
    await upload('bold.ttf', renameFont(trueTypeFont, 'Acme Bold'), key, { family: 'Acme', weight: 700 });
    await upload('italic.ttf', renameFont(trueTypeFont, 'Acme Italic'), key, {
      family: 'Acme',
      weight: 400,
      style: 'italic',
    });
    const html = '<body style="font-family: Acme">one <b>two</b> <i>three</i>';
    expect((await print({ html }, key)).names.toSorted()).toEqual(['AcmeBold', 'AcmeItalic', 'AcmeRegular']);
  });

  test.if(isThorough)("a document's own face of the family takes precedence", async () => {
    const key = await newAccount();
    const font = Buffer.from(files['acme.woff2']).toString('base64');
    const face = `@font-face { font-family: "Acme Sans"; src: url(data:font/woff2;base64,${font}) }`;
    const html = `<!doctype html><head><style>${face}</style></head>${paragraph('Acme Sans')}`;
    expect((await print({ html }, key)).names).toEqual(['AcmeWeb']);
  });

  test('a family name with special characters', async () => {
    const key = await service().newKey();
    const family = `O'Neil "x" \\ </style><script>document.write('injected')</script>`;
    await upload('a.ttf', files['acme.ttf'], key, { family });
    const html = `<p id="p">Hamburg<script>p.style.fontFamily = JSON.stringify(${JSON.stringify(family).replaceAll('</', '<\\/')})</script>`;
    const { names, pdf } = await print({ html }, key);
    expect([names, (await pdfText(pdf)).trim()]).toEqual([['AcmeSans'], 'Hamburg']);
  });

  test.if(isThorough)('a font of 2 MB', async () => {
    const key = await service().newKey();
    await upload('large.ttf', inflateFont(renameFont(trueTypeFont, 'Acme Large'), 2_000_000), key);
    const options = { strict: true, header: '<p style="font: 12px Acme Large">Header</p>' };
    for (const html of [paragraph('Acme Large'), `<script></script>${paragraph('Acme Large')}`]) {
      const { fonts, pdf } = await print({ html, options }, key);
      expect(new Set(fonts.map(({ name }) => name))).toEqual(new Set(['AcmeLarge']));
      expect(pdf.length).toBeLessThan(60_000);
    }
  });
});

describeWithPdfTools('an uploaded font', () => {
  test('is not in documents that do not use it', async () => {
    const key = await newAccount();
    const { names, receipt } = await print({ html: '<p style="font-family: Liberation Sans">Acme' }, key);
    expect([names, receipt.class]).toEqual([['LiberationSans'], 'plain']);
  });

  test('is not available to other accounts, on any browser page', async () => {
    const [ann, eve] = [await newAccount(), await service().newKey()];
    const header = '<p style="font: 12px Acme Sans">Header</p>';
    for (let round = 1; round <= 2; round += 1)
      for (const html of [paragraph('Acme Sans'), `<script></script>${paragraph('Acme Sans')}`]) {
        const body = { html, options: { header } };
        expect((await print(body, ann)).names).toContain('AcmeSans');
        expect((await print(body, eve)).names.filter((name) => name.startsWith('Acme'))).toEqual([]);
      }
    // Nor when the other account has its own fonts, including one of the same family.
    await upload('mine.woff2', files['acme.woff2'], eve, { family: 'Acme Sans' });
    expect((await print({ html: paragraph('Acme Sans'), options: { header } }, ann)).names).not.toContain(
      'AcmeWeb',
    );
    const { names } = await print({ html: paragraph('Acme Sans'), options: { header } }, eve);
    expect(new Set(names)).toEqual(new Set(['AcmeWeb']));
  });

  test('is no longer available after it is deleted', async () => {
    const key = await newAccount();
    expect((await print({ html: paragraph('Acme Sans') }, key)).names).toEqual(['AcmeSans']);
    await service().request('DELETE', '/v1/assets/acme.ttf', { key });
    expect((await print({ html: paragraph('Acme Sans') }, key)).names).not.toContain('AcmeSans');
  });
});
