import { deflateSync } from 'node:zlib';
import { plainPdf, stream } from './samples.ts';

interface Parts {
  /** Further entries of the catalog, the page and its resources. */
  catalog?: string;
  page?: string;
  resources?: string;
  content?: string;
  /** Further objects, numbered from 5. */
  objects?: readonly string[];
  trailer?: string;
}

/** Builds a document with one page of 200 x 100 points. */
export function onePage({
  catalog = '',
  page = '',
  resources = '',
  content = '',
  objects = [],
  trailer = '',
}: Parts): string {
  return plainPdf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<${resources}>>/Contents 4 0 R${page}>>`,
      stream(content),
      ...objects,
    ],
    trailer,
  );
}

/** Builds a form XObject of 50 x 50 points in one colour. */
const square = (colour: string, entries = '') =>
  stream(`${colour} 0 0 50 50 re f`, `/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Resources<<>>${entries}`);

/** Encodes bytes with LZW as nine-bit codes, clearing the table before codes grow. */
function lzw(text: string): string {
  const codes: number[] = [];
  for (const [index, character] of Array.from(text).entries()) {
    if (index % 200 === 0) codes.push(256);
    codes.push(character.charCodeAt(0));
  }
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return (bits.match(/.{1,8}/g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte.padEnd(8, '0'), 2)))
    .join('');
}

const deflated = (text: string) => deflateSync(Buffer.from(text, 'latin1')).toString('latin1');
const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const rect = '/Rect[10 10 60 60]';

/** Builds an ICC profile of version 4 with a gamma of 2.2 for each component. */
function version4Profile(space: string): string {
  const profile = Buffer.alloc(128 + 4 + 12 * 7 + 3 * 20 + 20 + 16);
  profile.writeUInt32BE(profile.length, 0);
  profile[8] = 4;
  profile.write(`mntr${space}XYZ `, 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  profile.writeUInt32BE(7, 128);
  const data = 128 + 4 + 12 * 7;
  const tags = ['rXYZ', 'gXYZ', 'bXYZ', 'wtpt', 'rTRC', 'gTRC', 'bTRC'];
  for (const [index, tag] of tags.entries()) {
    const at = 132 + 12 * index;
    profile.write(tag, at, 'latin1');
    profile.writeUInt32BE(index < 4 ? data + 20 * index : data + 80, at + 4);
    profile.writeUInt32BE(index < 4 ? 20 : 16, at + 8);
  }
  const colours = [
    [0.436, 0.222, 0.014],
    [0.385, 0.717, 0.097],
    [0.143, 0.061, 0.714],
    [0.964, 1, 0.825],
  ];
  for (const [index, colour] of colours.entries()) {
    profile.write('XYZ ', data + 20 * index, 'latin1');
    for (const [place, value] of colour.entries())
      profile.writeInt32BE(Math.round(value * 65_536), data + 20 * index + 8 + 4 * place);
  }
  profile.write('para', data + 80, 'latin1');
  profile.writeInt32BE(Math.round(2.2 * 65_536), data + 92);
  return profile.toString('latin1');
}

/** Documents that each violate PDF/A-1b in a different way and can all be converted. */
export const forbidden: Readonly<Record<string, string>> = {
  scripts: onePage({
    catalog: `/OpenAction ${script}/AA<</WC ${script}>>/Names<</JavaScript<</Names[(a) ${script}]>>>>`,
    page: `/AA<</O ${script}>>/Annots[<</Type/Annot/Subtype/Link${rect}/A ${script}>> <</Type/Annot/Subtype/Link${rect}/A<</S/Launch/F(x)/Next<</S/URI/URI(https://example.com)>>>>>>]`,
  }),
  attachments: onePage({
    catalog: '/Names<</EmbeddedFiles<</Names[(a.txt) 5 0 R]>>>>/AF[5 0 R]',
    objects: ['<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 6 0 R>>>>', stream('text', '/Type/EmbeddedFile')],
  }),
  attachedToThePage: onePage({
    page: `/Annots[<</Type/Annot/Subtype/FileAttachment${rect}/FS<</Type/Filespec/F(a.txt)/EF<</F 6 0 R>>>>/AP<</N 5 0 R>>>>]`,
    objects: [square('1 0 0 rg'), stream('text', '/Type/EmbeddedFile')],
  }),
  annotationsOfLaterVersions: onePage({
    page: `/Annots[<</Type/Annot/Subtype/Polygon${rect}/AP<</N 5 0 R>>/Vertices[0 0 1 1]>> <</Type/Annot/Subtype/Screen/Rect[100 10 150 60]/AP<</N 6 0 R>>>>]`,
    objects: [square('0 0 1 rg'), square('0 1 0 rg', '/Matrix[0 1 -1 0 0 0]')],
  }),
  hiddenAnnotations: onePage({
    page: `/Annots[<</Type/Annot/Subtype/Square${rect}/F 2/AP<</N 5 0 R>>>> <</Type/Annot/Subtype/Square/Rect[100 10 150 60]/AP<</N 6 0 R/R 5 0 R>>/CA .99>>]`,
    objects: [square('1 0 0 rg'), square('0 1 0 rg')],
  }),
  hiddenLayers: onePage({
    catalog: '/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[6 0 R]/Order[5 0 R 6 0 R]>>>>',
    resources: '/Properties<</On 5 0 R/Off 6 0 R>>/XObject<</X 7 0 R>>',
    content:
      '/OC /On BDC 1 0 0 rg 10 10 30 30 re f EMC /OC /Off BDC 0 1 0 rg 50 10 30 30 re f q 1 0 0 1 100 10 cm /X Do Q EMC 150 10 30 30 re f q 1 0 0 1 90 50 cm /X Do Q',
    objects: ['<</Type/OCG/Name(on)>>', '<</Type/OCG/Name(off)>>', square('0 0 1 rg', '/OC 6 0 R')],
  }),
  forms: onePage({
    catalog:
      '/AcroForm<</NeedAppearances true/XFA[(template) 5 0 R]/Fields[6 0 R 7 0 R 8 0 R]/DR<</Font<</Helv 9 0 R>>>>/DA(/Helv 0 Tf 0 g)>>',
    page: '/Annots[6 0 R 7 0 R 8 0 R]',
    objects: [
      stream('<xdp/>'),
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Written here)/Rect[10 60 150 80]/AA<</K ${script}>>>>`,
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Ff 65536/Rect[10 10 60 40]/A ${script}/AP<</N 10 0 R/D 10 0 R>>>>`,
      '<</Type/Annot/Subtype/Widget/FT/Btn/T(c)/Rect[100 10 120 30]/AS/Yes/AP<</N<</Yes 10 0 R/Off 11 0 R>>/D<</Yes 10 0 R>>>>>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      square('.5 g'),
      square('1 g'),
    ],
  }),
  lzw: onePage({
    resources: '/XObject<</X 5 0 R>>',
    content: 'q 50 0 0 50 10 10 cm /X Do Q',
    objects: [
      stream(
        lzw('\u00ff\u0000\u0000\u0000\u00ff\u0000\u0000\u0000\u00ff\u0000\u0000\u0000'),
        '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/LZWDecode',
      ),
    ],
  }),
  lzwInContent: onePage({
    content: `q 50 0 0 50 10 10 cm BI /W 2 /H 2 /BPC 8 /CS /G /F /LZW ID ${lzw('\u0000\u0080\u00c0\u00ff')}\nEI Q 0 0 1 rg 100 10 20 20 re f`,
  }),
  unknownOperators: onePage({
    content: 'BX (x) foo EX /Odd ri 1 0 0 rg 10 10 50 50 re f% a comment\n (<<) bar <41> baz',
  }),
  nestedStates: onePage({
    content: `${'q 1 0 0 1 1 1 cm '.repeat(70)}1 0 0 rg 0 0 20 20 re f ${'Q '.repeat(70)}0 0 1 rg 150 50 20 20 re f`,
  }),
  longNames: onePage({
    resources: `/XObject<</${'n'.repeat(200)} 5 0 R>>`,
    content: `q 1 0 0 1 5 5 cm /${'n'.repeat(200)} Do Q`,
    objects: [square('1 0 0 rg')],
  }),
  manyDestinations: onePage({
    catalog:
      '/Names<</Dests 5 0 R>>/StructTreeRoot<</K[]/ParentTree<</Nums[0 6 0 R]>>>>/MarkInfo<</Marked true>>',
    objects: [
      `<</Names[${Array.from({ length: 5_000 }, (_, index) => `(d${index})[3 0 R/Fit]`).join('')}]>>`,
      `[${'null '.repeat(9_000)}]`,
    ],
  }),
  largeNumbers: onePage({
    content: '99999999999 q 1 0 0 rg -99999.5 10 200000.25 30 re f Q 1 0 0 1 0 0 cm 9999999999 0 m 0 0 l n',
  }),
  images: onePage({
    resources: '/XObject<</X 5 0 R>>',
    content: 'q 50 0 0 50 10 10 cm /X Do Q',
    objects: [
      stream(
        deflated('\u00ff\u00ff\u0000\u0000\u0080\u0000\u0040\u0000'),
        '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 16/ColorSpace/DeviceGray/Filter/FlateDecode/Interpolate false/Intent/Odd/Alternates[<</Image 6 0 R>>]/OPI<</2.0<<>>>>',
      ),
      stream(
        '\u0000',
        '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray',
      ),
    ],
  }),
  states: onePage({
    resources: '/ExtGState<</G 5 0 R>>',
    content: '/G gs 1 0 0 rg 10 10 50 50 re f',
    objects: ['<</Type/ExtGState/TR2/Identity/HTP[0 0]/RI/Odd/TR/Identity/OP false>>'],
  }),
  postScript: onePage({
    resources: '/XObject<</P 5 0 R/R 6 0 R>>',
    content: '/P Do q 1 0 0 1 10 10 cm /R Do Q',
    objects: [
      stream('showpage', '/Type/XObject/Subtype/PS'),
      square('1 0 0 rg', '/Ref<</F(other.pdf)/Page 0>>/Subtype2/PS/PS 5 0 R'),
    ],
  }),
  cmyk: onePage({
    resources:
      '/ColorSpace<</I[/Indexed/DeviceCMYK 1 <0000000000FF0000>]/S[/Separation/Spot/DeviceCMYK 5 0 R]/N[/DeviceN[/A/B]/DeviceCMYK 6 0 R<</Colorants<</A[/Separation/A/DeviceCMYK 5 0 R]>>>>]>>/XObject<</X 7 0 R/F 9 0 R>>/Shading<</H 8 0 R>>',
    content:
      '1 0 0 0 k 0 0 20 20 re f 0 1 0 0 K 4 w 30 0 20 20 re S /DeviceCMYK cs 0 0 1 0 sc 60 0 20 20 re f /I cs 1 sc 90 0 20 20 re f /S cs .7 scn 120 0 20 20 re f /N cs .5 .2 scn 150 0 20 20 re f q 30 0 0 30 0 40 cm /X Do Q q 40 40 30 30 re W n /H sh Q q 20 0 0 20 80 40 cm BI /W 2 /H 1 /BPC 8 /CS /CMYK ID \u00ff\u0000\u0000\u0000\u0000\u0000\u0000\u00ff\nEI Q /F Do',
    objects: [
      '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .8 .9 .1]/N 1>>',
      stream('{0 0 4 2 roll 0 mul exch}', '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]').replace(
        '{0 0 4 2 roll 0 mul exch}',
        '{exch 0.0 exch 0.0 exch  }',
      ),
      stream(
        '\u00ff\u0000\u0000\u0000\u0000\u00ff\u0000\u0000\u0000\u0000\u00ff\u0000\u0000\u0000\u0000\u00ff',
        '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceCMYK',
      ),
      '<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[40 0 70 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0 0]/C1[0 0 1 0]/N 1>>/Extend[true true]>>',
      stream('0 .5 1 0 k 110 40 20 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 200 100]'),
    ],
  }),
  profiles: onePage({
    resources: '/ColorSpace<</A[/ICCBased 5 0 R]/B[/ICCBased 6 0 R]/C[/ICCBased 7 0 R]>>',
    content: '/A cs 1 .5 0 sc 0 0 20 20 re f /B cs 0 .5 1 sc 30 0 20 20 re f /C cs .5 sc 60 0 20 20 re f',
    objects: [
      stream(version4Profile('RGB '), '/N 3/Alternate/DeviceRGB'),
      stream(version4Profile('CMYK'), '/N 3'),
      stream('no profile', '/N 1'),
    ],
  }),
};
