import { describe, expect, test } from 'bun:test';
import { PDFA_LEVELS, type PdfaLevel } from '@platen/pdf-standards';
import { completed, submit } from '../../support/batch/batches.ts';
import {
  describeWithPdfTools,
  pdfInfo,
  pdfText,
  perceivedDifference,
  qpdfCheck,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { base64, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { readStarters, requestFor } from '../../support/starters/starters.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { forbidden, onePage } from '../../support/pdf/pdfa-samples.ts';
import { pagesPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();

/** Results by level. veraPDF checks the results of a level at once. */
const results = new Map<PdfaLevel, Map<string, Uint8Array>>(PDFA_LEVELS.map((level) => [level, new Map()]));

async function converted(
  pdf: string | Uint8Array,
  level: PdfaLevel,
  body: Record<string, unknown> = {},
): Promise<Buffer> {
  const answer = await service().post('/v1/pdf/pdfa', { pdf: base64(pdf), level, output: 'base64', ...body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  expect([answer.body.pdfa, answer.body.level]).toEqual([true, level]);
  const made = Buffer.from(answer.body.data, 'base64');
  results.get(level)?.set(`sample ${results.get(level)?.size}`, made);
  return made;
}

async function generated(options: Record<string, unknown>, html = '<h1>Archive</h1>'): Promise<Buffer> {
  const answer = await service().post('/v1/generate', { html, options, output: 'base64' });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return Buffer.from(answer.body.data, 'base64');
}

async function rejection(options: Record<string, unknown>): Promise<string> {
  const answer = await service().post('/v1/generate', { html: 'x', options });
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return `${answer.body.error.details[0].path}: ${answer.body.error.details[0].message}`;
}

/** Returns the objects of a file as text, with its streams decompressed. */
function objectsOf(pdf: Uint8Array): string {
  return runOn(pdf, ['qpdf', '--qdf', '--object-streams=disable', '--no-original-object-ids', '{}', '-']);
}

/** Creates a document with a file that is attached to the document and to an annotation. */
const withAttachments = (attached: string) =>
  onePage({
    catalog: '/Names<</EmbeddedFiles<</Names[(a.pdf) 5 0 R]>>>>',
    page: '/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[10 10 30 30]/FS 5 0 R>>]',
    objects: ['<</Type/Filespec/F(a.pdf)/EF<</F 6 0 R>>>>', stream(attached, '/Type/EmbeddedFile')],
  });

describeWithPdfTools('POST /v1/pdf/pdfa with a level', () => {
  const levels = PDFA_LEVELS.slice(1);
  test.each(casesOfSuite([...levels], 10))(
    '%s: corrects what the level forbids and keeps the look',
    async (level) => {
      for (const [name, pdf] of Object.entries(forbidden)) {
        const after = await converted(pdf, level);
        await qpdfCheck(after);
        // Readers draw the fields of this form themselves, each differently.
        if (name === 'forms' || name === 'attachedToThePage') continue;
        const [old, actual] = await Promise.all([rasterise(Buffer.from(pdf, 'latin1')), rasterise(after)]);
        expect([name, perceivedDifference(old, actual).changed]).toEqual([name, 0]);
      }
    },
    120_000,
  );

  test('1b is the default', async () => {
    const answer = await service().post('/v1/pdf/pdfa', { pdf: base64(pagesPdf(1)) });
    expect([answer.status, answer.body.pdfa, answer.body.level]).toEqual([200, true, '1b']);
  });

  test.if(isThorough)('keeps transparency, layers and object streams from 2b on', async () => {
    const pdf = onePage({
      catalog: '/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[6 0 R]/Order[5 0 R]>>>>',
      resources: '/Properties<</On 5 0 R/Off 6 0 R>>/ExtGState<</G<</ca .5/BM[/Odd/Multiply]>>>>',
      content: '/OC /On BDC /G gs 1 0 0 rg 10 10 30 30 re f EMC /OC /Off BDC 0 1 0 rg 50 10 30 30 re f EMC',
      objects: ['<</Type/OCG/Name(on)>>', '<</Type/OCG/Name(off)>>'],
    });
    const made = await converted(pdf, '2b');
    const objects = objectsOf(made);
    expect(objects).toContain('/OCProperties');
    expect(objects).toMatch(/\/ca \.5|\/ca 0\.5/);
    expect(objects).toContain('/BM /Multiply');
    expect(objects).not.toContain('/Subtype /Image');
    expect(made.toString('latin1')).toContain('/ObjStm');
    expect((await pdfInfo(made))['PDF version']).toBe('1.7');
    const [old, actual] = await Promise.all([rasterise(Buffer.from(pdf, 'latin1')), rasterise(made)]);
    expect(perceivedDifference(old, actual).changed).toBe(0);
  });

  test('keeps every attachment at 3b, and only PDF/A files at 2b', async () => {
    const archived = await converted(pagesPdf(1), '1b');
    for (const [level, attached, kept] of [
      ['3b', 'text', true],
      ['3u', archived, true],
      ['2b', 'text', false],
      ['2u', pagesPdf(1), false],
      ['2b', archived, true],
      ['1b', archived, false],
    ] as const) {
      const source = withAttachments(
        typeof attached === 'string' ? attached : Buffer.from(attached).toString('latin1'),
      );
      const objects = objectsOf(await converted(source, level));
      const label = `${level}, ${attached === archived ? 'PDF/A' : 'another file'}`;
      expect([label, objects.includes('/EmbeddedFiles')]).toEqual([label, kept]);
      expect([label, objects.includes('/FileAttachment')]).toEqual([label, kept]);
      if (level.startsWith('3')) expect(objects).toMatch(/\/AFRelationship \/Unspecified/);
    }
  });

  test.if(isThorough)(
    'draws annotations that have no appearance',
    async () => {
      const quad = '/QuadPoints[20 60 120 60 20 40 120 40]';
      const annotation = (type: string, entries: string) =>
        `<</Type/Annot/Subtype/${type}/Rect[20 40 120 60]/C[1 0 0]${entries}>>`;
      const annotations = [
        annotation('Highlight', quad),
        annotation('Underline', quad),
        annotation('StrikeOut', quad),
        annotation('Square', '/IC[0 1 0]/BS<</W 3>>/CA .5'),
        annotation('Circle', ''),
        annotation('Line', '/L[20 40 120 60]'),
        annotation('Ink', '/InkList[[20 40 60 60 120 40]]'),
        annotation('Polygon', '/Vertices[20 40 60 60 120 40]'),
        annotation('PolyLine', '/Vertices[20 40 60 60 120 40]'),
        annotation('Text', '/Contents(note)'),
        annotation('FreeText', '/Contents(Free \\(text\\))/DA(/Helv 10 Tf 0 g)'),
        annotation('Stamp', ''),
      ];
      for (const each of annotations) {
        const objects = objectsOf(await converted(onePage({ page: `/Annots[${each}]` }), '2b'));
        expect(objects).toContain('/AP');
      }
      const free = await converted(onePage({ page: `/Annots[${annotations.at(-2)}]` }), '3u');
      expect((await pdfText(free)).trim()).toBe('Free (text)');
    },
    60_000,
  );

  test.if(isThorough)('adds the missing Unicode text of a character at 2u', async () => {
    const font =
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/Aogonek/g27]>>/ToUnicode 6 0 R>>';
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0000> endbfchar endcmap end';
    const pdf = onePage({
      resources: '/Font<</F 5 0 R>>',
      content: 'BT /F 20 Tf 10 50 Td (A) Tj ET',
      objects: [font, stream(map)],
    });
    expect((await pdfText(await converted(pdf, '2u'))).trim()).toBe('Ą');
  });

  test('names the clause and the part of ISO 19005', async () => {
    const tooSmall = onePage({ page: '/MediaBox[0 0 2 2]' });
    const answer = await service().post('/v1/pdf/pdfa', { pdf: base64(tooSmall), level: '3b' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('(ISO 19005-3, 6.1.13)');
    expect(answer.body.error.details).toEqual([
      {
        path: 'pdf',
        message: '6.1.13: a page has a MediaBox that is not between 3 and 14400 units wide and high',
      },
    ]);
  });

  test('returns a conforming file unchanged', async () => {
    const made = await converted(pagesPdf(1), '3u');
    expect((await converted(made, '3b')).equals(made)).toBe(true);
    expect((await converted(made, '2b')).equals(made)).toBe(false);
  });
});

describe('options.pdfa with a level', () => {
  const attachment = {
    name: 'data.csv',
    data: Buffer.from('a,b\n1,2\n').toString('base64'),
    mimeType: 'text/csv',
  };

  test('3b keeps attachments, also in batches', async () => {
    const options = { pdfa: '3b', attachments: [{ ...attachment, relationship: 'source' }] };
    const made = await generated(options);
    results.get('3b')?.set('generated', made);
    const objects = objectsOf(made);
    expect(objects).toContain('/AFRelationship /Source');
    expect(objects).toContain('<pdfaid:part>3</pdfaid:part>');
    const accepted = await submit(service(), [{ html: 'x', options, output: 'base64' }]);
    const batch = await completed(service(), accepted);
    const { body } = await service().get(`/v1/generations/${batch.generations[0].id}`);
    expect([body.status, body.error]).toEqual(['completed', null]);
    expect(objectsOf(Buffer.from(body.data, 'base64'))).toContain('/EmbeddedFiles');
  }, 60_000);

  test('levels without attachments are rejected with an alternative', async () => {
    expect(await rejection({ pdfa: '1b', attachments: [attachment] })).toBe(
      'options.attachments: cannot be combined with pdfa: PDF/A-1b does not allow attachments; set pdfa to "3b" to attach any file',
    );
    expect(await rejection({ pdfa: '2u', attachments: [attachment] })).toBe(
      'options.attachments: cannot be combined with pdfa: PDF/A-2u allows only PDF/A files as attachments; set pdfa to "3u" to attach any file',
    );
    expect(await rejection({ pdfa: '4' })).toBe(
      'options.pdfa: must be true, false, or one of "1b", "2b", "2u", "3b", "3u"',
    );
  });

  test.if(isThorough)(
    'a starter with transparency grows by at most half at 2b and 3b',
    async () => {
      const starter = readStarters().find(({ slug }) => slug === 'event-ticket');
      if (!starter) throw new Error('the starter event-ticket does not exist');
      const request = requestFor(starter, starter.sample_data) as { options?: Record<string, unknown> };
      const plain = await service().pdf(request);
      const archived = await service().pdf({ ...request, options: { ...request.options, pdfa: '2b' } });
      results.get('2b')?.set('event-ticket', archived);
      for (const made of [archived, await converted(plain, '3b')])
        expect(made.length).toBeLessThan(1.5 * plain.length);
    },
    60_000,
  );
});

describeWithPdfTools('every file of a level', () => {
  test.if(requireVeraPdf()).each([...PDFA_LEVELS])(
    '%s: is accepted by veraPDF',
    async (level) => {
      const files = results.get(level) ?? new Map<string, Uint8Array>();
      const failures = [...(await validateWithVeraPdf(files, level))].filter(([, found]) => found.length > 0);
      expect(files.size).toBeGreaterThan(0);
      expect(failures).toEqual([]);
    },
    120_000,
  );
});
