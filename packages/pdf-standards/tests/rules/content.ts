import { Dict, name, Ref, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';
import { annotate, define, draw, form, streamOf } from './objects.ts';
import { objectSamples } from './rule-sample.ts';

const drawing = (content: string) => (sample: ConformingDocument) => {
  draw(sample, content);
};
const inForm =
  (content: string, entries: Readonly<Record<string, PdfObject>> = {}) =>
  (sample: ConformingDocument) => {
    define(sample, 'XObject', { F: form(content, { Resources: new Dict(), ...entries }) });
    draw(sample, '/F Do');
  };
const image = 'BI /W 1 /H 1 /BPC 8 /CS /G ID \u0080 EI';
const pagesOf = ({ catalog }: ConformingDocument) => catalog.dict('Pages') ?? new Dict();
const inheriting = (sample: ConformingDocument) => {
  pagesOf(sample).set('Resources', sample.page.raw('Resources'));
  sample.page.delete('Resources');
};

/**
 * Content streams with allowed and other operators, operands and resources (ISO 19005-1 6.2.10, ISO 19005-2
 * 6.2.2).
 */
export const CONTENT_SAMPLES = objectSamples({
  'an inline image': [true, drawing(image)],
  'a stray ID': [false, drawing('0 0 m ID 9 9 l S')],
  'a stray EI': [false, drawing('0 0 m EI 9 9 l S')],
  'an inline image within a compatibility section': [true, drawing(`BX ${image} EX`)],
  'an unknown operator': [false, drawing('q odd Q')],
  'an unknown operator within a compatibility section': [false, drawing('BX odd EX')],
  'an unknown operator with operands': [false, drawing('1 2 odd')],
  'an operator with the wrong case': [false, drawing('0 0 CM')],
  'operators without a space between them': [false, drawing('qQ')],
  'a comment': [true, drawing('q % odd\nQ')],
  'a comment directly after an operator': [false, drawing('q%odd\nQ')],
  'no content': [true, drawing('')],
  'more Q than q': [true, drawing('Q Q q Q')],
  'text state operators outside a text object': [true, drawing('12 Tw 1 Tc')],
  'a text operator outside a text object': [true, drawing('(x) Tj')],
  'ET without BT': [true, drawing('ET')],
  'nested text objects': [true, drawing('BT BT ET ET')],
  'a path without painting': [true, drawing('0 0 m 9 9 l')],
  'an operator with too few operands': [true, drawing('1 0 0 re')],
  'an operator with a wrong operand': [true, drawing('/A w')],
  'an odd hexadecimal string': [false, drawing('BT /F 12 Tf <544> Tj ET')],
  'a hexadecimal string with a letter': [false, drawing('BT /F 12 Tf <54G5> Tj ET')],
  'a hexadecimal string in an array': [false, drawing('BT /F 12 Tf [<544>] TJ ET')],
  'a hexadecimal string in properties': [false, drawing('/A <</B <544>>> BDC EMC')],
  'an unknown intent': [false, drawing('/Odd ri')],
  'an intent': [true, drawing('/Saturation ri')],
  'an unknown intent of an inline image': [false, drawing(image.replace(' ID', ' /Intent /Odd ID'))],
  'an intent of an inline image': [true, drawing(image.replace(' ID', ' /Intent /Perceptual ID'))],
  'an interpolated inline image': [false, drawing(image.replace(' ID', ' /I true ID'))],
  'an inline image in LZW': [false, drawing(image.replace(' ID', ' /F /LZW ID'))],
  'an inline image with an unknown filter': ['1b', drawing(image.replace(' ID', ' /F /Odd ID'))],
  'an inline image with a full filter name': [
    true,
    drawing(image.replace(' ID \u0080', ' /F /ASCIIHexDecode ID 80>')),
  ],
  'an inline image of 16 bits': [
    '2b',
    drawing(image.replace('/BPC 8', '/BPC 16').replace('\u0080', '\u0080\u0080')),
  ],
  'an inline image of 3 bits': [false, drawing(image.replace('/BPC 8', '/BPC 3'))],
  'an inline mask of one bit': [true, drawing('BI /W 1 /H 1 /BPC 1 /IM true ID \u0080 EI')],
  'an inline image in CMYK': [false, drawing('BI /W 1 /H 1 /BPC 8 /CS /CMYK ID abcd EI')],
  '28 nested states': [true, drawing(`${'q '.repeat(28)}${'Q '.repeat(28)}`)],
  '29 nested states': [false, drawing(`${'q '.repeat(29)}${'Q '.repeat(29)}`)],
  'a real of 32,768': ['2b', drawing('32768.5 w')],
  'an integer of 2^31': [false, drawing('2147483648 w')],
  'an integer of -2^31': [true, drawing('-2147483648 w')],
  'a real close to zero': ['1b', drawing(`0.${'0'.repeat(40)}1 w`)],
  'a name of 128 bytes': [false, drawing(`/${'n'.repeat(128)} MP`)],
  'a name of 127 bytes': [true, drawing(`/${'n'.repeat(127)} MP`)],

  'an unknown operator in a form XObject': [false, inForm('odd')],
  'an unknown operator in an appearance': [
    false,
    (sample) => {
      const stamp = { Type: name('Annot'), Subtype: name('Stamp'), Rect: [0, 0, 9, 9], F: 4 };
      annotate(sample, Dict.of({ ...stamp, AP: Dict.of({ N: form('odd', { Resources: new Dict() }) }) }));
    },
  ],
  'an unknown operator in a pattern': [
    false,
    (sample) => {
      const entries = { PatternType: 1, PaintType: 1, TilingType: 1, BBox: [0, 0, 9, 9], XStep: 9, YStep: 9 };
      define(sample, 'Pattern', { P: Ref.to(streamOf('odd', { ...entries, Resources: new Dict() })) });
      draw(sample, '/Pattern cs /P scn 0 0 9 9 re f');
    },
  ],
  'an unknown operator in a glyph': [
    false,
    (sample) => {
      defineType3(sample, 'odd');
    },
  ],
  'a glyph without a width': [
    false,
    (sample) => {
      defineType3(sample, '0 0 9 9 re f');
    },
  ],
  'a glyph with another width': [
    false,
    (sample) => {
      defineType3(sample, '12 0 0 0 9 9 d1 0 0 9 9 re f');
    },
  ],
  'a glyph with a slightly different width': [
    true,
    (sample) => {
      defineType3(sample, '10.5 0 d0 0 0 9 9 re f');
    },
  ],
  'a character without a glyph': [
    false,
    (sample) => {
      defineType3(sample, '10 0 d0 0 0 9 9 re f');
      draw(sample, 'BT /T 9 Tf (ab) Tj ET');
    },
  ],
  'a Type 3 font': [
    true,
    (sample) => {
      defineType3(sample, '10 0 0 0 9 9 d1 0 0 9 9 re f');
    },
  ],
  'a form XObject without resources that uses none': [
    true,
    (sample) => {
      define(sample, 'XObject', { F: form('0 0 9 9 re f') });
      draw(sample, '/F Do');
    },
  ],
  'a form XObject that uses resources of the page': [
    '1b',
    (sample) => {
      define(sample, 'XObject', { F: form('/G gs') });
      draw(sample, '/F Do');
    },
  ],
  'a form XObject with other resources that uses those of the page': [
    '1b',
    inForm('/G gs', { Resources: Dict.of({ Font: new Dict() }) }),
  ],
  'a form XObject that uses a font of the page': ['1b', inForm('BT /F 12 Tf (T) Tj ET')],
  'a form XObject that uses a colour space of the page': ['1b', inForm('/S cs 1 scn')],
  'resources that no one defines': [true, drawing('/Odd gs')],
  'a page that inherits its resources': ['1b', inheriting],
  'a page that inherits resources and uses none': [
    true,
    (sample) => {
      inheriting(sample);
      draw(sample, '0 0 9 9 re f');
    },
  ],
  'a page without resources that uses none': [
    true,
    (sample) => {
      sample.page.delete('Resources');
      draw(sample, '0 0 9 9 re f');
    },
  ],
  'contents in two streams': [
    true,
    ({ page }) => page.set('Contents', [Ref.to(streamOf('q 0 0 9')), Ref.to(streamOf('9 re f Q'))]),
  ],
  'a token over two streams': [
    false,
    ({ page }) => page.set('Contents', [Ref.to(streamOf('q 0 0 9 9 r')), Ref.to(streamOf('e f Q'))]),
  ],
});

function defineType3(sample: ConformingDocument, glyph: string): void {
  const font = Dict.of({
    Type: name('Font'),
    Subtype: name('Type3'),
    FontBBox: [0, 0, 10, 10],
    FontMatrix: [0.1, 0, 0, 0.1, 0, 0],
    CharProcs: Dict.of({ a: Ref.to(streamOf(glyph)) }),
    Encoding: Dict.of({ Type: name('Encoding'), Differences: [97, name('a')] }),
    FirstChar: 97,
    LastChar: 97,
    Widths: [10],
    Resources: new Dict(),
  });
  define(sample, 'Font', { T: font });
  draw(sample, 'BT /T 9 Tf (a) Tj ET');
}
