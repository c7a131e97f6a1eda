import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'bun:test';
import { convertToPdfa, PdfaError } from '@platen/pdf-standards';
import { openProgram } from '../../packages/pdf/fonts/open-program.ts';
import { TrueTypeProgram } from '../../packages/pdf/fonts/truetype.ts';
import { onePage } from '../support/pdf/pdfa-samples.ts';
import { stream } from '../support/pdf/samples.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../support/pdf/pdf.ts';
import { isThorough } from '../support/suite.ts';
import { validateWithVeraPdf, requireVeraPdf } from '../support/pdf/verapdf.ts';

const data = new URL('../../packages/pdf/fonts/data/', import.meta.url);
const symbol = readFileSync(new URL('foxit-symbol.cff', data)).toString('latin1');

interface FontSample {
  /** The font, which becomes object 5, and the objects that it refers to. */
  objects: readonly string[];
  /** The string to show, as an operand of `Tj`. */
  shown: string;
  /** The Unicode text of the string. */
  text: string;
}

const descriptor = (entries: string) =>
  `<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80${entries}>>`;

/** Builds a CJK font that is not embedded. */
function cjkFont(cmap: string, ordering: string, shown: string, text: string): FontSample {
  const info = `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>`;
  const cidFont = `<</Type/Font/Subtype/CIDFontType0/BaseFont/Own${info}/FontDescriptor 6 0 R>>`;
  const font = `<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/${cmap}/DescendantFonts[${cidFont}]>>`;
  return { objects: [font, descriptor('')], shown, text };
}

/**
 * Builds a composite font with a TrueType program and one-byte codes, of which only `A` and `B` have glyphs.
 */
function mappedFont(): FontSample {
  const inter = readFileSync(
    new URL(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  );
  const map = Buffer.alloc(512);
  const glyphs = { A: glyphOf(inter, 'A'), B: glyphOf(inter, 'B') };
  map.writeUInt16BE(glyphs.A.glyph, 2 * 65);
  map.writeUInt16BE(glyphs.B.glyph, 2 * 66);
  const cmap =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>def /CMapName/OneByteIdentityH def 1 begincodespacerange <00> <FF> endcodespacerange 1 begincidrange <00> <FF> 0 endcidrange endcmap end end';
  const info = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>';
  return {
    objects: [
      '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Own/Encoding 9 0 R/DescendantFonts[8 0 R]/ToUnicode 11 0 R>>',
      descriptor('/FontFile2 7 0 R'),
      stream(inter.toString('latin1'), `/Length1 ${inter.length}`),
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Own${info}/FontDescriptor 6 0 R/CIDToGIDMap 10 0 R/W[65[${glyphs.A.width} ${glyphs.B.width}]]>>`,
      stream(cmap, `/Type/CMap/CMapName/OneByteIdentityH${info}`),
      stream(map.toString('latin1')),
      stream(
        '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <41> <0041> <42> <0042> endbfchar endcmap end',
      ),
    ],
    shown: '(AB)',
    text: 'AB',
  };
}

function glyphOf(file: Buffer, character: string): { glyph: number; width: number } {
  const { program } = openProgram(file);
  if (!(program instanceof TrueTypeProgram)) throw new Error('the font is not a TrueType font');
  const glyph = program.glyphOfCharacter(character.codePointAt(0) ?? 0);
  return { glyph, width: program.width(glyph) };
}

/** Builds a font with an embedded CFF program and different widths in its dictionary. */
const embedded = (entries: string): FontSample => ({
  objects: [
    `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Own/FirstChar 65/LastChar 66/Widths[700 800]/FontDescriptor 6 0 R${entries}>>`,
    descriptor('/FontFile3 7 0 R'),
    stream(symbol, '/Subtype/Type1C'),
  ],
  shown: '(AB)',
  text: 'αβ',
});

const SAMPLES: Record<string, FontSample> = {
  'standard font': {
    objects: ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'],
    shown: '(Gr\\374\\337e \\200 5)',
    text: 'Grüße € 5',
  },
  'alias of a standard font, without an encoding': {
    objects: ['<</Type/Font/Subtype/TrueType/BaseFont/TimesNewRoman,Bold>>'],
    shown: '(Invoice)',
    text: 'Invoice',
  },
  'a TrueType font with a CIDToGIDMap that maps codes to no glyph': mappedFont(),
  symbols: {
    objects: ['<</Type/Font/Subtype/Type1/BaseFont/Symbol>>'],
    shown: '(ab\\245)',
    text: 'αβ∞',
  },
  'different widths': embedded('/Encoding<</Type/Encoding/Differences[65/alpha/beta]>>'),
  'a missing glyph': {
    ...embedded('/Encoding<</Type/Encoding/Differences[65/alpha/Zcaron]>>'),
    text: 'αŽ',
  },
  Japanese: cjkFont('90ms-RKSJ-H', 'Japan1', '<93fa967b41>', '日本A'),
  Chinese: cjkFont('UniGB-UCS2-H', 'GB1', '<4e2d6587>', '中文'),
  Korean: cjkFont('KSCms-UHC-H', 'Korea1', '<c7d1b1db>', '한글'),
  'Type 3 glyphs with different widths': {
    objects: [
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 65/LastChar 66/Widths[0.7 0.8]' +
        '/Encoding<</Differences[65/alpha/beta]>>/CharProcs<</alpha 6 0 R>>/Resources<<>>>>',
      stream('5 0 0 0 1 1 d1 0 0 .5 .5 re f'),
    ],
    shown: '(AB)',
    text: 'αβ',
  },
};

function pdfWith({ objects, shown }: FontSample): Uint8Array {
  const content = `BT /F 20 Tf 10 40 Td ${shown} Tj ET`;
  return Buffer.from(onePage({ resources: '/Font<</F 5 0 R>>', content, objects }), 'latin1');
}

const request = { title: undefined, author: undefined, subject: undefined };

describeWithPdfTools('fonts in PDF/A-1b', () => {
  const results = new Map<string, Uint8Array>();

  beforeAll(async () => {
    for (const [name, sample] of Object.entries(SAMPLES))
      results.set(name, await convertToPdfa(pdfWith(sample), request));
  });

  test.skipIf(isThorough).each(Object.keys(SAMPLES))('%s: the text stays the same', async (name) => {
    const pdf = results.get(name)!;
    await qpdfCheck(pdf);
    expect((await pdfText(pdf)).trim().replaceAll(/\s+/g, ' ')).toBe(SAMPLES[name]!.text);
  });

  test.if(requireVeraPdf())('veraPDF accepts every result', async () => {
    const failures = await validateWithVeraPdf(results);
    expect([...failures].filter(([, found]) => found.length > 0)).toEqual([]);
  });

  test.skipIf(isThorough)('the error names a font whose characters are unknown', async () => {
    const failure: unknown = await convertToPdfa(
      pdfWith(cjkFont('Identity-H', 'Identity', '<00410042>', '')),
      request,
    ).catch((error: unknown) => error);
    if (!(failure instanceof PdfaError)) throw new Error('the conversion succeeded');
    expect(failure.violations).toEqual([
      {
        clause: '6.3.4',
        message:
          'the font Own is not embedded, and no available font has its characters: "code 0x41", "code 0x42"',
      },
    ]);
  });
});
