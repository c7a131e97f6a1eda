import { Dict, name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';
import { define, draw, form, iccRgb, outputIntent, streamOf, text } from './objects.ts';
import { objectSamples } from './rule-sample.ts';

const withoutIntent =
  (content: string, spaces: (sample: ConformingDocument) => Record<string, PdfObject> = () => ({})) =>
  (sample: ConformingDocument) => {
    const defined = spaces(sample);
    bare(sample);
    define(sample, 'ColorSpace', defined);
    draw(sample, content);
  };
/** Removes everything that has a colour, and the output intent. */
function bare({ catalog, page, resources }: ConformingDocument): void {
  catalog.delete('OutputIntents', 'AcroForm');
  page.delete('Annots');
  resources.delete('XObject', 'ColorSpace');
}
const state = ({ resources }: ConformingDocument) => resources.dict('ExtGState')?.dict('G') ?? new Dict();
const rectangle = '0 0 9 9 re f';
const calGray = [name('CalGray'), Dict.of({ WhitePoint: [0.95, 1, 1.09] })];
const calRgb = [name('CalRGB'), Dict.of({ WhitePoint: [0.95, 1, 1.09] })];
const tint = (C0: number[], C1: number[]) => Dict.of({ FunctionType: 2, Domain: [0, 1], C0, C1, N: 1 });

/** The smallest CMYK profile that validators read: a header without tags. */
function cmykProfile(): PdfStream {
  const data = Buffer.alloc(132);
  data.writeUInt32BE(132, 0);
  data.writeUInt8(2, 8);
  data.write('prtrCMYKLab ', 12, 'latin1');
  data.write('acsp', 36, 'latin1');
  return new PdfStream(Dict.of({ N: 4 }), data);
}
const overprint =
  (entries: Readonly<Record<string, PdfObject>>, content: string) => (sample: ConformingDocument) => {
    const space = [name('ICCBased'), Ref.to(cmykProfile())];
    define(sample, 'ColorSpace', { K: space });
    define(sample, 'ExtGState', { O: Dict.of({ Type: name('ExtGState'), ...entries }) });
    draw(sample, content);
  };
const FILL = `/O gs /K cs 0 0 0 1 sc ${rectangle}`;
const STROKE = '/O gs /K CS 0 0 0 1 SC 0 0 m 9 9 l S';

/**
 * Colour spaces, output intents, overprint, graphics states and halftones (ISO 19005-1 6.2.2 to 6.2.9, ISO
 * 19005-2 6.2.3 to 6.2.6).
 */
export const COLOUR_SAMPLES = objectSamples({
  'no output intent and no colour': [true, withoutIntent('q Q')],
  'no output intent and black by default': [false, withoutIntent(rectangle)],
  'no output intent and grey': [false, withoutIntent(`0 g ${rectangle}`)],
  'no output intent and RGB': [false, withoutIntent(`1 0 0 rg ${rectangle}`)],
  'no output intent and text': [false, withoutIntent('BT /F 12 Tf (T) Tj ET')],
  'no output intent and DefaultRGB': [
    true,
    withoutIntent(`1 0 0 rg ${rectangle}`, (sample) => ({ DefaultRGB: iccRgb(sample) })),
  ],
  'no output intent and a calibrated DefaultRGB': [
    true,
    withoutIntent(`1 0 0 rg ${rectangle}`, () => ({ DefaultRGB: calRgb })),
  ],
  'no output intent and DefaultRGB for grey': [
    false,
    withoutIntent(`0 g ${rectangle}`, (sample) => ({ DefaultRGB: iccRgb(sample) })),
  ],
  'no output intent and DefaultGray': [
    true,
    withoutIntent(`0 g ${rectangle}`, () => ({ DefaultGray: calGray })),
  ],
  'no output intent and DefaultRGB that is DeviceRGB': [
    false,
    withoutIntent(`1 0 0 rg ${rectangle}`, () => ({ DefaultRGB: name('DeviceRGB') })),
  ],
  'no output intent and DefaultRGB for a colour space by name': [
    true,
    withoutIntent(`/DeviceRGB cs 1 0 0 sc ${rectangle}`, (sample) => ({ DefaultRGB: iccRgb(sample) })),
  ],
  'no output intent and DefaultRGB for an inline image': [
    true,
    withoutIntent('BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI', (sample) => ({ DefaultRGB: iccRgb(sample) })),
  ],
  'no output intent and an inline image': [false, withoutIntent('BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI')],
  'no output intent and an image with DefaultRGB': [
    true,
    (sample) => {
      const { image } = sample;
      image.dict.set('ColorSpace', name('DeviceRGB'));
      withoutIntent('q /I Do Q', (it) => ({ DefaultRGB: iccRgb(it) }))(sample);
      define(sample, 'XObject', {
        I: Ref.to(new PdfStream(image.dict.delete('Filter'), Buffer.from('abc'))),
      });
    },
  ],
  'no output intent and an image': [
    false,
    (sample) => {
      const { image } = sample;
      withoutIntent('q /I Do Q')(sample);
      define(sample, 'XObject', { I: Ref.to(image) });
    },
  ],
  'no output intent and an unused colour space': [
    true,
    withoutIntent('q Q', () => ({ U: [name('Indexed'), name('DeviceRGB'), 0, Ref.to(streamOf('abc'))] })),
  ],
  'no output intent and an indexed colour space': [
    false,
    withoutIntent(`/U cs 0 sc ${rectangle}`, () => ({
      U: [name('Indexed'), name('DeviceRGB'), 0, Ref.to(streamOf('abc'))],
    })),
  ],
  'no output intent and DefaultRGB for an indexed colour space': [
    true,
    withoutIntent(`/U cs 0 sc ${rectangle}`, (sample) => ({
      U: [name('Indexed'), name('DeviceRGB'), 0, Ref.to(streamOf('abc'))],
      DefaultRGB: iccRgb(sample),
    })),
  ],
  'no output intent and a separation in RGB with DefaultRGB': [
    true,
    withoutIntent(`/U cs 1 sc ${rectangle}`, (sample) => ({
      U: [name('Separation'), name('A'), name('DeviceRGB'), tint([1, 1, 1], [1, 0, 0])],
      DefaultRGB: iccRgb(sample),
    })),
  ],
  'no output intent and a form XObject with its own DefaultRGB': [
    true,
    (sample) => {
      const space = iccRgb(sample);
      withoutIntent('/F Do')(sample);
      const Resources = Dict.of({ ColorSpace: Dict.of({ DefaultRGB: space }) });
      define(sample, 'XObject', { F: form(`1 0 0 rg ${rectangle}`, { Resources }) });
    },
  ],
  'no output intent and a form XObject under a DefaultRGB of the page': [
    false,
    (sample) => {
      withoutIntent('/F Do', (it) => ({ DefaultRGB: iccRgb(it) }))(sample);
      define(sample, 'XObject', { F: form(`1 0 0 rg ${rectangle}`, { Resources: new Dict() }) });
    },
  ],
  'no output intent and DefaultCMYK': [
    true,
    withoutIntent(`0 0 0 1 k ${rectangle}`, () => ({
      DefaultCMYK: [name('ICCBased'), Ref.to(cmykProfile())],
    })),
  ],
  'CMYK with an RGB output intent': [false, (sample) => draw(sample, `0 0 0 1 k ${rectangle}`)],
  'an RGB output intent and grey': [true, (sample) => draw(sample, `0 g ${rectangle}`)],
  'a colour space in the resources that is not used': [
    true,
    (sample) =>
      define(sample, 'ColorSpace', { U: [name('Indexed'), name('DeviceCMYK'), 0, Ref.to(streamOf('abcd'))] }),
  ],
  'an output intent of PDF/X': [false, (sample) => outputIntent(sample).set('S', name('GTS_PDFX'))],
  'an output intent of PDF/X beside that of PDF/A': [
    true,
    (sample) => {
      const intent = outputIntent(sample).copy().set('S', name('GTS_PDFX'));
      sample.catalog.array('OutputIntents')?.push(Ref.to(intent));
    },
  ],
  'an output intent of PDF/X with a reference to a profile': [
    '1b',
    (sample) => {
      const intent = Dict.of({
        S: name('GTS_PDFX'),
        OutputConditionIdentifier: name('x'),
        DestOutputProfileRef: new Dict(),
      });
      sample.catalog.array('OutputIntents')?.push(Ref.to(intent));
    },
  ],
  'two output intents with equal but different profiles': [
    false,
    (sample) => {
      const profile = outputIntent(sample).get('DestOutputProfile') as PdfStream;
      const copy = Ref.to(new PdfStream(profile.dict.copy(), profile.raw));
      const intent = outputIntent(sample).copy().set('DestOutputProfile', copy);
      sample.catalog.array('OutputIntents')?.push(Ref.to(intent));
    },
  ],
  'an output profile with a wrong N': [
    '2b',
    (sample) => (outputIntent(sample).get('DestOutputProfile') as PdfStream).dict.set('N', 4),
  ],
  'an output profile without N': [
    '2b',
    (sample) => (outputIntent(sample).get('DestOutputProfile') as PdfStream).dict.delete('N'),
  ],

  'overprint mode 1 with overprint': ['1b', overprint({ OP: true, op: true, OPM: 1 }, FILL)],
  'overprint mode 1 with overprint of fills': ['1b', overprint({ op: true, OPM: 1 }, FILL)],
  'overprint mode 1 with overprint of strokes': ['1b', overprint({ OP: true, OPM: 1 }, STROKE)],
  'overprint mode 1 with overprint of strokes and op absent': ['1b', overprint({ OP: true, OPM: 1 }, FILL)],
  'overprint mode 1 without overprint': [true, overprint({ OP: false, op: false, OPM: 1 }, FILL)],
  'overprint mode 0': [true, overprint({ OP: true, op: true, OPM: 0 }, FILL)],
  'overprint without a mode': [true, overprint({ OP: true, op: true }, FILL)],
  'overprint of strokes alone for a fill': [true, overprint({ OP: true, op: false, OPM: 1 }, FILL)],
  'overprint of fills alone for a stroke': [true, overprint({ OP: false, op: true, OPM: 1 }, STROKE)],
  'overprint after the state is restored': [
    true,
    overprint({ op: true, OPM: 1 }, `q /O gs Q /K cs 0 0 0 1 sc ${rectangle}`),
  ],
  'overprint in grey': [true, overprint({ OP: true, op: true, OPM: 1 }, `/O gs 0 g ${rectangle}`)],
  'overprint set after the colour space': [
    '1b',
    overprint({ op: true, OPM: 1 }, `/K cs 0 0 0 1 sc /O gs ${rectangle}`),
  ],
  'overprint without painting': [true, overprint({ op: true, OPM: 1 }, '/O gs /K cs 0 0 0 1 sc')],
  'overprint for text': [
    '1b',
    overprint({ op: true, OPM: 1 }, '/O gs /K cs 0 0 0 1 sc BT /F 12 Tf (T) Tj ET'),
  ],
  'overprint in a form XObject': [
    '1b',
    (sample) => {
      overprint({ op: true, OPM: 1 }, '/O gs /F Do')(sample);
      const Resources = Dict.of({ ColorSpace: sample.resources.dict('ColorSpace') });
      define(sample, 'XObject', { F: form(`/K cs 0 0 0 1 sc ${rectangle}`, { Resources }) });
    },
  ],

  'overprint of an image': [
    true,
    (sample) => {
      overprint({ op: true, OPM: 1 }, 'q /O gs /I Do Q')(sample);
      const space = sample.resources.dict('ColorSpace')?.raw('K') ?? null;
      const dict = sample.image.dict.copy().delete('Filter', 'Length').set('ColorSpace', space);
      define(sample, 'XObject', { I: Ref.to(new PdfStream(dict, Buffer.from('abcd'))) });
    },
  ],
  'overprint of a shading': [
    true,
    (sample) => {
      overprint({ op: true, OPM: 1 }, 'q /O gs /H sh Q')(sample);
      const ColorSpace = sample.resources.dict('ColorSpace')?.raw('K') ?? null;
      const Function = Dict.of({ FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1: [0, 0, 0, 1], N: 1 });
      define(sample, 'Shading', {
        H: Dict.of({ ShadingType: 2, ColorSpace, Coords: [0, 0, 9, 9], Function }),
      });
    },
  ],
  'overprint of a separation': [
    true,
    (sample) => {
      overprint({ op: true, OPM: 1 }, `/O gs /S cs 1 sc ${rectangle}`)(sample);
      const space = sample.resources.dict('ColorSpace')?.raw('K') ?? null;
      define(sample, 'ColorSpace', {
        S: [name('Separation'), name('A'), space, tint([0, 0, 0, 0], [0, 0, 0, 1])],
      });
    },
  ],
  'overprint of a colour of the page in a form XObject': [
    '1b',
    (sample) => {
      overprint({ op: true, OPM: 1 }, '/K cs 0 0 0 1 sc /F Do')(sample);
      const Resources = Dict.of({ ExtGState: sample.resources.dict('ExtGState') });
      define(sample, 'XObject', { F: form(`/O gs ${rectangle}`, { Resources }) });
    },
  ],
  'overprint of DeviceCMYK with an ICC-based DefaultCMYK': [
    '1b',
    (sample) => {
      overprint({ op: true, OPM: 1 }, `/O gs 0 0 0 1 k ${rectangle}`)(sample);
      define(sample, 'ColorSpace', { DefaultCMYK: [name('ICCBased'), Ref.to(cmykProfile())] });
    },
  ],
  'no output intent and a form XObject that paints in the initial colour': [
    false,
    (sample) => {
      withoutIntent('/F Do')(sample);
      define(sample, 'XObject', { F: form(rectangle, { Resources: new Dict() }) });
    },
  ],
  'no output intent and a form XObject that paints in a colour of the page': [
    true,
    (sample) => {
      const C = iccRgb(sample);
      withoutIntent('/C cs 1 0 0 sc /C CS 1 0 0 SC /F Do', () => ({ C }))(sample);
      define(sample, 'XObject', { F: form(rectangle, { Resources: new Dict() }) });
    },
  ],
  'no output intent and black by default with DefaultGray': [
    true,
    withoutIntent(rectangle, () => ({ DefaultGray: calGray })),
  ],
  'no output intent and an image mask in the initial colour': [
    false,
    withoutIntent('BI /W 1 /H 1 /BPC 1 /IM true ID \u0080 EI'),
  ],
  'no output intent and strokes in the initial colour': [false, withoutIntent('0 0 m 9 9 l S')],
  'no output intent and invisible text': [true, withoutIntent('BT /F 12 Tf 3 Tr (T) Tj ET')],
  'no output intent and an annotation with a colour': [
    '2b',
    (sample) => {
      const { page, link } = sample;
      withoutIntent('q Q')(sample);
      page.set('Annots', [Ref.to(link.set('C', [1, 0, 0]))]);
    },
  ],

  'a transfer function': [false, (sample) => state(sample).set('TR', name('Identity'))],
  'a default transfer function': [true, (sample) => state(sample).set('TR2', name('Default'))],
  'another second transfer function': [false, (sample) => state(sample).set('TR2', name('Identity'))],
  'a halftone of type 1': [true, (sample) => state(sample).set('HT', halftone(1))],
  'a halftone of type 5': [
    true,
    (sample) => state(sample).set('HT', Dict.of({ HalftoneType: 5, Default: halftone(1) })),
  ],
  'a halftone of type 6': ['1b', (sample) => state(sample).set('HT', halftone(6))],
  'a halftone without a type': ['1b', (sample) => state(sample).set('HT', new Dict())],
  'a default halftone': [true, (sample) => state(sample).set('HT', name('Default'))],
  'a halftone with a name': [
    '1b',
    (sample) => state(sample).set('HT', halftone(1).set('HalftoneName', text('a'))),
  ],
  'a halftone of type 5 with one of type 6': [
    '1b',
    (sample) => state(sample).set('HT', Dict.of({ HalftoneType: 5, Default: halftone(6) })),
  ],
  'a halftone with a transfer function': [
    '1b',
    (sample) => state(sample).set('HT', halftone(1).set('TransferFunction', name('Identity'))),
  ],
  'a halftone of a primary colour with a transfer function': [
    '1b',
    (sample) =>
      state(sample).set(
        'HT',
        Dict.of({
          HalftoneType: 5,
          Default: halftone(1),
          Cyan: halftone(1).set('TransferFunction', name('Identity')),
        }),
      ),
  ],
  'a halftone of a spot colour without a transfer function': [
    '1b',
    (sample) =>
      state(sample).set('HT', Dict.of({ HalftoneType: 5, Default: halftone(1), Spot: halftone(1) })),
  ],
  'a halftone of a spot colour with a transfer function': [
    true,
    (sample) =>
      state(sample).set(
        'HT',
        Dict.of({
          HalftoneType: 5,
          Default: halftone(1),
          Spot: halftone(1).set('TransferFunction', name('Identity')),
        }),
      ),
  ],
  'a halftone phase': ['1b', (sample) => state(sample).set('HTP', [0, 0])],
  'an unknown blend mode': [false, (sample) => state(sample).set('BM', name('Odd'))],
  'a list of blend modes': ['2b', (sample) => state(sample).set('BM', [name('Multiply')])],
  'a list with an unknown blend mode': [
    false,
    (sample) => state(sample).set('BM', [name('Odd'), name('Normal')]),
  ],
  'a rendering intent of an image': [true, ({ image }) => image.dict.set('Intent', name('Perceptual'))],
  'an unknown rendering intent of an image': [false, ({ image }) => image.dict.set('Intent', name('Odd'))],
  'an unknown rendering intent of a state': [false, (sample) => state(sample).set('RI', name('Odd'))],
  'transparency without an output intent': [
    false,
    (sample) => {
      withoutIntent(`/G gs ${rectangle}`)(sample);
      state(sample).set('ca', 0.5);
    },
  ],
  'transparency without an output intent but with a group colour space': [
    '2b',
    (sample) => {
      const CS = iccRgb(sample);
      withoutIntent(`/G gs /C cs 1 0 0 sc ${rectangle}`, () => ({ C: CS }))(sample);
      state(sample).set('ca', 0.5);
      sample.page.set('Group', Dict.of({ S: name('Transparency'), CS }));
    },
  ],
});

function halftone(type: number): Dict {
  return Dict.of({
    Type: name('Halftone'),
    HalftoneType: type,
    Frequency: 60,
    Angle: 45,
    SpotFunction: name('Round'),
  });
}
