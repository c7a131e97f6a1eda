import { Dict, name, PdfString } from '@platen/pdf/objects';
import { wrapCff, writeTrueType, type WrittenTrueType } from '../../../pdf/tests/truetype-program.ts';
import {
  cidKeyedCff,
  cidSetOf,
  compositeFont,
  namedCff,
  simpleTrueType,
  streamRef,
  type CompositeFont,
} from './built-fonts.ts';
import { objectSamples } from './rule-sample.ts';
import { shows } from './truetype.ts';

const shown = '<00010002>';
const trueType = (parts: CompositeFont = {}) => shows(() => compositeFont(parts), shown);
const withProgram = (program: WrittenTrueType) => trueType({ program: writeTrueType(program) });
const cff = (parts: CompositeFont = {}) =>
  shows(() => compositeFont({ kind: 'CIDFontType0', ...parts }), shown);
const cidSet = (...cids: number[]) => ({ descriptor: { CIDSet: cidSetOf(...cids) } });
const mapOf = (...glyphs: number[]) =>
  streamRef(Buffer.from(glyphs.flatMap((glyph) => [glyph >> 8, glyph & 0xff])));
const mapped = (...glyphs: number[]) => trueType({ descendant: { CIDToGIDMap: mapOf(...glyphs) } });
const type1 = (program: Uint8Array, subtype?: string) =>
  shows(() => {
    const font = simpleTrueType({ font: { Subtype: name('Type1'), BaseFont: name('Sample') } });
    const file = streamRef(program, { Subtype: subtype === undefined ? undefined : name(subtype) });
    font.dict('FontDescriptor')?.delete('FontFile2').set('FontName', name('Sample')).set('FontFile3', file);
    return font;
  });
const string = (value: string) => new PdfString(Buffer.from(value, 'latin1'));
const system = (ordering: string) => ({
  descendant: {
    CIDSystemInfo: Dict.of({ Registry: string('Adobe'), Ordering: string(ordering), Supplement: 0 }),
  },
});

/**
 * Composite fonts with TrueType programs and with CID-keyed CFF programs (ISO 19005-1 6.3.3 to 6.3.6, ISO
 * 19005-2 6.2.11.3 to 6.2.11.5).
 */
export const CID_FONT_SAMPLES = objectSamples({
  'a composite TrueType font': [true, trueType()],
  'a composite TrueType font without CIDToGIDMap': [
    false,
    trueType({ descendant: { CIDToGIDMap: undefined } }),
  ],
  'a composite TrueType font with an unknown CIDToGIDMap': [
    false,
    trueType({ descendant: { CIDToGIDMap: name('Odd') } }),
  ],
  'a composite TrueType font with mapped glyphs': [true, mapped(0, 1, 2)],
  'a composite TrueType font with glyphs in another order': [false, mapped(0, 2, 1)],
  'a map of CIDs to a glyph after the last': [false, mapped(0, 1, 9)],
  'a map of CIDs to the glyph for missing characters': [false, mapped(0, 1, 0)],
  'a map of CIDs that is too short': [false, mapped(0, 1)],
  'a composite TrueType font with a CID after its glyphs': [false, withProgram({ widths: [500, 600] })],
  'a composite TrueType subset without CIDSet': ['2b', trueType({ descriptor: { CIDSet: undefined } })],
  'a composite TrueType subset with a CID missing in CIDSet': [false, trueType(cidSet(0, 1))],
  'a composite TrueType subset with a CID too many in CIDSet': ['1b', trueType(cidSet(0, 1, 2, 3))],
  'a composite TrueType subset with mapped glyphs and CIDSet': [
    true,
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2) } }),
  ],
  'a composite TrueType subset with mapped glyphs and a CID too many in CIDSet': [
    '1b',
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2) }, ...cidSet(0, 1, 2, 3) }),
  ],
  'a composite TrueType subset with a CID mapped to no glyph outside CIDSet': [
    '1b',
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2, 0) } }),
  ],
  'a composite TrueType subset with a CID mapped to no glyph in CIDSet': [
    true,
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2, 0) }, ...cidSet(0, 1, 2, 3) }),
  ],
  'a composite TrueType subset with a CID mapped after the last glyph outside CIDSet': [
    true,
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2, 9) } }),
  ],
  'a composite TrueType subset with a CID mapped after the last glyph in CIDSet': [
    '1b',
    trueType({ descendant: { CIDToGIDMap: mapOf(0, 1, 2, 9) }, ...cidSet(0, 1, 2, 3) }),
  ],
  'a composite TrueType subset without CID 0 in CIDSet': [true, trueType(cidSet(1, 2))],
  'a whole composite TrueType font with a CID missing in CIDSet': [
    true,
    trueType({ baseFont: 'Sample', ...cidSet(0, 1) }),
  ],
  'a composite TrueType font with other widths': [false, trueType({ descendant: { W: [1, [600, 702]] } })],
  'a composite TrueType font with widths that differ by one': [
    true,
    trueType({ descendant: { W: [1, [600, 701]] } }),
  ],
  'a composite TrueType font with default widths': [false, trueType({ descendant: { W: undefined } })],
  'a composite TrueType font without a width for the last stated': [
    true,
    shows(
      () =>
        compositeFont({
          program: writeTrueType({ stated: 2 }),
          descendant: { W: [1, 2, 600] },
        }),
      shown,
    ),
  ],
  'a composite TrueType font with a CFF program': [
    true,
    trueType({ program: cidKeyedCff(), key: 'FontFile3', file: { Subtype: name('CIDFontType0C') } }),
  ],
  'a composite TrueType font without a program': [false, trueType({ descriptor: { FontFile2: undefined } })],
  'a composite TrueType font whose descendant has no BaseFont': [
    false,
    trueType({ descendant: { BaseFont: undefined } }),
  ],
  'a composite font without a descendant': [false, trueType({ font: { DescendantFonts: undefined } })],
  'a composite font without Encoding': [false, trueType({ font: { Encoding: undefined } })],
  'a composite font for another collection': [true, trueType(system('Odd'))],
  'a vertical composite font': [true, trueType({ font: { Encoding: name('Identity-V') } })],

  'a CID-keyed font': [true, cff()],
  'a CID-keyed font with distant CIDs': [
    true,
    shows(
      () =>
        compositeFont({
          kind: 'CIDFontType0',
          program: cidKeyedCff({ 1: 600, 900: 700 }),
          descendant: { W: [1, [600], 900, [700]] },
          ...cidSet(0, 1, 900),
        }),
      '<00010384>',
    ),
  ],
  'a CID-keyed font without a shown CID': [
    false,
    cff({ program: cidKeyedCff({ 1: 600, 3: 700 }), ...cidSet(0, 1, 3) }),
  ],
  'a CID-keyed subset without CIDSet': ['2b', cff({ descriptor: { CIDSet: undefined } })],
  'a CID-keyed subset with a CID missing in CIDSet': [false, cff(cidSet(0, 1))],
  'a CID-keyed subset with a CID too many in CIDSet': ['1b', cff(cidSet(0, 1, 2, 3))],
  'a CID-keyed subset without CID 0 in CIDSet': [true, cff(cidSet(1, 2))],
  'a whole CID-keyed font with a CID missing in CIDSet': [true, cff({ baseFont: 'Sample', ...cidSet(0, 1) })],
  'a CID-keyed font with other widths': [false, cff({ descendant: { W: [1, [600, 702]] } })],
  'a CID-keyed font with widths that differ by one': [true, cff({ descendant: { W: [1, [600, 701]] } })],
  'a CID-keyed font with the glyph for missing characters': [
    '1b',
    shows(() => compositeFont({ kind: 'CIDFontType0' }), '<0000>'),
  ],
  'a CID-keyed font for another collection': [true, cff(system('Odd'))],
  'a CID-keyed program of subtype Type1C': [false, cff({ file: { Subtype: name('Type1C') } })],
  'a CID-keyed program of subtype OpenType': [false, cff({ file: { Subtype: name('OpenType') } })],
  'a CID-keyed program without a subtype': [false, cff({ file: { Subtype: undefined } })],
  'a CID-keyed program in OpenType': [
    '2b',
    cff({ program: wrapCff(cidKeyedCff()), file: { Subtype: name('OpenType') } }),
  ],
  'a CID-keyed program in OpenType of subtype CIDFontType0C': [
    false,
    cff({ program: wrapCff(cidKeyedCff()) }),
  ],
  'a named CFF program in a CID-keyed font': [
    true,
    cff({ program: namedCff(), baseFont: 'Sample', descriptor: { CIDSet: undefined } }),
  ],
  'a CID-keyed program in FontFile2': [false, cff({ key: 'FontFile2' })],
  'a CID-keyed program in FontFile': [false, cff({ key: 'FontFile' })],
  'a CID-keyed font with a TrueType program': [
    false,
    cff({ program: writeTrueType(), key: 'FontFile2', file: { Subtype: undefined } }),
  ],
  'a truncated CID-keyed program': [false, cff({ program: cidKeyedCff().subarray(0, 100) })],
  'a simple font with a CFF program': [true, type1(namedCff(), 'Type1C')],
  'a simple font with a CFF program without a subtype': [false, type1(namedCff())],
  'a simple font with a CFF program of subtype CIDFontType0C': [false, type1(namedCff(), 'CIDFontType0C')],
  'a simple font with a CFF program in OpenType': ['2b', type1(wrapCff(namedCff()), 'OpenType')],
  'a simple font with a CID-keyed program': [false, type1(cidKeyedCff(), 'Type1C')],
});
