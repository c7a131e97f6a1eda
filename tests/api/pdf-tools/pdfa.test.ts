import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { completed, submit } from '../../support/batch/batches.ts';
import {
  describeWithPdfTools,
  pageCount,
  pdfInfo,
  pdfText,
  qpdfCheck,
  rasterise,
  perceivedDifference,
} from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';
import { validateWithVeraPdf, requireVeraPdf } from '../../support/pdf/verapdf.ts';
import { forbidden, onePage } from '../../support/pdf/pdfa-samples.ts';
import { hostilePdfs, pagesPdf, stream } from '../../support/pdf/samples.ts';
import { isThorough } from '../../support/suite.ts';

const service = sharedService();
const convert = (body: Record<string, unknown>) =>
  service().post('/v1/pdf/pdfa', { output: 'base64', ...body });

async function converted(pdf: string | Uint8Array, body: Record<string, unknown> = {}): Promise<Buffer> {
  const answer = await convert({ pdf: base64(pdf), ...body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  expect(answer.body.pdfa).toBe(true);
  const made = Buffer.from(answer.body.data, 'base64');
  expect(answer.body.file_size).toBe(made.length);
  return made;
}

async function rejected(
  body: Record<string, unknown>,
): Promise<{ message: string; details: { path: string; message: string }[] }> {
  const answer = await convert(body);
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return answer.body.error;
}

/** Results for veraPDF, which checks all of them at once because its start takes longer than a file. */
const results = new Map<string, Uint8Array>();

describeWithPdfTools('POST /v1/pdf/pdfa', () => {
  test('returns a file or a link to it', async () => {
    const made = await converted(pagesPdf(3), { title: 'Three pages' });
    await qpdfCheck(made);
    expect(await pageCount(made)).toBe(3);
    const linked = await service().post('/v1/pdf/pdfa', { pdf: base64(pagesPdf(1)) });
    expect([linked.status, linked.body.pdfa]).toEqual([200, true]);
    const file = await fetch(linked.body.url);
    expect((await file.bytes()).length).toBe(linked.body.file_size);
  });

  test('removes what PDF/A-1b forbids and keeps the look', async () => {
    for (const [name, pdf] of Object.entries(forbidden)) {
      const after = await converted(pdf);
      results.set(name, after);
      // Readers draw the fields of this form themselves, each differently.
      if (name === 'forms') expect(await pdfText(after)).toContain('Written here');
      if (name === 'forms') continue;
      const [old, actual] = await Promise.all([rasterise(Buffer.from(pdf, 'latin1')), rasterise(after)]);
      expect([name, perceivedDifference(old, actual).changed]).toEqual([name, 0]);
    }
  }, 120_000);

  test('removes hidden layers and file attachments', async () => {
    const layers = (await converted(forbidden['hiddenLayers'] ?? '')).toString('latin1');
    expect(layers).not.toContain('OCG');
    const attachment = (await converted(forbidden['attachedToThePage'] ?? '')).toString('latin1');
    expect(attachment).not.toContain('FileAttachment');
    expect(attachment).not.toContain('EmbeddedFile');
  });

  test('writes title, author and subject in any writing system to Info and XMP', async () => {
    const texts = {
      title: 'Žluťoučký <kůň> & “你好”',
      author: 'مريم 👩‍🔬',
      subject: 'two\u0007lines\nof\ud800text\uffff ',
    };
    const made = await converted(
      pagesPdf(1, { info: "/Title(Old)/Keywords(a, b)/CreationDate(D:20200101120000+02'00')/ModDate(soon)" }),
      texts,
    );
    const info = await pdfInfo(made);
    expect(info).toMatchObject({
      Title: texts.title,
      Author: texts.author,
      Subject: 'two lines of\ufffdtext',
      Keywords: 'a, b',
    });
    expect(Date.parse(info['CreationDate'] ?? '')).toBe(Date.UTC(2020, 0, 1, 10));
    const packet = made.toString().match(/<\?xpacket begin[\s\S]*<\?xpacket end/)?.[0] ?? '';
    expect(packet).toContain('Žluťoučký &lt;kůň&gt; &amp; “你好”');
    expect(packet).toContain(texts.author);
    expect(packet).toContain('two lines of\ufffdtext');
    results.set('texts', made);
    results.set('long', await converted(pagesPdf(1), { title: 'Ω'.repeat(10_000), subject: '' }));
  });

  test('keeps the metadata that the request does not replace', async () => {
    const made = await converted(
      pagesPdf(1, { info: '/Title <FEFF4F60597D>/Author(J\\366rg)/Producer(x)' }),
      {
        subject: 'New',
      },
    );
    expect(await pdfInfo(made)).toMatchObject({
      Title: '你好',
      Author: 'Jörg',
      Subject: 'New',
      Producer: 'x',
    });
  });

  test('writes keywords and language to Info, XMP and the catalog', async () => {
    const made = await converted(pagesPdf(1, { info: '/Keywords(old)' }), {
      keywords: ['solar', 'wind & water'],
      language: 'de-AT',
    });
    expect((await pdfInfo(made))['Keywords']).toBe('solar, wind & water');
    const text = made.toString('latin1');
    expect(text).toContain('/Lang (de-AT)');
    expect(text).toContain('<rdf:li>solar</rdf:li><rdf:li>wind &amp; water</rdf:li>');
    expect(text).toContain('<dc:language><rdf:Bag><rdf:li>de-AT</rdf:li></rdf:Bag></dc:language>');
    results.set('keywords and language', made);
    const removed = await converted(made, { keywords: [], language: '' });
    expect(removed.toString('latin1')).not.toMatch(/\/Lang |dc:language|Keywords/);
  });

  test('rejects streams that cannot be decoded', async () => {
    const image = (data: string, filter: string) =>
      onePage({
        resources: '/XObject<</X 5 0 R>>',
        content: 'q 50 0 0 50 10 10 cm /X Do Q',
        objects: [
          stream(
            data,
            `/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter${filter}`,
          ),
        ],
      });
    const files = {
      '6.1.7: the data of a stream cannot be decoded': image('\u00ff'.repeat(9), '/FlateDecode'),
      '6.1.10: a stream has the unknown filter FlateDEcode': image('ab', '/FlateDEcode'),
      '6.1.7: the content of a page cannot be decoded': onePage({
        page: '/Contents 5 0 R',
        objects: [stream('\u00ff'.repeat(9), '/Filter/FlateDecode')],
      }),
    };
    for (const [message, pdf] of Object.entries(files)) {
      const error = await rejected({ pdf: base64(pdf) });
      expect(error.details).toEqual([{ path: 'pdf', message }]);
    }
  });

  test('returns a conforming file unchanged unless metadata is requested', async () => {
    const made = await converted(pagesPdf(2), { title: 'First' });
    expect((await converted(made)).equals(made)).toBe(true);
    const renamed = await converted(made, { title: 'Second' });
    expect((await pdfInfo(renamed))['Title']).toBe('Second');
    // The PDF/A identification alone does not count.
    const claimed = pagesPdf(1, { catalog: '/Metadata 4 0 R' });
    expect((await converted(claimed)).toString('latin1')).toContain('GTS_PDFA1');
    results.set('renamed', renamed);
  });

  test.if(isThorough)('keeps links, outlines, forms and text', async () => {
    const made = await converted(
      onePage({
        catalog: '/Outlines<</First 6 0 R/Last 6 0 R/Count 1>>/Dests<</there[3 0 R/Fit]>>/Lang(en)',
        page: '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com/)>>>>]',
        resources: '/Font<</F 5 0 R>>',
        content: 'BT /F 20 Tf 10 50 Td (Words to find) Tj ET',
        objects: ['<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>', '<</Title(Item)/Dest/there>>'],
      }),
    );
    const text = made.toString('latin1');
    for (const kept of ['https://example.com/', '(Item)', '/there', '/Lang']) expect(text).toContain(kept);
    expect((await pdfText(made)).trim()).toBe('Words to find');
  });

  test.if(isThorough)(
    'repairs damaged streams and malformed numbers, which readers interpret differently',
    async () => {
      const packed = deflateSync(Buffer.from('0 0 1 rg 10 10 50 50 re f\n'.repeat(50))).toString('latin1');
      const truncated = await converted(
        onePage({ page: '/Contents 5 0 R', objects: [stream(packed.slice(0, -4), '/Filter/FlateDecode')] }),
      );
      const malformed = await converted(onePage({ content: '1 0 0 rg 10 10 5.0.5 5-0 re f 1 1 --4 4 re f' }));
      results.set('damaged data', truncated);
      results.set('malformed numbers', malformed);
      await qpdfCheck(truncated);
      const image = await rasterise(truncated);
      expect(
        perceivedDifference(image, await rasterise(await converted(onePage({})))).changed,
      ).toBeGreaterThan(0);
    },
  );

  test('rejects a signed file unless allow_signature_loss is set', async () => {
    const signed = onePage({
      catalog: '/AcroForm<</SigFlags 3/Fields[5 0 R]>>',
      page: '/Annots[5 0 R]',
      objects: [
        '<</Type/Annot/Subtype/Widget/FT/Sig/T(s)/Rect[0 0 0 0]/F 132/V 6 0 R>>',
        '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/Contents<00>/ByteRange[0 1 2 3]>>',
      ],
    });
    const error = await rejected({ pdf: base64(signed) });
    expect(error.details[0]?.path).toBe('pdf');
    expect(error.message).toContain('allow_signature_loss');
    const made = await converted(signed, { allow_signature_loss: true });
    expect(made.toString('latin1')).not.toContain('/ByteRange');
    results.set('signed', made);
  });

  test('names the clause that a file cannot satisfy', async () => {
    const inks = Array.from({ length: 9 }, (_, index) => `/Ink${index}`).join('');
    const pdf = onePage({
      resources: `/ColorSpace<</N[/DeviceN[${inks}]/DeviceRGB 5 0 R]>>`,
      content: '/N cs 1 1 1 1 1 1 1 1 1 scn 0 0 50 50 re f',
      objects: ['<</Length 0/FunctionType 4/Domain[0 1]/Range[0 1]>>stream\n\nendstream'],
    });
    const error = await rejected({ pdf: base64(pdf) });
    expect(error.details).toEqual([
      { path: 'pdf', message: expect.stringMatching(/^6\.1\.12: .*9 colorants/) },
    ]);
    expect(error.message).toContain('6.1.12');
  });

  test.if(isThorough)(
    'returns 200 or 400 for hostile files',
    async () => {
      for (const make of Object.values(hostilePdfs)) {
        const answer = await convert({ pdf: base64(make()) });
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 400) expect(answer.body.error.code).toBe('VALIDATION_ERROR');
      }
    },
    300_000,
  );
});

describe('POST /v1/pdf/pdfa with an invalid body', () => {
  const bodies: readonly (readonly [field: string, body: Record<string, unknown>])[] = [
    ['pdf', {}],
    ['pdf', { pdf: '' }],
    ['pdf', { pdf: 'bm90IGEgcGRm' }],
    ['title', { pdf: samplePdf, title: 5 }],
    ['title', { pdf: samplePdf, title: 'x'.repeat(16_001) }],
    ['author', { pdf: samplePdf, author: null }],
    ['keywords', { pdf: samplePdf, keywords: 'a, b' }],
    ['language', { pdf: samplePdf, language: 'de_AT' }],
    ['allow_signature_loss', { pdf: samplePdf, allow_signature_loss: 'yes' }],
    ['output', { pdf: samplePdf, output: 'file' }],
    ['level', { pdf: samplePdf, level: '4e' }],
    ['level', { pdf: samplePdf, level: '1a' }],
  ];
  test.each(bodies)('names the field %s', async (field, body) => {
    const error = await rejected(body);
    expect(error.details.map(({ path }) => path)).toContain(field);
  });
});

describeWithPdfTools('options.pdfa of a generation', () => {
  const html =
    '<title>Größe &amp; Gewicht</title><h1>Archived</h1><p style="opacity:.5">faint</p><p>你好 <a href="https://example.com/">link</a></p>';

  test('returns PDF/A-1b with the title of the document', async () => {
    const answer = await service().post('/v1/generate', { html, options: { pdfa: true }, output: 'base64' });
    expect(answer.status).toBe(200);
    const made = Buffer.from(answer.body.data, 'base64');
    expect(answer.body.file_size).toBe(made.length);
    expect((await pdfInfo(made))['Title']).toBe('Größe & Gewicht');
    expect(await pdfText(made)).toContain('Archived');
    results.set('generated', made);
  });

  test.if(isThorough)('applies to the batch items that request it', async () => {
    const items = [
      { html, options: { pdfa: true }, output: 'base64' },
      { html, output: 'base64' },
    ];
    const { generations } = await completed(service(), await submit(service(), items));
    const [first, second] = await Promise.all(
      generations.map(async ({ id }: { id: string }) => (await service().get(`/v1/generations/${id}`)).body),
    );
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(Buffer.from(first.data, 'base64').toString('latin1')).toContain('GTS_PDFA1');
    expect(Buffer.from(second.data, 'base64').toString('latin1')).not.toContain('GTS_PDFA1');
  });

  test('must be a boolean or a level', async () => {
    const wrong = await service().post('/v1/generate', { html, options: { pdfa: 'yes' } });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'options.pdfa']);
  });

  test.if(isThorough)(
    'works without the plugin pdf-tools, in batches too',
    async () => {
      await using without = await TestService.start({ config: { plugins: { 'pdf-tools': false } } });
      const single = await without.post('/v1/generate', { html, output: 'base64', options: { pdfa: true } });
      expect(single.status).toBe(200);
      expect(Buffer.from(single.body.data, 'base64').toString('latin1')).toContain('GTS_PDFA1');
      const batch = await without.post('/v1/generate/batch', { items: [{ html, options: { pdfa: true } }] });
      expect(batch.status).toBe(202);
    },
    60_000,
  );
});

describeWithPdfTools('every converted file', () => {
  test.if(requireVeraPdf())(
    'is accepted by veraPDF',
    async () => {
      const rejectedFiles = [...(await validateWithVeraPdf(results))].filter(
        ([, failures]) => failures.length > 0,
      );
      expect(results.size).toBeGreaterThan(Object.keys(forbidden).length);
      expect(rejectedFiles).toEqual([]);
    },
    120_000,
  );
});
