import { beforeAll, describe, expect, test } from 'bun:test';
import { Dict, name, PdfStream, PdfString, Ref, resolve } from '@platen/pdf/objects';
import { changed, convertible, type ConformingDocument } from '../tests/conforming-sample.ts';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { PDFA_LEVELS, type PdfaLevel } from '../levels.ts';
import { checkPdfa } from './check-pdfa.ts';

const documents = new Map<PdfaLevel, Uint8Array>();

beforeAll(async () => {
  for (const level of PDFA_LEVELS)
    documents.set(level, await convertToPdfa(Buffer.from(convertible, 'latin1'), { title: 'Title', level }));
});

const documentOf = (level: PdfaLevel) => documents.get(level) ?? new Uint8Array();
const clauses = (pdf: Uint8Array, level: PdfaLevel) => [
  ...new Set(checkPdfa(pdf, level).map(({ clause }) => clause)),
];
const text = (value: string) => new PdfString(Buffer.from(value, 'latin1'));
const state = ({ resources }: ConformingDocument) => resources.dict('ExtGState')?.dict('G') ?? new Dict();
const embed = ({ catalog }: ConformingDocument, specification: Dict) => {
  const file = new PdfStream(Dict.of({ Type: name('EmbeddedFile') }), Buffer.from('text'));
  specification.set('Type', name('Filespec')).set('EF', Dict.of({ F: Ref.to(file) }));
  const names = Dict.of({ Names: [text('a'), Ref.to(specification)] });
  catalog.set('Names', Dict.of({ EmbeddedFiles: names }));
};
const layers = ({ catalog }: ConformingDocument, configuration: Dict) => {
  const group = Ref.to(Dict.of({ Type: name('OCG'), Name: text('a') }));
  catalog.set('OCProperties', Dict.of({ OCGs: [group], D: configuration }));
};

/** Changes that break a rule of parts 2 and 3, each with the clause that it violates. */
const MUTATIONS: readonly (readonly [
  clause: string,
  subject: string,
  change: (sample: ConformingDocument) => void,
])[] = [
  ['6.1.7.2', 'a stream compressed with LZW', ({ image }) => image.dict.set('Filter', name('LZWDecode'))],
  [
    '6.1.13',
    'a string of more than 32,767 bytes',
    ({ link }) => link.set('Contents', text('x'.repeat(32_768))),
  ],
  ['6.1.13', 'a page that is too large', ({ page }) => page.set('MediaBox', [0, 0, 200, 14_401])],
  ['6.1.8', 'a font name that is not UTF-8', ({ font }) => font.set('BaseFont', name('F\u00e9'))],
  [
    '6.1.8',
    'a colorant whose name is not UTF-8',
    ({ resources }) => resources.dict('ColorSpace')?.array('S')?.splice(1, 1, name('B\u00e4r')),
  ],
  ['6.1.12', 'unknown permissions', ({ catalog }) => catalog.set('Perms', Dict.of({ Odd: new Dict() }))],
  ['6.4.2', 'XFA', ({ catalog }) => catalog.dict('AcroForm')?.set('XFA', text('x'))],
  ['6.10', 'presentation steps', ({ page }) => page.set('PresSteps', new Dict())],
  ['6.11', 'requirements', ({ catalog }) => catalog.set('Requirements', [])],
  ['6.2.5', 'a transfer function', (sample) => state(sample).set('TR', name('Identity'))],
  ['6.2.5', 'a halftone of type 6', (sample) => state(sample).set('HT', Dict.of({ HalftoneType: 6 }))],
  ['6.2.10', 'an unknown blend mode', (sample) => state(sample).set('BM', name('Odd'))],
  ['6.2.8', 'an image with alternates', ({ image }) => image.dict.set('Alternates', [])],
  [
    '6.2.8.3',
    'a JPEG 2000 image without a header',
    ({ image }) => image.dict.set('Filter', name('JPXDecode')),
  ],
  [
    '6.2.4.4',
    'a spot colour with two definitions',
    ({ resources }) => {
      const tint = Dict.of({ FunctionType: 2, Domain: [0, 1], C0: [1, 1, 1], C1: [0, 0, 1], N: 1 });
      resources.dict('ColorSpace')?.set('T', [name('Separation'), name('Spot'), name('DeviceRGB'), tint]);
    },
  ],
  [
    '6.2.4.4',
    'a DeviceN space that does not define its spot colours',
    ({ resources }) => {
      const tint = Dict.of({ FunctionType: 2, Domain: [0, 1], C0: [1, 1, 1], C1: [0, 0, 1], N: 1 });
      resources.dict('ColorSpace')?.set('T', [name('DeviceN'), [name('Odd')], name('DeviceRGB'), tint]);
    },
  ],
  ['6.3.1', 'a movie annotation', ({ link }) => link.set('Subtype', name('Movie')).set('Rect', [0, 0, 0, 0])],
  ['6.3.2', 'an annotation that can become hidden', ({ link }) => link.set('F', 4 + 256)],
  ['6.3.3', 'an annotation without appearance', ({ link }) => link.set('Subtype', name('Stamp'))],
  [
    '6.3.3',
    'an annotation with a damaged rectangle and without appearance',
    ({ link }) => link.set('Subtype', name('Stamp')).set('Rect', [0, 0, 9]),
  ],
  ['6.5.1', 'a script', ({ link }) => link.set('A', Dict.of({ S: name('JavaScript'), JS: text('1') }))],
  ['6.5.2', 'additional actions of a page', ({ page }) => page.set('AA', new Dict())],
  ['6.9', 'layers without a name', (sample) => layers(sample, new Dict())],
  [
    '6.9',
    'an order of layers that omits a layer',
    (sample) => layers(sample, Dict.of({ Name: text('a'), Order: [] })),
  ],
  ['6.6.2.1', 'no metadata', ({ catalog }) => catalog.delete('Metadata')],
];

describe('checkPdfa at each level', () => {
  test.each([...PDFA_LEVELS])('%s: reports nothing for a converted document', (level) => {
    expect(checkPdfa(documentOf(level), level)).toEqual([]);
  });

  test('distinguishes the levels', () => {
    expect(clauses(documentOf('1b'), '2b')).toEqual(['6.6.4']);
    expect(clauses(documentOf('2b'), '3b')).toEqual(['6.6.4']);
    expect(clauses(documentOf('3b'), '1b')).toEqual(['6.1.4']);
    expect(clauses(documentOf('2b'), '2u')).toEqual(['6.6.4']);
    // Level U includes level B.
    expect(clauses(documentOf('2u'), '2b')).toEqual([]);
  });

  test.each(MUTATIONS)('reports %s: %s', (clause, _, change) => {
    for (const level of ['2b', '3b'] as const)
      expect([level, clauses(changed(documentOf(level), change), level)]).toEqual([level, [clause]]);
  });

  test('reports attachments that a part does not allow', () => {
    const complete = () => Dict.of({ F: text('a'), UF: text('a'), AFRelationship: name('Data') });
    const attached = (
      level: PdfaLevel,
      specification: Dict,
      more: (sample: ConformingDocument) => void = () => {},
    ) =>
      checkPdfa(
        changed(documentOf(level), (sample) => {
          embed(sample, specification);
          more(sample);
        }),
        level,
      ).map(({ clause, message }) => `${clause}: ${message}`);
    expect(attached('2b', complete())).toEqual(['6.8: an embedded file is not PDF/A-1 or PDF/A-2']);
    expect(attached('3b', complete())).toEqual([
      '6.8: an embedded file is not associated with the document or a part of it',
      '6.8: an embedded file has no media type',
    ]);
    const associated = complete();
    const associate = ({ catalog }: ConformingDocument) => {
      catalog.set('AF', [catalog.dict('Names')?.dict('EmbeddedFiles')?.array('Names')?.[1] ?? null]);
      const file = resolve(associated.dict('EF')?.raw('F'));
      if (file instanceof PdfStream) file.dict.set('Subtype', name('text/plain'));
    };
    expect(attached('3b', associated, associate)).toEqual([]);
    expect(attached('3b', Dict.of({ AFRelationship: name('Data') }), associate)).toContain(
      '6.8: an embedded file does not have both F and UF as its name',
    );
  });

  test('only part 1 requires an appearance of a form field without an area, such as a timestamp', () => {
    const withEmptyField = (level: PdfaLevel) =>
      changed(documentOf(level), ({ link }) => {
        link.delete('A').set('Subtype', name('Widget')).set('Rect', [0, 0, 0, 0]);
      });
    expect(clauses(withEmptyField('1b'), '1b')).toEqual(['6.9']);
    expect(clauses(withEmptyField('2b'), '2b')).toEqual([]);
    expect(clauses(withEmptyField('3u'), '3u')).toEqual([]);
  });

  test('reports characters without Unicode text at levels U', () => {
    const withoutText = changed(documentOf('2u'), ({ font }) => {
      font.set('ToUnicode', undefined);
      font.set('Encoding', Dict.of({ Differences: [0, name('odd')] }));
    });
    expect(clauses(withoutText, '2u')).toContain('6.2.11.7.2');
    expect(clauses(withoutText, '2b')).not.toContain('6.2.11.7.2');
  });
});
