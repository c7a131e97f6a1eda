import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  name,
  PdfStream,
  PdfString,
  Ref,
  resolve,
  type PdfObject,
} from '@platen/pdf/objects';
import type { ConformingDocument } from './conforming-sample.ts';

const text = (value: string) => new PdfString(Buffer.from(value, 'latin1'));
const script = () => Dict.of({ S: name('JavaScript'), JS: text('1') });
const content = ({ page }: ConformingDocument, operations: string) => {
  page.set('Contents', Ref.to(new PdfStream(new Dict(), Buffer.from(operations, 'latin1'))));
};
const program = (sample: ConformingDocument, change: (bytes: Buffer) => void) => {
  const { document } = sample;
  const stream = descriptor(sample).get('FontFile3') as PdfStream;
  const bytes = Buffer.from(decodeStream(stream, document.budget) ?? []);
  change(bytes);
  sample.replace(stream, new PdfStream(stream.dict.copy().delete('Filter', 'Length'), bytes));
};
const state = ({ resources }: ConformingDocument): Dict =>
  resources.dict('ExtGState')?.dict('G') ?? new Dict();
const descriptor = ({ font }: ConformingDocument): Dict => font.dict('FontDescriptor') ?? new Dict();
const profileOf = ({ catalog }: ConformingDocument): Dict =>
  resolve(catalog.array('OutputIntents')?.[0]) as Dict;
const annotate = ({ page }: ConformingDocument, annotation: Dict) => {
  page.array('Annots')?.push(Ref.to(annotation));
};
const xmp = (sample: ConformingDocument, change: (packet: string) => string) => {
  const metadata = sample.catalog.get('Metadata') as PdfStream;
  sample.replace(
    metadata,
    new PdfStream(metadata.dict, Buffer.from(change(Buffer.from(metadata.raw).toString()))),
  );
};

/** Changes to the conforming document, each with the clause that it violates. */
export const mutations: readonly (readonly [
  clause: string,
  description: string,
  change: (sample: ConformingDocument) => void,
])[] = [
  ['6.1.10', 'a stream compressed with LZW', ({ image }) => image.dict.set('Filter', name('LZWDecode'))],
  [
    '6.1.7',
    'a stream with damaged compressed data',
    ({ image, replace }) => {
      const dict = image.dict.copy().set('Filter', name('FlateDecode'));
      replace(image, new PdfStream(dict, deflateSync(Buffer.from('x')).fill(0, 3)));
    },
  ],
  ['6.1.7', 'a stream in another file', ({ form }) => form.dict.set('F', text('other'))],
  [
    '6.1.11',
    'embedded files',
    ({ catalog }) => catalog.set('Names', Dict.of({ EmbeddedFiles: Dict.of({ Names: [] }) })),
  ],
  [
    '6.1.11',
    'a file specification with an embedded file',
    ({ link }) => link.set('FS', Dict.of({ Type: name('Filespec'), EF: new Dict() })),
  ],
  ['6.1.12', 'a name that is too long', ({ catalog }) => catalog.set('Lang', name('x'.repeat(128)))],
  ['6.1.12', 'a string that is too long', ({ link }) => link.set('Contents', text('x'.repeat(65_536)))],
  [
    '6.1.12',
    'an array that is too long',
    ({ link }) =>
      link.set(
        'QuadPoints',
        Array.from({ length: 8_192 }, () => 0),
      ),
  ],
  ['6.1.12', 'a number that is too large', ({ link }) => link.set('StructParent', 2_147_483_648)],
  ['6.1.12', 'a real that is too large', ({ link }) => link.set('Rect', [0, 0, 32_767.5, 1])],
  [
    '6.1.12',
    'graphics states nested too deeply',
    (sample) => content(sample, `${'q '.repeat(29)}${'Q '.repeat(29)}`),
  ],
  [
    '6.1.12',
    'a DeviceN colour space with nine colorants',
    ({ resources }) =>
      resources
        .dict('ColorSpace')
        ?.set('N', [
          name('DeviceN'),
          Array.from({ length: 9 }, (_, index) => name(`Ink${index}`)),
          name('DeviceRGB'),
          new Dict(),
        ]),
  ],
  ['6.1.13', 'optional content', ({ catalog }) => catalog.set('OCProperties', new Dict())],
  ['6.2.3.3', 'no output intent', ({ catalog }) => catalog.delete('OutputIntents')],
  [
    '6.2.2',
    'output intents with different profiles',
    ({ catalog }) =>
      catalog.array('OutputIntents')?.push(
        Dict.of({
          S: name('GTS_PDFX'),
          DestOutputProfile: Ref.to(new PdfStream(new Dict(), Buffer.from('x'))),
        }),
      ),
  ],
  [
    '6.2.3.2',
    'an ICC profile with the wrong number of components',
    (sample) =>
      sample.resources
        .dict('ColorSpace')
        ?.set('P', [
          name('ICCBased'),
          Ref.to(
            new PdfStream(
              Dict.of({ N: 4, Filter: name('FlateDecode') }),
              (profileOf(sample).get('DestOutputProfile') as PdfStream).raw,
            ),
          ),
        ]),
  ],
  [
    '6.2.3.2',
    'invalid data in place of an ICC profile',
    ({ resources }) =>
      resources
        .dict('ColorSpace')
        ?.set('P', [name('ICCBased'), Ref.to(new PdfStream(Dict.of({ N: 3 }), Buffer.from('x')))]),
  ],
  [
    '6.2.3.3',
    'DeviceCMYK without a matching output intent',
    (sample) => content(sample, '1 0 0 0 k 0 0 9 9 re f'),
  ],
  [
    '6.2.3.3',
    'a spot colour with DeviceCMYK as its alternate space',
    (sample) => {
      const space = [name('Separation'), name('A'), name('DeviceCMYK'), new Dict()];
      sample.resources.dict('ColorSpace')?.set('C', space);
      content(sample, '/C cs 1 sc 0 0 9 9 re f');
    },
  ],
  ['6.2.4', 'alternate images', ({ image }) => image.dict.set('Alternates', [])],
  ['6.2.4', 'an image with an OPI entry', ({ image }) => image.dict.set('OPI', new Dict())],
  ['6.2.4', 'an interpolated image', ({ image }) => image.dict.set('Interpolate', true)],
  ['6.2.4', 'samples of 16 bits', ({ image }) => image.dict.set('BitsPerComponent', 16)],
  ['6.2.5', 'PostScript in a form XObject', ({ form }) => form.dict.set('Subtype2', name('PS'))],
  ['6.2.6', 'a form XObject from another file', ({ form }) => form.dict.set('Ref', new Dict())],
  ['6.2.7', 'a PostScript XObject', ({ form }) => form.dict.set('Subtype', name('PS'))],
  ['6.2.8', 'a transfer function', (sample) => state(sample).set('TR', name('Identity'))],
  ['6.2.8', 'a transfer function in TR2', (sample) => state(sample).set('TR2', name('Identity'))],
  ['6.2.9', 'an unknown rendering intent', (sample) => state(sample).set('RI', name('Odd'))],
  ['6.2.9', 'an unknown rendering intent in content', (sample) => content(sample, '/Odd ri')],
  ['6.2.10', 'an unknown operator', (sample) => content(sample, 'BX odd EX')],
  ['6.3.2', 'a font of an unknown type', ({ font }) => font.set('Subtype', name('Odd'))],
  ['6.3.2', 'a font without widths', ({ font }) => font.delete('Widths')],
  [
    '6.3.4',
    'a font that is not embedded',
    (sample) => descriptor(sample).delete('FontFile', 'FontFile2', 'FontFile3'),
  ],
  ['6.3.4', 'a font with a damaged program', (sample) => program(sample, (bytes) => bytes.fill(0, 8, 40))],
  [
    '6.3.5',
    'a font without a glyph for a shown character',
    ({ font }) => font.set('Encoding', Dict.of({ Differences: [84, name('nothing')] })),
  ],
  [
    '6.3.6',
    'a font program with different widths',
    ({ font }) =>
      font.set(
        'Widths',
        font.array('Widths')?.map(() => 3),
      ),
  ],
  [
    '6.4',
    'a soft mask in a graphics state',
    (sample) => state(sample).set('SMask', Dict.of({ S: name('Alpha') })),
  ],
  [
    '6.4',
    'a soft mask of an image',
    ({ image }) => image.dict.set('SMask', Ref.to(new PdfStream(image.dict.copy(), image.raw))),
  ],
  ['6.4', 'a transparency group', ({ page }) => page.set('Group', Dict.of({ S: name('Transparency') }))],
  [
    '6.4',
    'a transparency group in a form XObject',
    ({ form }) => form.dict.set('Group', Dict.of({ S: name('Transparency') })),
  ],
  ['6.4', 'a blend mode', (sample) => state(sample).set('BM', name('Multiply'))],
  ['6.4', 'transparent strokes', (sample) => state(sample).set('CA', 0.5)],
  ['6.4', 'transparent fills', (sample) => state(sample).set('ca', 0.5)],
  [
    '6.5.2',
    'an annotation type that PDF 1.4 does not define',
    (sample) =>
      annotate(sample, Dict.of({ Type: name('Annot'), Subtype: name('Screen'), Rect: [0, 0, 1, 1], F: 4 })),
  ],
  ['6.5.3', 'an annotation that is not opaque', ({ link }) => link.set('CA', 0.5)],
  ['6.5.3', 'an annotation that is not printed', ({ link }) => link.set('F', 0)],
  ['6.5.3', 'a hidden annotation', ({ link }) => link.set('F', 4 | 2)],
  [
    '6.5.3',
    'an appearance other than the normal one',
    ({ field }) => field.dict('AP')?.set('D', field.dict('AP')?.raw('N') ?? null),
  ],
  [
    '6.5.3',
    'appearance states of a text field',
    ({ field }) => field.set('AP', Dict.of({ N: Dict.of({ A: field.dict('AP')?.raw('N') ?? null }) })),
  ],
  [
    '6.5.3',
    'a button without appearance states',
    ({ button, field }) => button.set('AP', Dict.of({ N: field.dict('AP')?.raw('N') ?? null })),
  ],
  ['6.6.1', 'a script in OpenAction', ({ catalog }) => catalog.set('OpenAction', script())],
  ['6.6.1', 'a script of a link', ({ link }) => link.set('A', script())],
  ['6.6.1', 'a script after an action', ({ link }) => link.dict('A')?.set('Next', [script()])],
  [
    '6.6.1',
    'a script of an outline item',
    ({ catalog }) => catalog.dict('Outlines')?.dict('First')?.set('A', script()),
  ],
  ['6.6.1', 'a script of a page', ({ page }) => page.set('AA', Dict.of({ O: script() }))],
  [
    '6.6.1',
    'scripts of the document',
    ({ catalog }) => catalog.set('Names', Dict.of({ JavaScript: Dict.of({ Names: [text('a'), script()] }) })),
  ],
  [
    '6.6.1',
    'an unknown named action',
    ({ link }) => link.set('A', Dict.of({ S: name('Named'), N: name('Print') })),
  ],
  [
    '6.6.1',
    'an action of a field',
    ({ field }) => field.set('A', Dict.of({ S: name('URI'), URI: text('x') })),
  ],
  ['6.6.2', 'additional actions of a field', ({ field }) => field.set('AA', new Dict())],
  ['6.6.2', 'additional actions of the document', ({ catalog }) => catalog.set('AA', new Dict())],
  ['6.7.2', 'no metadata', ({ catalog }) => catalog.delete('Metadata')],
  [
    '6.7.2',
    'metadata with a filter',
    ({ catalog }) => catalog.dict('Metadata')?.set('Filter', [] as PdfObject[]),
  ],
  ['6.7.3', 'a different title in XMP', ({ info }) => info.set('Title', text('Other'))],
  ['6.7.3', 'a different author in XMP', ({ info }) => info.set('Author', text('Other'))],
  [
    '6.7.3',
    'a different modification date in XMP',
    ({ info }) => info.set('ModDate', text('D:20000101000000Z')),
  ],
  ['6.7.3', 'a subject missing in XMP', ({ info }) => info.set('Subject', text('Subject'))],
  [
    '6.7.5',
    'a packet header with an encoding attribute',
    (sample) => xmp(sample, (packet) => packet.replace('id="W5', 'encoding="UTF-8" id="W5')),
  ],
  [
    '6.7.9',
    'metadata that is not well-formed',
    (sample) => xmp(sample, (packet) => packet.replace('</dc:title>', '')),
  ],
  [
    '6.7.9',
    'an unknown property',
    (sample) =>
      xmp(sample, (packet) =>
        packet
          .replaceAll('pdf:Producer', 'pdf:Odd')
          .replace('</rdf:Description>', '<pdf:Odd>1</pdf:Odd></rdf:Description>'),
      ),
  ],
  [
    '6.7.11',
    'no PDF/A identification',
    (sample) => xmp(sample, (packet) => packet.replace('<pdfaid:part>1</pdfaid:part>', '')),
  ],
  [
    '6.7.11',
    'the identification of another part',
    (sample) => xmp(sample, (packet) => packet.replace('part>1', 'part>2')),
  ],
  ['6.9', 'a field without an appearance', ({ field }) => field.delete('AP')],
  [
    '6.9',
    'a form with NeedAppearances',
    ({ catalog }) => catalog.dict('AcroForm')?.set('NeedAppearances', true),
  ],
];
