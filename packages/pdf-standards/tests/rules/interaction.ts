import { Dict, name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';
import { annotate, define, draw, form, streamOf, text } from './objects.ts';
import { objectSamples } from './rule-sample.ts';

type Entries = Readonly<Record<string, PdfObject>>;
const appearance = () => Dict.of({ N: form('0 0 9 9 re f', { Resources: new Dict() }) });
const annotation = (entries: Entries) =>
  Dict.of({
    Type: name('Annot'),
    Subtype: name('Stamp'),
    Rect: [0, 0, 9, 9],
    F: 4,
    AP: appearance(),
    ...entries,
  });
const withAnnotation =
  (entries: Entries, ...without: string[]) =>
  (sample: ConformingDocument) => {
    annotate(sample, annotation(entries).delete(...without));
  };
const withAction =
  (entries: Entries) =>
  ({ link }: ConformingDocument) =>
    link.set('A', Dict.of(entries));
const layers =
  (configuration: Entries, more: Entries = {}) =>
  ({ catalog }: ConformingDocument) => {
    const group = Ref.to(Dict.of({ Type: name('OCG'), Name: text('a') }));
    catalog.set('OCProperties', Dict.of({ OCGs: [group], D: Dict.of(configuration), ...more }));
  };
const script = () => Dict.of({ S: name('JavaScript'), JS: text('1') });
const metadata = (xml: string, entries: Entries = {}) =>
  Ref.to(streamOf(xml, { Type: name('Metadata'), Subtype: name('XML'), ...entries }));
const RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">';
const UNKNOWN = `${RDF}<rdf:Description rdf:about="" xmlns:x="urn:x#"><x:a>1</x:a></rdf:Description></rdf:RDF>`;

/**
 * Annotations, actions, forms, layers, attachments and other entries of dictionaries (ISO 19005-2 6.3 to
 * 6.11).
 */
export const INTERACTION_SAMPLES = objectSamples({
  'a stamp': [true, withAnnotation({})],
  'a stamp without an appearance': ['1b', withAnnotation({}, 'AP')],
  'a stamp without an area and an appearance': [true, withAnnotation({ Rect: [5, 5, 5, 5] }, 'AP')],
  'a stamp without flags': [false, withAnnotation({}, 'F')],
  'a stamp that is not printed': [false, withAnnotation({ F: 0 })],
  'an invisible stamp': [false, withAnnotation({ F: 5 })],
  'a hidden stamp': [false, withAnnotation({ F: 6 })],
  'a stamp that is not viewed': [false, withAnnotation({ F: 36 })],
  'a stamp that toggles its visibility': ['1b', withAnnotation({ F: 260 })],
  'a note without the flags NoZoom and NoRotate': [true, withAnnotation({ Subtype: name('Text') })],
  'a note without an appearance': ['1b', withAnnotation({ Subtype: name('Text') }, 'AP')],
  'a pop-up without flags': ['2b', withAnnotation({ Subtype: name('Popup') }, 'F', 'AP')],
  'a hidden pop-up': [false, withAnnotation({ Subtype: name('Popup'), F: 6 }, 'AP')],
  'a stamp with an opacity': ['2b', withAnnotation({ CA: 0.5 })],
  'a stamp with an opacity of 1': [true, withAnnotation({ CA: 1 })],
  'a polygon': ['2b', withAnnotation({ Subtype: name('Polygon') })],
  'a watermark': ['2b', withAnnotation({ Subtype: name('Watermark') })],
  'a movie': [false, withAnnotation({ Subtype: name('Movie') })],
  'a sound': [false, withAnnotation({ Subtype: name('Sound') })],
  'a 3D annotation': [false, withAnnotation({ Subtype: name('3D') })],
  'an annotation without a type': [false, withAnnotation({}, 'Subtype')],
  'an appearance with states of a stamp': [
    false,
    withAnnotation({ AP: Dict.of({ N: Dict.of({ A: form('', { Resources: new Dict() }) }) }) }),
  ],
  'a rollover appearance': [
    false,
    withAnnotation({
      AP: Dict.of({ N: form('', { Resources: new Dict() }), R: form('', { Resources: new Dict() }) }),
    }),
  ],
  'an appearance without N': [
    false,
    withAnnotation({ AP: Dict.of({ D: form('', { Resources: new Dict() }) }) }),
  ],
  'an empty appearance': [false, withAnnotation({ AP: new Dict() })],
  'an annotation with a colour': [true, withAnnotation({ C: [1, 0, 0] })],
  'additional actions of a stamp': [false, withAnnotation({ AA: Dict.of({ E: script() }) })],
  'an allowed additional action of a stamp': [
    true,
    withAnnotation({ AA: Dict.of({ E: Dict.of({ S: name('URI'), URI: text('x') }) }) }),
  ],

  'a link to a page': [true, ({ link, page }) => link.delete('A').set('Dest', [Ref.to(page), name('Fit')])],
  'an action to a page': [
    true,
    ({ link, page }) => link.set('A', Dict.of({ S: name('GoTo'), D: [Ref.to(page), name('Fit')] })),
  ],
  'an action to another file': [
    true,
    withAction({ S: name('GoToR'), F: text('a.pdf'), D: [0, name('Fit')] }),
  ],
  'an action to an embedded file': ['2b', withAction({ S: name('GoToE'), D: [0, name('Fit')] })],
  'a script': [false, withAction({ S: name('JavaScript'), JS: text('1') })],
  'an action that launches': [false, withAction({ S: name('Launch'), F: text('x') })],
  'an action that hides': [false, withAction({ S: name('Hide'), T: text('a') })],
  'an action that sets the state of layers': [false, withAction({ S: name('SetOCGState'), State: [] })],
  'an action that submits a form': [true, withAction({ S: name('SubmitForm'), F: text('x') })],
  'an action that resets a form': [false, withAction({ S: name('ResetForm') })],
  'an action that imports data': [false, withAction({ S: name('ImportData'), F: text('x') })],
  'a named action': [true, withAction({ S: name('Named'), N: name('LastPage') })],
  'another named action': [false, withAction({ S: name('Named'), N: name('Print') })],
  'an action without a type': [false, withAction({ N: name('LastPage') })],
  'a script after an action': [false, ({ link }) => link.dict('A')?.set('Next', script())],
  'a script of an outline item': [
    false,
    ({ catalog }) => catalog.dict('Outlines')?.dict('First')?.set('A', script()),
  ],
  'a script when the document opens': [false, ({ catalog }) => catalog.set('OpenAction', script())],
  'additional actions of the document': [
    false,
    ({ catalog }) => catalog.set('AA', Dict.of({ WC: script() })),
  ],
  'additional actions of a page': [false, ({ page }) => page.set('AA', Dict.of({ O: script() }))],
  'an allowed additional action of a page': [
    '1b',
    ({ page }) => page.set('AA', Dict.of({ O: Dict.of({ S: name('URI'), URI: text('x') }) })),
  ],
  'an action of a field': [false, ({ field }) => field.set('A', Dict.of({ S: name('URI'), URI: text('x') }))],
  'additional actions of a field': [false, ({ field }) => field.set('AA', Dict.of({ K: script() }))],
  'a field without an appearance': [false, ({ field }) => field.delete('AP')],
  'a form that needs appearances': [
    false,
    ({ catalog }) => catalog.dict('AcroForm')?.set('NeedAppearances', true),
  ],
  'a form that does not need appearances': [
    true,
    ({ catalog }) => catalog.dict('AcroForm')?.set('NeedAppearances', false),
  ],
  'a form in XFA': ['1b', ({ catalog }) => catalog.dict('AcroForm')?.set('XFA', Ref.to(streamOf('<a/>')))],
  'a document that needs rendering': ['1b', ({ catalog }) => catalog.set('NeedsRendering', true)],

  layers: ['2b', layers({ Name: text('a') })],
  'layers without a name': [false, layers({})],
  'layers with an empty name': [false, layers({ Name: text('') })],
  'layers with two equal names': [
    false,
    layers({ Name: text('a') }, { Configs: [Dict.of({ Name: text('a') })] }),
  ],
  'layers with two names': ['2b', layers({ Name: text('a') }, { Configs: [Dict.of({ Name: text('b') })] })],
  'layers with automatic states': [false, layers({ Name: text('a'), AS: [] })],
  'an order without a layer': [false, layers({ Name: text('a'), Order: [] })],

  'permissions of usage rights': [true, ({ catalog }) => catalog.set('Perms', Dict.of({ UR3: new Dict() }))],
  'unknown permissions': ['1b', ({ catalog }) => catalog.set('Perms', Dict.of({ Odd: new Dict() }))],
  'permissions of a signature with a digest': [
    '1b',
    ({ catalog, page }) => {
      const reference = Dict.of({ TransformMethod: name('DocMDP'), DigestMethod: name('MD5') });
      const signature = Ref.to(Dict.of({ Type: name('Sig'), Reference: [reference] }));
      catalog.set('Perms', Dict.of({ DocMDP: signature }));
      const field = annotation({ Subtype: name('Widget'), FT: name('Sig'), T: text('s'), V: signature });
      annotate({ page } as ConformingDocument, field);
      catalog.dict('AcroForm')?.array('Fields')?.push(Ref.to(field));
    },
  ],
  requirements: ['1b', ({ catalog }) => catalog.set('Requirements', [])],
  'alternate presentations': [
    '1b',
    ({ catalog }) => catalog.set('Names', Dict.of({ AlternatePresentations: new Dict() })),
  ],
  'presentation steps': ['1b', ({ page }) => page.set('PresSteps', new Dict())],
  'embedded files': [
    false,
    ({ catalog }) => {
      const file = Ref.to(streamOf('x', { Type: name('EmbeddedFile') }));
      const specification = Dict.of({
        Type: name('Filespec'),
        F: text('a'),
        UF: text('a'),
        EF: Dict.of({ F: file }),
      });
      catalog.set(
        'Names',
        Dict.of({ EmbeddedFiles: Dict.of({ Names: [text('a'), Ref.to(specification)] }) }),
      );
    },
  ],

  'metadata of an image': [true, ({ image }) => image.dict.set('Metadata', metadata(`${RDF}</rdf:RDF>`))],
  'metadata of an image with an unknown property': [
    '1b',
    ({ image }) => image.dict.set('Metadata', metadata(UNKNOWN)),
  ],
  'metadata of an image that is not XMP': ['1b', ({ image }) => image.dict.set('Metadata', metadata('odd'))],
  'metadata of a page with an unknown property': [
    '1b',
    ({ page }) => page.set('Metadata', metadata(UNKNOWN)),
  ],
  'metadata of a font with an unknown property': [
    '1b',
    ({ font }) => font.dict('FontDescriptor')?.set('Metadata', metadata(UNKNOWN)),
  ],
  'metadata of a form XObject with an unknown property': [
    '1b',
    ({ form: drawn }) => drawn.dict.set('Metadata', metadata(UNKNOWN)),
  ],

  'a stream in another file': [false, ({ form: drawn }) => drawn.dict.set('F', text('x'))],
  'a stream with an external filter': [
    false,
    ({ form: drawn }) => drawn.dict.set('FFilter', name('FlateDecode')),
  ],
  'a stream compressed with LZW': [false, ({ image }) => image.dict.set('Filter', name('LZWDecode'))],
  'a string of 32,768 bytes': ['1b', ({ catalog }) => catalog.set('Odd', text('x'.repeat(32_768)))],
  'a string of 32,767 bytes': [true, ({ catalog }) => catalog.set('Odd', text('x'.repeat(32_767)))],
  'a string of 65,536 bytes': [false, ({ catalog }) => catalog.set('Odd', text('x'.repeat(65_536)))],
  'a name of 128 bytes': [false, ({ catalog }) => catalog.set('Odd', name('n'.repeat(128)))],
  'a key of 128 bytes': [false, ({ catalog }) => catalog.set('n'.repeat(128), 1)],
  'an integer of 2^31': [false, ({ catalog }) => catalog.set('Odd', 2_147_483_648)],
  'an integer of -2^31': [true, ({ catalog }) => catalog.set('Odd', -2_147_483_648)],
  'a real of 32,767.5': ['2b', ({ catalog }) => catalog.set('Odd', 32_767.5)],
  'an array of 8,192 elements': [
    '2b',
    ({ catalog }) =>
      catalog.set(
        'Odd',
        Array.from({ length: 8192 }, () => 0),
      ),
  ],
  'a dictionary of 4,096 entries': [
    '2b',
    ({ catalog }) =>
      catalog.set('Odd', new Dict(Array.from({ length: 4096 }, (_, index) => [`k${index}`, 0] as const))),
  ],
  'a page of 2 units': ['1b', ({ page }) => page.set('MediaBox', [0, 0, 2, 200])],
  'a page of 14,401 units': ['1b', ({ page }) => page.set('MediaBox', [0, 0, 200, 14_401])],
  'a trim box of 2 units': ['1b', ({ page }) => page.set('TrimBox', [0, 0, 2, 200])],
  'a font name that is not UTF-8': ['1b', ({ font }) => font.set('BaseFont', name('ABCDEF+F\u00e9'))],
  'a structure type that is not UTF-8': [
    '1b',
    ({ catalog }) =>
      catalog.set(
        'StructTreeRoot',
        Ref.to(Dict.of({ Type: name('StructTreeRoot'), K: Ref.to(Dict.of({ S: name('\u00e9') })) })),
      ),
  ],

  'alternate images': [false, ({ image }) => image.dict.set('Alternates', [])],
  'an OPI entry of an image': [false, ({ image }) => image.dict.set('OPI', new Dict())],
  'an OPI entry of a form XObject': [false, ({ form: drawn }) => drawn.dict.set('OPI', new Dict())],
  'an interpolated image': [false, ({ image }) => image.dict.set('Interpolate', true)],
  'an image of 16 bits': ['2b', ({ image }) => image.dict.set('BitsPerComponent', 16)],
  'an image of 3 bits': [false, ({ image }) => image.dict.set('BitsPerComponent', 3)],
  'PostScript in a form XObject': [false, ({ form: drawn }) => drawn.dict.set('PS', Ref.to(streamOf('x')))],
  'PostScript as the second type of a form XObject': [
    false,
    ({ form: drawn }) => drawn.dict.set('Subtype2', name('PS')),
  ],
  'a reference XObject': [false, ({ form: drawn }) => drawn.dict.set('Ref', new Dict())],
  'a PostScript XObject': [
    false,
    (sample) => {
      define(sample, 'XObject', { P: Ref.to(streamOf('x', { Type: name('XObject'), Subtype: name('PS') })) });
      draw(sample, '/P Do');
    },
  ],
  'a transparency group': ['2b', ({ page }) => page.set('Group', Dict.of({ S: name('Transparency') }))],
  'a transparency group of a form XObject': [
    '2b',
    ({ form: drawn }) => drawn.dict.set('Group', Dict.of({ S: name('Transparency') })),
  ],
  'another group': [true, ({ page }) => page.set('Group', Dict.of({ S: name('Odd') }))],
  'a soft mask of an image': [
    '2b',
    ({ image }) => image.dict.set('SMask', Ref.to(new PdfStream(image.dict.copy(), image.raw))),
  ],
});
