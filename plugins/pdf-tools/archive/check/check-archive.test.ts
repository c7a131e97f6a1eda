import { beforeAll, describe, expect, test } from 'bun:test';
import { onePage } from '../../../../tests/api/archive-samples.ts';
import { stream } from '../../../../tests/api/pdf-samples.ts';
import {
  Dict,
  name,
  PdfDocument,
  PdfStream,
  PdfString,
  readPages,
  Ref,
  resolve,
  writePdf,
  type PdfObject,
} from '../../../../src/pdf/pdf.ts';
import { convertToArchive } from '../convert.ts';
import { checkArchive } from './check-archive.ts';

/** A document with text, an image, a form, colours, an outline, a link and a form field. */
const sample = onePage({
  catalog:
    '/Outlines<</First 9 0 R/Last 9 0 R/Count 1>>/AcroForm<</Fields[10 0 R 11 0 R]/DR<</Font<</F 5 0 R>>>>/DA(/F 9 Tf)>>',
  page: '/Annots[8 0 R 10 0 R 11 0 R]',
  resources:
    '/Font<</F 5 0 R>>/XObject<</I 6 0 R/X 7 0 R>>/ExtGState<</G<</Type/ExtGState/LW 1>>>>/ColorSpace<</S[/Separation/Spot/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0 0]/N 1>>]>>',
  content:
    '/G gs BT /F 12 Tf 10 80 Td (Text) Tj ET q 20 0 0 20 10 10 cm /I Do Q /X Do 1 0 0 rg 0 .5 1 RG 100 10 20 20 re B',
  objects: [
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    stream('\u0080', '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'),
    stream('50 10 20 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<<>>'),
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>',
    '<</Title(Item)/A<</S/Named/N/NextPage>>>>',
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Value)/Rect[150 60 190 80]>>',
    '<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[150 10 160 20]/AS/Off/AP<</N<</Yes 7 0 R/Off 7 0 R>>>>>>',
  ],
});

let good: Uint8Array;

beforeAll(async () => {
  good = await convertToArchive(Buffer.from(sample, 'latin1'), { title: 'Title', author: 'Author' });
});

/** What a mutation may change. */
interface Good {
  document: PdfDocument;
  catalog: Dict;
  info: Dict;
  page: Dict;
  resources: Dict;
  link: Dict;
  field: Dict;
  button: Dict;
  font: Dict;
  image: PdfStream;
  form: PdfStream;
  replace: (stream: PdfStream, by: PdfStream) => void;
}

function open(): Good {
  const document = PdfDocument.open(good);
  const [page = new Dict()] = readPages(document).pages.map(({ dict }) => dict);
  const resources = page.dict('Resources') ?? new Dict();
  const annotations = (page.array('Annots') ?? []).map((one) => resolve(one) as Dict);
  const [link = new Dict(), field = new Dict(), button = new Dict()] = annotations;
  const refs = [...document.xref.entries.keys()].map((number) => document.ref(number));
  return {
    document,
    catalog: document.catalog,
    info: document.trailer.dict('Info') ?? new Dict(),
    page,
    resources,
    link,
    field,
    button,
    font: resources.dict('Font')?.dict('F') ?? new Dict(),
    image: resources.dict('XObject')?.get('I') as PdfStream,
    form: resources.dict('XObject')?.get('X') as PdfStream,
    replace(stream, by) {
      for (const ref of refs) if (ref.value === stream) ref.value = by;
    },
  };
}

/** Writes the good document after a change of its objects. */
function changed(change: (good: Good) => void): Uint8Array {
  const opened = open();
  change(opened);
  const { trailer } = opened.document;
  const [root, info] = [trailer.raw('Root'), trailer.raw('Info')];
  if (!(root instanceof Ref) || !(info instanceof Ref)) throw new Error('the sample has no root');
  return writePdf({ root, info, version: '1.4', compact: false });
}

/** Writes the good document with a text in the place of another, of the same length. */
function patched(from: string, to: string): Uint8Array {
  const text = Buffer.from(good).toString('latin1');
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return Buffer.from(text.replace(from, to.padEnd(from.length)), 'latin1');
}

const clauses = (pdf: Uint8Array) => [...new Set(checkArchive(pdf).map(({ clause }) => clause))];
const text = (value: string) => new PdfString(Buffer.from(value, 'latin1'));
const script = () => Dict.of({ S: name('JavaScript'), JS: text('1') });
const content = ({ page }: Good, operations: string) => {
  page.set('Contents', Ref.to(new PdfStream(new Dict(), Buffer.from(operations, 'latin1'))));
};
const state = ({ resources }: Good): Dict => resources.dict('ExtGState')?.dict('G') ?? new Dict();
const descriptor = ({ font }: Good): Dict => font.dict('FontDescriptor') ?? new Dict();
const profileOf = ({ catalog }: Good): Dict => resolve(catalog.array('OutputIntents')?.[0]) as Dict;
const annotate = ({ page }: Good, annotation: Dict) => {
  page.array('Annots')?.push(Ref.to(annotation));
};
const xmp = (good: Good, change: (packet: string) => string) => {
  const metadata = good.catalog.get('Metadata') as PdfStream;
  good.replace(
    metadata,
    new PdfStream(metadata.dict, Buffer.from(change(Buffer.from(metadata.raw).toString()))),
  );
};

/** What is done to the good document, and the clause that is then broken. */
const mutations: readonly (readonly [clause: string, what: string, change: (good: Good) => void])[] = [
  ['6.1.10', 'a stream packed with LZW', ({ image }) => image.dict.set('Filter', name('LZWDecode'))],
  ['6.1.7', 'a stream in another file', ({ form }) => form.dict.set('F', text('other'))],
  [
    '6.1.11',
    'embedded files',
    ({ catalog }) => catalog.set('Names', Dict.of({ EmbeddedFiles: Dict.of({ Names: [] }) })),
  ],
  [
    '6.1.11',
    'a file in a specification',
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
  ['6.1.12', 'states nested too deeply', (good) => content(good, `${'q '.repeat(29)}${'Q '.repeat(29)}`)],
  [
    '6.1.12',
    'colours of nine inks',
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
  ['6.1.13', 'layers', ({ catalog }) => catalog.set('OCProperties', new Dict())],
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
    'a profile with the wrong number of components',
    (good) =>
      good.resources
        .dict('ColorSpace')
        ?.set('P', [
          name('ICCBased'),
          Ref.to(
            new PdfStream(
              Dict.of({ N: 4, Filter: name('FlateDecode') }),
              (profileOf(good).get('DestOutputProfile') as PdfStream).raw,
            ),
          ),
        ]),
  ],
  [
    '6.2.3.2',
    'a profile that is none',
    ({ resources }) =>
      resources
        .dict('ColorSpace')
        ?.set('P', [name('ICCBased'), Ref.to(new PdfStream(Dict.of({ N: 3 }), Buffer.from('x')))]),
  ],
  ['6.2.3.3', 'colours of a device in CMYK', (good) => content(good, '1 0 0 0 k 0 0 9 9 re f')],
  [
    '6.2.3.3',
    'a spot colour in terms of CMYK',
    ({ resources }) =>
      resources.dict('ColorSpace')?.set('C', [name('Separation'), name('A'), name('DeviceCMYK'), new Dict()]),
  ],
  ['6.2.4', 'alternatives of an image', ({ image }) => image.dict.set('Alternates', [])],
  ['6.2.4', 'an image that stands for another', ({ image }) => image.dict.set('OPI', new Dict())],
  ['6.2.4', 'an interpolated image', ({ image }) => image.dict.set('Interpolate', true)],
  ['6.2.4', 'samples of 16 bits', ({ image }) => image.dict.set('BitsPerComponent', 16)],
  ['6.2.5', 'PostScript in a form', ({ form }) => form.dict.set('Subtype2', name('PS'))],
  ['6.2.6', 'a form from another file', ({ form }) => form.dict.set('Ref', new Dict())],
  ['6.2.7', 'an object in PostScript', ({ form }) => form.dict.set('Subtype', name('PS'))],
  ['6.2.8', 'a transfer function', (good) => state(good).set('TR', name('Identity'))],
  ['6.2.8', 'another transfer function', (good) => state(good).set('TR2', name('Identity'))],
  ['6.2.9', 'a strange rendering intent', (good) => state(good).set('RI', name('Odd'))],
  ['6.2.9', 'a strange rendering intent in content', (good) => content(good, '/Odd ri')],
  ['6.2.10', 'an unknown operator', (good) => content(good, 'BX odd EX')],
  ['6.3.2', 'a font of an unknown type', ({ font }) => font.set('Subtype', name('Odd'))],
  ['6.3.2', 'a font without widths', ({ font }) => font.delete('Widths')],
  [
    '6.3.4',
    'a font that is not embedded',
    (good) => descriptor(good).delete('FontFile', 'FontFile2', 'FontFile3'),
  ],
  ['6.4', 'a soft mask of a state', (good) => state(good).set('SMask', Dict.of({ S: name('Alpha') }))],
  [
    '6.4',
    'a soft mask of an image',
    ({ image }) => image.dict.set('SMask', Ref.to(new PdfStream(image.dict.copy(), image.raw))),
  ],
  ['6.4', 'a transparency group', ({ page }) => page.set('Group', Dict.of({ S: name('Transparency') }))],
  [
    '6.4',
    'a transparency group of a form',
    ({ form }) => form.dict.set('Group', Dict.of({ S: name('Transparency') })),
  ],
  ['6.4', 'a blend mode', (good) => state(good).set('BM', name('Multiply'))],
  ['6.4', 'opacity of lines', (good) => state(good).set('CA', 0.5)],
  ['6.4', 'opacity of areas', (good) => state(good).set('ca', 0.5)],
  [
    '6.5.2',
    'an annotation of a later version',
    (good) =>
      annotate(good, Dict.of({ Type: name('Annot'), Subtype: name('Screen'), Rect: [0, 0, 1, 1], F: 4 })),
  ],
  ['6.5.3', 'an annotation that is not opaque', ({ link }) => link.set('CA', 0.5)],
  ['6.5.3', 'an annotation that is not printed', ({ link }) => link.set('F', 0)],
  ['6.5.3', 'a hidden annotation', ({ link }) => link.set('F', 4 | 2)],
  [
    '6.5.3',
    'another appearance than the normal one',
    ({ field }) => field.dict('AP')?.set('D', field.dict('AP')?.raw('N') ?? null),
  ],
  [
    '6.5.3',
    'states of a field that has none',
    ({ field }) => field.set('AP', Dict.of({ N: Dict.of({ A: field.dict('AP')?.raw('N') ?? null }) })),
  ],
  [
    '6.5.3',
    'a button without states',
    ({ button, field }) => button.set('AP', Dict.of({ N: field.dict('AP')?.raw('N') ?? null })),
  ],
  ['6.6.1', 'a script on opening', ({ catalog }) => catalog.set('OpenAction', script())],
  ['6.6.1', 'a script of a link', ({ link }) => link.set('A', script())],
  ['6.6.1', 'a script behind an action', ({ link }) => link.dict('A')?.set('Next', [script()])],
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
  ['6.6.2', 'actions of a field', ({ field }) => field.set('AA', new Dict())],
  ['6.6.2', 'actions of the document', ({ catalog }) => catalog.set('AA', new Dict())],
  ['6.7.2', 'no metadata', ({ catalog }) => catalog.delete('Metadata')],
  [
    '6.7.2',
    'metadata with a filter',
    ({ catalog }) => catalog.dict('Metadata')?.set('Filter', [] as PdfObject[]),
  ],
  ['6.7.3', 'another title', ({ info }) => info.set('Title', text('Other'))],
  ['6.7.3', 'another author', ({ info }) => info.set('Author', text('Other'))],
  ['6.7.3', 'another date', ({ info }) => info.set('ModDate', text('D:20000101000000Z'))],
  ['6.7.3', 'a subject that XMP lacks', ({ info }) => info.set('Subject', text('Subject'))],
  [
    '6.7.5',
    'a header that says too much',
    (good) => xmp(good, (packet) => packet.replace('id="W5', 'encoding="UTF-8" id="W5')),
  ],
  [
    '6.7.9',
    'metadata that are not well formed',
    (good) => xmp(good, (packet) => packet.replace('</dc:title>', '')),
  ],
  [
    '6.7.9',
    'an unknown property',
    (good) =>
      xmp(good, (packet) =>
        packet
          .replaceAll('pdf:Producer', 'pdf:Odd')
          .replace('</rdf:Description>', '<pdf:Odd>1</pdf:Odd></rdf:Description>'),
      ),
  ],
  ['6.7.11', 'no claim', (good) => xmp(good, (packet) => packet.replace('<pdfaid:part>1</pdfaid:part>', ''))],
  ['6.7.11', 'a claim to another part', (good) => xmp(good, (packet) => packet.replace('part>1', 'part>2'))],
  ['6.9', 'a field without an appearance', ({ field }) => field.delete('AP')],
  [
    '6.9',
    'a form that asks for appearances',
    ({ catalog }) => catalog.dict('AcroForm')?.set('NeedAppearances', true),
  ],
];

describe('checkArchive', () => {
  test('finds nothing in what was converted', () => {
    expect(checkArchive(good)).toEqual([]);
    expect(checkArchive(changed(() => {}))).toEqual([]);
  });

  test.each(mutations)('finds %s: %s', (clause, _, change) => {
    expect(clauses(changed(change))).toEqual([clause]);
  });

  test('finds bytes that are not as they must be', () => {
    expect(clauses(patched('%PDF-1.4', '%FDP-1.4'))).toContain('6.1.2');
    expect(clauses(patched('\u00e2\u00e3\u00cf\u00d3', 'abcd'))).toEqual(['6.1.2']);
    expect(clauses(Buffer.concat([good, Buffer.from('more')]))).toEqual(['6.1.3']);
    expect(clauses(patched('/ID [', '/Id ['))).toEqual(['6.1.3']);
    expect(clauses(patched('xref\n0 ', 'xref\n0\t'))).toEqual(['6.1.4']);
    expect(clauses(patched(' 0 obj\n', ' 0 obj '))).toEqual(['6.1.8']);
    expect(clauses(patched('endstream', ' endstream').subarray(0))).toContain('6.1.7');
    expect(clauses(patched('(Title)', '<54657>'))).toContain('6.1.6');
  });

  test('finds an object stream and a cross-reference stream', () => {
    const { document } = open();
    const root = document.trailer.raw('Root');
    if (!(root instanceof Ref)) throw new Error('the sample has no root');
    expect(clauses(writePdf({ root, version: '1.4', compact: true }))).toEqual(['6.1.4']);
  });
});
