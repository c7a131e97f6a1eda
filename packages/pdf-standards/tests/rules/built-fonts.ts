import { Dict, name, PdfStream, PdfString, Ref, type PdfObject } from '@platen/pdf/objects';
import { writeCff } from '../../../pdf/fonts/cff-writer.ts';
import { GlyphOutline } from '../../../pdf/fonts/glyph-outline.ts';
import { writeTrueType, type WrittenMap } from '../../../pdf/tests/truetype-program.ts';

type Entries = Readonly<Record<string, PdfObject | undefined>>;

const string = (value: string) => new PdfString(Buffer.from(value, 'latin1'));

/** Creates a stream of bytes. */
export const streamRef = (data: Uint8Array, entries: Entries = {}): Ref =>
  Ref.to(new PdfStream(Dict.of(entries), data));

/** A `ToUnicode` CMap that gives the codes A and B, of one or two bytes, their texts. */
export function unicodeMap(bytes: 1 | 2, codes: readonly [string, string] = ['41', '42']): Ref {
  const pad = (code: string) => `<${code.padStart(2 * bytes, '0')}>`;
  const [from, to] = ['00', 'ff'].map((end) => `<${end.repeat(bytes)}>`);
  return streamRef(
    Buffer.from(
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange ${from} ${to} endcodespacerange
2 beginbfchar ${pad(codes[0])} <0041> ${pad(codes[1])} <0042> endbfchar endcmap end end`,
    ),
  );
}

function descriptorOf(baseFont: string, entries: Entries): Ref {
  return Ref.to(
    Dict.of({
      Type: name('FontDescriptor'),
      FontName: name(baseFont),
      FontBBox: [0, -200, 1000, 800],
      ItalicAngle: 0,
      Ascent: 800,
      Descent: -200,
      CapHeight: 700,
      StemV: 80,
      ...entries,
    }),
  );
}

/** The flag of symbolic fonts. */
export const SYMBOLIC = 4;
/** The flag of nonsymbolic fonts. */
export const NONSYMBOLIC = 32;

/** The Unicode map of a font whose codes A and B show glyphs 1 and 2. */
export const UNICODE_MAP: WrittenMap = [3, 1, { 65: 1, 66: 2 }];
/** The map of Mac OS. */
export const MAC_MAP: WrittenMap = [1, 0, { 65: 1, 66: 2 }];
/** The map of symbolic fonts, with the usual offset of its codes. */
export const SYMBOL_MAP: WrittenMap = [3, 0, { 0xf041: 1, 0xf042: 2 }];

/** The parts of a simple TrueType font that differ from a plain one. */
export interface SimpleTrueType {
  program?: Uint8Array;
  flags?: number;
  encoding?: PdfObject;
  widths?: readonly number[];
  /** Further entries of the font, its descriptor and the stream of its program. */
  font?: Entries;
  descriptor?: Entries;
  file?: Entries;
}

/** A simple TrueType font with the codes A and B. */
export function simpleTrueType(parts: SimpleTrueType = {}): Dict {
  const { program = writeTrueType({ maps: [UNICODE_MAP] }), flags = NONSYMBOLIC } = parts;
  return Dict.of({
    Type: name('Font'),
    Subtype: name('TrueType'),
    BaseFont: name('ABCDEF+Sample'),
    FirstChar: 65,
    LastChar: 66,
    Widths: [...(parts.widths ?? [600, 700])],
    Encoding: parts.encoding === undefined && flags !== SYMBOLIC ? name('WinAnsiEncoding') : parts.encoding,
    ToUnicode: unicodeMap(1),
    FontDescriptor: descriptorOf('ABCDEF+Sample', {
      Flags: flags,
      FontFile2: streamRef(program, { Length1: program.length, ...parts.file }),
      ...parts.descriptor,
    }),
    ...parts.font,
  });
}

/** The parts of a composite font that differ from a plain one. */
export interface CompositeFont {
  kind?: 'CIDFontType0' | 'CIDFontType2';
  /** The stream of the program. */
  program?: Uint8Array;
  key?: 'FontFile' | 'FontFile2' | 'FontFile3';
  file?: Entries;
  baseFont?: string;
  /** Further entries of the font, its descendant and the descriptor. */
  font?: Entries;
  descendant?: Entries;
  descriptor?: Entries;
}

/** The data of a `CIDSet` that lists CIDs. */
export function cidSetOf(...cids: number[]): Ref {
  const set = Buffer.alloc((Math.max(...cids) >> 3) + 1);
  for (const cid of cids) set[cid >> 3] = (set[cid >> 3] ?? 0) | (128 >> (cid & 7));
  return streamRef(set);
}

/** A CFF program whose glyphs have CIDs, of which 0 is a glyph of 500 units. */
export function cidKeyedCff(widths: Readonly<Record<number, number>> = { 1: 600, 2: 700 }): Buffer {
  const ids = Object.entries({ 0: 500, ...widths });
  return cffOf(ids.map(([id, width]) => [Number(id), width]));
}

/** A CFF program with the glyphs A and B. */
export const namedCff = (): Buffer =>
  cffOf([
    ['.notdef', 500],
    ['A', 600],
    ['B', 700],
  ]);

function cffOf(glyphs: readonly [id: string | number, width: number][]): Buffer {
  const outline = new GlyphOutline();
  outline.moveTo(0, 0);
  for (const [x, y] of [
    [500, 0],
    [500, 500],
    [0, 500],
  ] as const)
    outline.lineTo(x, y);
  return writeCff({
    name: 'Sample',
    unitsPerEm: 1000,
    glyphs: glyphs.map(([id, width]) => ({ id, width, outline })),
  });
}

/** A composite font with two-byte codes, whose CIDs 1 and 2 have texts. */
export function compositeFont(parts: CompositeFont = {}): Dict {
  const { kind = 'CIDFontType2', baseFont = 'ABCDEF+Sample' } = parts;
  const isTrueType = kind === 'CIDFontType2';
  const program = parts.program ?? (isTrueType ? writeTrueType() : cidKeyedCff());
  const format = isTrueType ? { Length1: program.length } : { Subtype: name('CIDFontType0C') };
  const descendant = Dict.of({
    Type: name('Font'),
    Subtype: name(kind),
    BaseFont: name(baseFont),
    CIDSystemInfo: Dict.of({ Registry: string('Adobe'), Ordering: string('Identity'), Supplement: 0 }),
    DW: 500,
    W: [1, [600, 700]],
    CIDToGIDMap: isTrueType ? name('Identity') : undefined,
    FontDescriptor: descriptorOf(baseFont, {
      Flags: SYMBOLIC,
      [parts.key ?? (isTrueType ? 'FontFile2' : 'FontFile3')]: streamRef(program, {
        ...format,
        ...parts.file,
      }),
      CIDSet: cidSetOf(0, 1, 2),
      ...parts.descriptor,
    }),
    ...parts.descendant,
  });
  return Dict.of({
    Type: name('Font'),
    Subtype: name('Type0'),
    BaseFont: name(baseFont),
    Encoding: name('Identity-H'),
    ToUnicode: unicodeMap(2, ['01', '02']),
    DescendantFonts: [Ref.to(descendant)],
    ...parts.font,
  });
}
