import { Dict, name, Ref, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';
import { writeTrueType, type WrittenMap, type WrittenTrueType } from '../../../pdf/tests/truetype-program.ts';
import {
  MAC_MAP,
  namedCff,
  NONSYMBOLIC,
  simpleTrueType,
  SYMBOL_MAP,
  SYMBOLIC,
  streamRef,
  UNICODE_MAP,
  type SimpleTrueType,
} from './built-fonts.ts';
import { define, draw } from './objects.ts';
import { objectSamples } from './rule-sample.ts';

/** Shows A and B in a font. */
export const shows =
  (font: () => Dict, shown = '(AB)') =>
  (sample: ConformingDocument): void => {
    define(sample, 'Font', { C: Ref.to(font()) });
    draw(sample, `BT /C 12 Tf ${shown} Tj ET`);
  };
const simple = (parts: SimpleTrueType) => shows(() => simpleTrueType(parts));
const withProgram = (program: WrittenTrueType, parts: SimpleTrueType = {}) =>
  simple({ ...parts, program: writeTrueType({ maps: [UNICODE_MAP], ...program }) });
const nonsymbolic = (maps: readonly WrittenMap[], encoding?: PdfObject) =>
  withProgram({ maps }, { flags: NONSYMBOLIC, ...(encoding !== undefined && { encoding }) });
const symbolic = (maps: readonly WrittenMap[], parts: SimpleTrueType = {}) =>
  withProgram({ maps }, { flags: SYMBOLIC, ...parts });
const winAnsi = name('WinAnsiEncoding');
const differences = (...names: string[]) =>
  Dict.of({
    Type: name('Encoding'),
    BaseEncoding: winAnsi,
    Differences: [65, ...names.map((each) => name(each))],
  });

/** Simple fonts with TrueType programs (ISO 19005-1 6.3.3 to 6.3.7, ISO 19005-2 6.2.11.4 to 6.2.11.6). */
export const TRUETYPE_SAMPLES = objectSamples({
  'a nonsymbolic font with a Unicode map': [true, nonsymbolic([UNICODE_MAP])],
  'a nonsymbolic font with a Mac map': [true, nonsymbolic([MAC_MAP])],
  'a nonsymbolic font with both maps': [true, nonsymbolic([UNICODE_MAP, MAC_MAP])],
  'a nonsymbolic font in MacRomanEncoding': [true, nonsymbolic([MAC_MAP], name('MacRomanEncoding'))],
  'a nonsymbolic font in MacExpertEncoding': [false, nonsymbolic([MAC_MAP], name('MacExpertEncoding'))],
  'a nonsymbolic font in StandardEncoding': [false, nonsymbolic([UNICODE_MAP], name('StandardEncoding'))],
  'a nonsymbolic font without Encoding': [false, nonsymbolic([UNICODE_MAP], null)],
  'a nonsymbolic font with an empty encoding': [
    false,
    nonsymbolic([UNICODE_MAP], Dict.of({ Type: name('Encoding') })),
  ],
  'a nonsymbolic font with a base encoding': [
    true,
    nonsymbolic([UNICODE_MAP], Dict.of({ Type: name('Encoding'), BaseEncoding: winAnsi })),
  ],
  'a nonsymbolic font with other characters': ['2b', nonsymbolic([UNICODE_MAP], differences('A', 'B'))],
  'a nonsymbolic font with other characters and a Mac map': [
    false,
    nonsymbolic([MAC_MAP], differences('A', 'B')),
  ],
  'a nonsymbolic font with other characters and both maps': [
    '2b',
    nonsymbolic([MAC_MAP, UNICODE_MAP], differences('A', 'B')),
  ],
  'a nonsymbolic font with other characters without a base encoding': [
    false,
    nonsymbolic([UNICODE_MAP], Dict.of({ Type: name('Encoding'), Differences: [65, name('A'), name('B')] })),
  ],
  'a nonsymbolic font with a character by its code': [
    false,
    nonsymbolic([UNICODE_MAP], differences('uni0041')),
  ],
  'a nonsymbolic font with a character by its long code': [
    false,
    nonsymbolic([UNICODE_MAP], differences('u0041')),
  ],
  'a nonsymbolic font with an unknown character': [false, nonsymbolic([UNICODE_MAP], differences('g1'))],
  'a nonsymbolic font with a variant of a character': [
    false,
    nonsymbolic([UNICODE_MAP], differences('A.alt')),
  ],
  'a nonsymbolic font with a ligature of two names': [false, nonsymbolic([UNICODE_MAP], differences('A_B'))],
  'a nonsymbolic font with .notdef among its characters': [
    '2b',
    nonsymbolic(
      [UNICODE_MAP],
      Dict.of({
        Type: name('Encoding'),
        BaseEncoding: winAnsi,
        Differences: [67, name('.notdef')],
      }),
    ),
  ],
  'a nonsymbolic font with no differences': ['2b', nonsymbolic([UNICODE_MAP], differences())],
  'a nonsymbolic font with a symbol map': [false, nonsymbolic([SYMBOL_MAP])],
  'a nonsymbolic font with a symbol map and a Mac map': [true, nonsymbolic([SYMBOL_MAP, MAC_MAP])],
  'a nonsymbolic font without maps': [false, nonsymbolic([])],
  'a nonsymbolic font without a table of maps': [false, withProgram({ without: ['cmap'] })],

  'a symbolic font with a symbol map': [true, symbolic([SYMBOL_MAP])],
  'a symbolic font with a Mac map': [true, symbolic([MAC_MAP])],
  'a symbolic font with a Unicode map': [false, symbolic([UNICODE_MAP])],
  'a symbolic font with a symbol map and a Mac map': ['2b', symbolic([SYMBOL_MAP, MAC_MAP])],
  'a symbolic font with a Unicode map and a Mac map': [false, symbolic([UNICODE_MAP, MAC_MAP])],
  'a symbolic font without maps': [false, symbolic([])],
  'a symbolic font with Encoding': [false, symbolic([SYMBOL_MAP], { encoding: winAnsi })],
  'a symbol map of format 12': [false, withProgram({ maps: [SYMBOL_MAP], format: 12 }, { flags: SYMBOLIC })],
  'a symbol map without an offset': [true, symbolic([[3, 0, { 65: 1, 66: 2 }]])],
  'a symbol map with offset F100': [true, symbolic([[3, 0, { 0xf141: 1, 0xf142: 2 }]])],
  'a font that is both symbolic and nonsymbolic': [
    false,
    withProgram({ maps: [UNICODE_MAP] }, { flags: SYMBOLIC + NONSYMBOLIC, encoding: winAnsi }),
  ],
  'a font that is neither symbolic nor nonsymbolic': [true, withProgram({}, { flags: 0 })],

  ...Object.fromEntries(
    [0, 6, 12].map((format) => [
      `a map of format ${format}`,
      [format < 12, withProgram({ maps: [format === 0 ? MAC_MAP : UNICODE_MAP], format })] as const,
    ]),
  ),
  'a nonsymbolic font with a map of platform 0': [false, nonsymbolic([[0, 3, { 65: 1, 66: 2 }]])],
  'a nonsymbolic font with a full Unicode map': [false, nonsymbolic([[3, 10, { 65: 1, 66: 2 }]])],
  'a nonsymbolic font with named glyphs': [
    true,
    withProgram({ maps: [[3, 1, { 32: 0 }]], names: ['.notdef', 'A', 'B'] }),
  ],
  'a program without a glyph for a character': [false, nonsymbolic([[3, 1, { 65: 1 }]])],
  'a map to a glyph after the last': [false, nonsymbolic([[3, 1, { 65: 1, 66: 9 }]])],
  'a width that differs by one': [true, simple({ widths: [601, 700] })],
  'a width that differs by two': [false, simple({ widths: [602, 700] })],
  'a width of another glyph for the last stated': [
    true,
    withProgram({ widths: [500, 600, 700], stated: 2 }, { widths: [600, 600] }),
  ],
  'a missing width': [false, simple({ widths: [600] })],
  'a TrueType font without FirstChar': [false, simple({ font: { FirstChar: undefined } })],
  'a TrueType font without LastChar': [false, simple({ font: { LastChar: undefined } })],
  'a TrueType font without Widths': [false, simple({ font: { Widths: undefined } })],
  'a TrueType font without BaseFont': [false, simple({ font: { BaseFont: undefined } })],
  'a TrueType font without Type': [false, simple({ font: { Type: undefined } })],
  'a TrueType font of subtype Type1': [false, simple({ font: { Subtype: name('Type1') } })],
  'a TrueType font without a descriptor': [false, simple({ font: { FontDescriptor: undefined } })],
  'a TrueType font without a program': [false, simple({ descriptor: { FontFile2: undefined } })],
  'a TrueType program without Length1': [true, simple({ file: { Length1: undefined } })],
  'a TrueType program of subtype TrueType': [false, simple({ file: { Subtype: name('TrueType') } })],
  'a TrueType program of subtype OpenType': ['2b', simple({ file: { Subtype: name('OpenType') } })],
  'a TrueType program in OpenType': [
    '2b',
    simple({
      descriptor: {
        FontFile2: undefined,
        FontFile3: streamRef(writeTrueType({ maps: [UNICODE_MAP] }), { Subtype: name('OpenType') }),
      },
    }),
  ],
  'a TrueType font with a CFF program': [
    false,
    simple({
      descriptor: {
        FontFile2: undefined,
        FontFile3: streamRef(namedCff(), { Subtype: name('Type1C') }),
      },
    }),
  ],
  'a TrueType program without post': [true, withProgram({ without: ['post'] })],
  ...Object.fromEntries(
    ['head', 'hhea', 'hmtx'].map((tag) => [
      `a TrueType program without ${tag}`,
      [false, withProgram({ without: [tag] })] as const,
    ]),
  ),
  'a truncated TrueType program': [
    false,
    simple({ program: writeTrueType({ maps: [UNICODE_MAP] }).subarray(0, 200) }),
  ],
});
