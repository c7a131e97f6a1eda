import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import {
  describeWithPdfTools,
  pageCount,
  pdfInfo,
  pdfText,
  qpdfCheck,
  rasterise,
  perceivedDifference,
} from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { TestService } from '../support/service.ts';
import { checkArchives, requireVeraPdf } from '../support/verapdf.ts';
import { forbidden, onePage } from './archive-samples.ts';
import { hostilePdfs, pagesPdf, stream } from './pdf-samples.ts';

const service = sharedService();
const base64 = (pdf: string | Uint8Array) =>
  Buffer.from(pdf as string, typeof pdf === 'string' ? 'latin1' : undefined).toString('base64');
const convert = (body: Record<string, unknown>) =>
  service().post('/v1/pdf/pdfa', { output: 'base64', ...body });

async function archived(pdf: string | Uint8Array, body: Record<string, unknown> = {}): Promise<Buffer> {
  const answer = await convert({ pdf: base64(pdf), ...body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  expect(answer.body.pdfa).toBe(true);
  const made = Buffer.from(answer.body.data, 'base64');
  expect(answer.body.file_size).toBe(made.length);
  return made;
}

async function refused(
  body: Record<string, unknown>,
): Promise<{ message: string; details: { path: string; message: string }[] }> {
  const answer = await convert(body);
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return answer.body.error;
}

/** What veraPDF judges when all else is done: it takes longer to start than to read. */
const judged = new Map<string, Uint8Array>();

describeWithPdfTools('POST /v1/pdf/pdfa', () => {
  test('answers with a file, or a link to it', async () => {
    const made = await archived(pagesPdf(3), { title: 'Three pages' });
    await qpdfCheck(made);
    expect(await pageCount(made)).toBe(3);
    const linked = await service().post('/v1/pdf/pdfa', { pdf: base64(pagesPdf(1)) });
    expect([linked.status, linked.body.pdfa]).toEqual([200, true]);
    const file = await fetch(linked.body.url);
    expect((await file.bytes()).length).toBe(linked.body.file_size);
  });

  test('takes away what PDF/A-1b forbids, and leaves the look', async () => {
    for (const [name, pdf] of Object.entries(forbidden)) {
      const after = await archived(pdf);
      judged.set(name, after);
      // Readers draw the fields of this one themselves, each in its way.
      if (name === 'forms') expect(await pdfText(after)).toContain('Written here');
      if (name === 'forms') continue;
      const [old, own] = await Promise.all([rasterise(Buffer.from(pdf, 'latin1')), rasterise(after)]);
      expect([name, perceivedDifference(old, own).changed]).toEqual([name, 0]);
    }
  }, 120_000);

  test('removes what was hidden, so that it stays hidden, and draws what annotations showed', async () => {
    const layers = (await archived(forbidden['hiddenLayers'] ?? '')).toString('latin1');
    expect(layers).not.toContain('OCG');
    const attachment = (await archived(forbidden['attachedToThePage'] ?? '')).toString('latin1');
    expect(attachment).not.toContain('FileAttachment');
    expect(attachment).not.toContain('EmbeddedFile');
  });

  test('writes title, author and subject of any script to Info and XMP alike', async () => {
    const texts = {
      title: 'Žluťoučký <kůň> & “你好”',
      author: 'مريم 👩‍🔬',
      subject: 'two\u0007lines\nof\ud800text\uffff ',
    };
    const made = await archived(
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
    judged.set('texts', made);
    judged.set('long', await archived(pagesPdf(1), { title: 'Ω'.repeat(10_000), subject: '' }));
  });

  test('keeps what the document said where nothing else is asked for', async () => {
    const made = await archived(pagesPdf(1, { info: '/Title <FEFF4F60597D>/Author(J\\366rg)/Producer(x)' }), {
      subject: 'New',
    });
    expect(await pdfInfo(made)).toMatchObject({
      Title: '你好',
      Author: 'Jörg',
      Subject: 'New',
      Producer: 'x',
    });
  });

  test('leaves what is PDF/A-1b already as it is, unless other metadata are wanted', async () => {
    const made = await archived(pagesPdf(2), { title: 'First' });
    expect((await archived(made)).equals(made)).toBe(true);
    const renamed = await archived(made, { title: 'Second' });
    expect((await pdfInfo(renamed))['Title']).toBe('Second');
    // A claim alone is not believed.
    const claimed = pagesPdf(1, { catalog: '/Metadata 4 0 R' });
    expect((await archived(claimed)).toString('latin1')).toContain('GTS_PDFA1');
    judged.set('renamed', renamed);
  });

  test('keeps links, outlines, forms and text', async () => {
    const made = await archived(
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

  test('writes what readers take differently so that they cannot: damaged data, numbers that are none', async () => {
    const packed = deflateSync(Buffer.from('0 0 1 rg 10 10 50 50 re f\n'.repeat(50))).toString('latin1');
    const cut = await archived(
      onePage({ page: '/Contents 5 0 R', objects: [stream(packed.slice(0, -4), '/Filter/FlateDecode')] }),
    );
    const odd = await archived(onePage({ content: '1 0 0 rg 10 10 5.0.5 5-0 re f 1 1 --4 4 re f' }));
    judged.set('damaged data', cut);
    judged.set('odd numbers', odd);
    await qpdfCheck(cut);
    const image = await rasterise(cut);
    expect(perceivedDifference(image, await rasterise(await archived(onePage({})))).changed).toBeGreaterThan(
      0,
    );
  });

  test('refuses a signed file, unless its signature may go', async () => {
    const signed = onePage({
      catalog: '/AcroForm<</SigFlags 3/Fields[5 0 R]>>',
      page: '/Annots[5 0 R]',
      objects: [
        '<</Type/Annot/Subtype/Widget/FT/Sig/T(s)/Rect[0 0 0 0]/F 132/V 6 0 R>>',
        '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/Contents<00>/ByteRange[0 1 2 3]>>',
      ],
    });
    const error = await refused({ pdf: base64(signed) });
    expect(error.details[0]?.path).toBe('pdf');
    expect(error.message).toContain('allow_signature_loss');
    const made = await archived(signed, { allow_signature_loss: true });
    expect(made.toString('latin1')).not.toContain('/ByteRange');
    judged.set('signed', made);
  });

  test('names the clause when a file cannot conform', async () => {
    const inks = Array.from({ length: 9 }, (_, index) => `/Ink${index}`).join('');
    const pdf = onePage({
      resources: `/ColorSpace<</N[/DeviceN[${inks}]/DeviceRGB 5 0 R]>>`,
      content: '/N cs 1 1 1 1 1 1 1 1 1 scn 0 0 50 50 re f',
      objects: ['<</Length 0/FunctionType 4/Domain[0 1]/Range[0 1]>>stream\n\nendstream'],
    });
    const error = await refused({ pdf: base64(pdf) });
    expect(error.details).toEqual([
      { path: 'pdf', message: expect.stringMatching(/^6\.1\.12: .*9 colorants/) },
    ]);
    expect(error.message).toContain('6.1.12');
  });

  test('answers hostile files with a result or with 400', async () => {
    for (const make of Object.values(hostilePdfs)) {
      const answer = await convert({ pdf: base64(make()) });
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    }
  }, 300_000);
});

describe('POST /v1/pdf/pdfa with a body that is wrong', () => {
  const bodies: readonly (readonly [field: string, body: Record<string, unknown>])[] = [
    ['pdf', {}],
    ['pdf', { pdf: '' }],
    ['pdf', { pdf: 'bm90IGEgcGRm' }],
    ['title', { pdf: samplePdf, title: 5 }],
    ['title', { pdf: samplePdf, title: 'x'.repeat(16_001) }],
    ['author', { pdf: samplePdf, author: null }],
    ['allow_signature_loss', { pdf: samplePdf, allow_signature_loss: 'yes' }],
    ['output', { pdf: samplePdf, output: 'file' }],
    ['level', { pdf: samplePdf, level: '2b' }],
  ];
  test.each(bodies)('names %s', async (field, body) => {
    const error = await refused(body);
    expect(error.details.map(({ path }) => path)).toContain(field);
  });
});

describeWithPdfTools('options.pdfa of a generation', () => {
  const html =
    '<title>Größe &amp; Gewicht</title><h1>Archived</h1><p style="opacity:.5">faint</p><p>你好 <a href="https://example.com/">link</a></p>';

  test("gives an archival PDF, whose title is the document's", async () => {
    const answer = await service().post('/v1/generate', { html, options: { pdfa: true }, output: 'base64' });
    expect(answer.status).toBe(200);
    const made = Buffer.from(answer.body.data, 'base64');
    expect(answer.body.file_size).toBe(made.length);
    expect((await pdfInfo(made))['Title']).toBe('Größe & Gewicht');
    expect(await pdfText(made)).toContain('Archived');
    judged.set('generated', made);
  });

  test('gives one for the items of a batch that ask for it', async () => {
    const items = [
      { html, options: { pdfa: true }, output: 'base64' },
      { html, output: 'base64' },
    ];
    const batch = await service().post('/v1/generate/batch', { items });
    expect(batch.status).toBe(202);
    const [first, second] = await Promise.all(
      batch.body.generations.map(async ({ id }: { id: string }) => {
        for (;;) {
          const { body } = await service().get(`/v1/generations/${id}`);
          if (body.status === 'completed' || body.status === 'failed') return body;
          await Bun.sleep(100);
        }
      }),
    );
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(Buffer.from(first.data, 'base64').toString('latin1')).toContain('GTS_PDFA1');
    expect(Buffer.from(second.data, 'base64').toString('latin1')).not.toContain('GTS_PDFA1');
  });

  test('is refused when it is no boolean', async () => {
    const wrong = await service().post('/v1/generate', { html, options: { pdfa: 'yes' } });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'options.pdfa']);
  });

  test('works without the plugin pdf-tools, also for a batch', async () => {
    await using without = await TestService.start({ config: { plugins: { 'pdf-tools': false } } });
    const single = await without.post('/v1/generate', { html, output: 'base64', options: { pdfa: true } });
    expect(single.status).toBe(200);
    expect(Buffer.from(single.body.data, 'base64').toString('latin1')).toContain('GTS_PDFA1');
    const batch = await without.post('/v1/generate/batch', { items: [{ html, options: { pdfa: true } }] });
    expect(batch.status).toBe(202);
  }, 60_000);
});

describeWithPdfTools('what was answered with 200', () => {
  test('is PDF/A-1b, as veraPDF confirms', async () => {
    if (!requireVeraPdf()) return;
    const broken = [...(await checkArchives(judged))].filter(([, failures]) => failures.length > 0);
    expect(judged.size).toBeGreaterThan(Object.keys(forbidden).length);
    expect(broken).toEqual([]);
  }, 120_000);
});
