import { decodeStream, Dict, name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import { CffProgram } from '../../../pdf/fonts/cff.ts';

import type { ConformingDocument } from '../conforming-sample.ts';
import { define, draw, streamOf, text } from './objects.ts';
import { objectSamples } from './rule-sample.ts';

const descriptorOf = ({ font }: ConformingDocument) => font.dict('FontDescriptor') ?? new Dict();
const systemInfo = (ordering: string, supplement: number) =>
  Dict.of({ Registry: text('Adobe'), Ordering: text(ordering), Supplement: supplement });
/** Gives the font the name of a subset. */
const asSubset = (change: (sample: ConformingDocument) => void) => (sample: ConformingDocument) => {
  sample.font.set('BaseFont', name('ABCDEF+Sample'));
  descriptorOf(sample).set('FontName', name('ABCDEF+Sample'));
  change(sample);
};
const programOf = (sample: ConformingDocument) => {
  const stream = descriptorOf(sample).get('FontFile3') as PdfStream;
  return new CffProgram(decodeStream(stream, sample.document.budget) ?? new Uint8Array());
};
const glyphNames = (sample: ConformingDocument) =>
  programOf(sample).glyphNames.filter((each) => each !== '.notdef');
const charSet = (change: (names: string[]) => string[]) =>
  asSubset((sample) => {
    const names = change(glyphNames(sample));
    descriptorOf(sample).set('CharSet', text(names.map((each) => `/${each}`).join('')));
  });

/** The data of a CMap that maps a two-byte code range to CIDs. */
function cmap({ ordering = 'Odd', mode = 0, cid = 0, from = '0000', to = '00ff' } = {}): string {
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo 3 dict dup begin /Registry (Adobe) def /Ordering (${ordering}) def /Supplement 0 def end def
/CMapName /Sample def /CMapType 1 def /WMode ${mode} def
1 begincodespacerange <0000> <ffff> endcodespacerange
1 begincidrange <${from}> <${to}> ${cid} endcidrange
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

interface Composite {
  encoding?: PdfObject;
  system?: Dict;
  baseFont?: string;
  /** The CIDSet, from the number of glyphs. */
  cidSet?: (count: number) => Uint8Array;
}

/** Shows the second glyph of the font program with a composite font. */
const composite =
  ({ encoding, system = systemInfo('Odd', 0), baseFont = 'Sample', cidSet }: Composite) =>
  (sample: ConformingDocument): void => {
    const program = programOf(sample);
    const source = descriptorOf(sample).get('FontFile3') as PdfStream;
    const file = new PdfStream(source.dict.copy().set('Subtype', name('CIDFontType0C')), source.raw);
    const descriptor = descriptorOf(sample).copy().delete('CharSet').set('FontFile3', Ref.to(file));
    descriptor.set('FontName', name(baseFont)).set('Flags', 4);
    if (cidSet) descriptor.set('CIDSet', Ref.to(new PdfStream(new Dict(), cidSet(program.glyphCount))));
    const descendant = Dict.of({
      Type: name('Font'),
      Subtype: name('CIDFontType0'),
      BaseFont: name(baseFont),
      CIDSystemInfo: system,
      FontDescriptor: Ref.to(descriptor),
      DW: Math.round(program.width(1)),
    });
    const font = Dict.of({
      Type: name('Font'),
      Subtype: name('Type0'),
      BaseFont: name(baseFont),
      Encoding: encoding ?? name('Identity-H'),
      DescendantFonts: [Ref.to(descendant)],
    });
    define(sample, 'Font', { C: Ref.to(font) });
    draw(sample, 'BT /C 12 Tf <0001> Tj ET');
  };
const embedded = (data: string, entries: Readonly<Record<string, PdfObject>> = {}) =>
  Ref.to(
    streamOf(data, {
      Type: name('CMap'),
      CMapName: name('Sample'),
      CIDSystemInfo: systemInfo('Odd', 0),
      ...entries,
    }),
  );
const latin1Of = (value: string) => Buffer.from(value).toString('latin1');
const utf8 = (value: string) => name(latin1Of(value));
/** Names the font in UTF-8. */
const named =
  (value: string) =>
  ({ font }: ConformingDocument): void => {
    font.set('BaseFont', utf8(value));
  };
/** Shows a space in a composite font with a predefined CMap. */
const predefined = (encoding: string, system: Dict) => (sample: ConformingDocument) => {
  composite({ encoding: name(encoding), system })(sample);
  draw(sample, 'BT /C 12 Tf <0020> Tj ET');
};
const all = (count: number) => {
  const set = new Uint8Array(Math.ceil(count / 8));
  for (let cid = 0; cid < count; cid++) set[cid >> 3] = (set[cid >> 3] ?? 0) | (128 >> (cid & 7));
  return set;
};

/** Fonts with other dictionaries, glyph lists and CMaps (ISO 19005-1 6.3, ISO 19005-2 6.2.11). */
export const FONT_SAMPLES = objectSamples({
  'a subset with all glyphs in CharSet': [true, charSet((names) => names)],
  'a subset without CharSet': ['2b', asSubset((sample) => descriptorOf(sample).delete('CharSet'))],
  'a subset with a glyph missing in CharSet': [false, charSet((names) => names.slice(1))],
  'a subset with an empty CharSet': [false, charSet(() => [])],
  'a whole font with a glyph missing in CharSet': [
    true,
    (sample) => {
      sample.font.set('BaseFont', name('Sample'));
      descriptorOf(sample).set('FontName', name('Sample')).set('CharSet', text('/odd'));
    },
  ],
  'a composite font': [true, composite({})],
  'a composite subset without CIDSet': ['2b', composite({ baseFont: 'ABCDEF+Sample' })],
  'a composite subset of named glyphs with all CIDs': [
    '1b',
    composite({ baseFont: 'ABCDEF+Sample', cidSet: all }),
  ],
  'a composite subset of named glyphs with no CIDs': [
    true,
    composite({ baseFont: 'ABCDEF+Sample', cidSet: () => new Uint8Array(1) }),
  ],
  'a whole composite font with no CIDs': [true, composite({ cidSet: () => new Uint8Array(1) })],
  'an embedded CMap': [true, composite({ encoding: embedded(cmap()) })],
  'an embedded CMap for another collection': [
    false,
    composite({ encoding: embedded(cmap({ ordering: 'Other' }), { CIDSystemInfo: systemInfo('Other', 0) }) }),
  ],
  'an embedded CMap with a vertical dictionary': [
    false,
    composite({ encoding: embedded(cmap(), { WMode: 1 }) }),
  ],
  'an embedded CMap with vertical data': [false, composite({ encoding: embedded(cmap({ mode: 1 })) })],
  'an embedded vertical CMap': [true, composite({ encoding: embedded(cmap({ mode: 1 }), { WMode: 1 }) })],
  'an embedded CMap with a large CID': [
    false,
    composite({
      encoding: embedded(cmap().replace('1 begincidrange', '2 begincidrange <0200> <0201> 70000')),
    }),
  ],
  'an embedded CMap that uses a predefined one': [
    true,
    composite({ encoding: embedded(cmap(), { UseCMap: name('Identity-H') }) }),
  ],
  'an embedded CMap that uses an unknown one': [
    false,
    composite({ encoding: embedded(cmap(), { UseCMap: name('Odd') }) }),
  ],
  'an embedded CMap of a lower supplement': [
    '1b',
    composite({ encoding: embedded(cmap()), system: systemInfo('Odd', 1) }),
  ],
  'an embedded CMap that uses one outside table 118': [
    false,
    composite({ encoding: embedded(cmap(), { UseCMap: name('78-H') }) }),
  ],
  'an embedded CMap without a supplement': [
    true,
    composite({
      encoding: embedded(cmap(), {
        CIDSystemInfo: Dict.of({ Registry: text('Adobe'), Ordering: text('Odd') }),
      }),
    }),
  ],
  'a CMap of the same supplement': ['2b', predefined('UniJIS-UCS2-H', systemInfo('Japan1', 4))],
  'a CMap of a higher supplement': ['2b', predefined('UniJIS-UCS2-H', systemInfo('Japan1', 0))],
  'a CMap of a lower supplement': [false, predefined('UniJIS-UCS2-H', systemInfo('Japan1', 5))],
  'a CMap of the latest supplement': ['2b', predefined('UniJIS-UTF16-H', systemInfo('Japan1', 5))],
  'a CMap of a later supplement than table 118': [
    false,
    predefined('UniJIS-UTF16-H', systemInfo('Japan1', 6)),
  ],
  'a CMap for a font without a supplement': [
    '2b',
    predefined('UniGB-UCS2-H', Dict.of({ Registry: text('Adobe'), Ordering: text('GB1') })),
  ],
  'a CMap for another collection': [false, predefined('UniGB-UCS2-H', systemInfo('Japan1', 0))],
  'a CMap outside table 118': [false, predefined('UniJIS2004-UTF16-H', systemInfo('Japan1', 0))],
  'a font name in UTF-8': [true, named('\u7684')],
  'a font name in UTF-8 within Latin-1': ['1b', named('F\u00e9')],
  'a font name in UTF-8 with characters of Latin-1 and others': ['1b', named('F\u00e9\u7684')],
  'a font name in Latin-1': [
    '1b',
    ({ font }) => {
      font.set('BaseFont', name('F\u00e9'));
    },
  ],
  'the name of a font descriptor in UTF-8 within Latin-1': [
    true,
    (sample) => {
      descriptorOf(sample).set('FontName', utf8('F\u00e9'));
    },
  ],
  'the name of an unused font in UTF-8 within Latin-1': [
    true,
    (sample) => {
      define(sample, 'Font', { C: Ref.to(sample.font.copy().set('BaseFont', utf8('F\u00e9'))) });
    },
  ],
  'the name of a composite font in UTF-8 within Latin-1': [
    '1b',
    composite({ baseFont: latin1Of('F\u00e9') }),
  ],
  'an unknown CMap': [false, composite({ encoding: name('Odd-H') })],
});
