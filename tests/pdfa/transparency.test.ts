import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertToPdfa } from '@platen/pdf-standards';
import { plainPdf } from '../support/pdf/samples.ts';
import { describeWithPdfTools, pdfText } from '../support/pdf/pdf.ts';
import { isThorough } from '../support/suite.ts';
import { validateWithVeraPdf, requireVeraPdf } from '../support/pdf/verapdf.ts';
import { comparePages } from './compare-pages.ts';

/**
 * The largest share of changed pixels. Poppler substitutes another font for Helvetica in the original, and
 * text covers much of these small pages.
 */
const MAX_CHANGED = 0.015;

const WORDS = 'BT /F 18 Tf 1 0 0 1 40 150 Tm (Words below) Tj ET';
const ABOVE = 'BT /F 18 Tf 0 g 1 0 0 1 60 112 Tm (Words above) Tj ET';
const HALF = 'q /Half gs 0 .3 .8 rg 30 100 160 80 re f Q';

interface Case {
  content: string;
  /** Further page entries. */
  page?: string;
  /** Further resources. */
  resources?: string;
  /** Further objects, numbered from 20. */
  objects?: string[];
}

function stream(dict: string, data: string): string {
  return `<<${dict}/Length ${data.length}>>\nstream\n${data}\nendstream`;
}

/**
 * Builds a page of 240 by 200 units with the font `F` (Helvetica) and the graphics states `Half`, `Multiply`,
 * `Masked` and `Plain`.
 */
function makePdf({ content, page = '', resources = '', objects = [] }: Case): Buffer {
  const states =
    '/Half<</ca .5/CA .5>>/Multiply<</BM/Multiply>>/Masked<</SMask<</S/Luminosity/G 7 0 R>>>>/Plain<</ca 1/CA 1/BM/Normal/SMask/None>>';
  const group = '/Type/XObject/Subtype/Form/BBox[0 0 240 200]/Group<</S/Transparency/CS/DeviceGray>>';
  const filler = Array.from({ length: 12 }, () => 'null');
  return Buffer.from(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 240 200]/Contents 4 0 R/Resources 5 0 R${page}>>`,
      stream('', content),
      `<</Font<</F 6 0 R>>/ExtGState<<${states}>>${resources}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      stream(group, '.5 g 40 90 150 100 re f'),
      ...filler,
      ...objects,
    ]),
    'latin1',
  );
}

const form = (entries: string, content: string) =>
  stream(`/Type/XObject/Subtype/Form/BBox[0 0 240 200]${entries}`, content);
const image = (entries: string, data: string) =>
  stream(
    `/Type/XObject/Subtype/Image/Width 2/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8${entries}`,
    data,
  );

const cases: Record<string, Case> = {
  'a transparent fill between words': { content: `${WORDS} ${HALF} ${ABOVE}` },
  'a blend mode': { content: `${WORDS} q /Multiply gs 1 .9 0 rg 30 140 160 40 re f Q ${ABOVE}` },
  'a soft mask': { content: `${WORDS} q /Masked gs 1 0 0 rg 0 0 240 200 re f Q` },
  'transparent words': { content: `${WORDS} q /Half gs ${ABOVE} Q` },
  'stroked words and words as a clipping path': {
    content: `${WORDS} q /Half gs 1 Tr 2 w ${ABOVE} Q q 7 Tr ${ABOVE} 1 0 0 rg /Half gs 60 110 60 20 re f Q`,
  },
  'a rotated and cropped page with UserUnit': {
    content: `${WORDS} ${HALF} ${ABOVE}`,
    page: '/Rotate 90/CropBox[20 60 220 190]/UserUnit 1.5',
  },
  'a MediaBox with a negative origin': {
    content: `1 0 0 1 -500 300 cm ${WORDS} ${HALF} ${ABOVE}`,
    page: '/MediaBox[-500 300 -260 500]',
  },
  'a page of 1 by 1.4 metres': {
    content: `q 11.8 0 0 19.8 0 0 cm ${WORDS} ${HALF} ${ABOVE} Q`,
    page: '/MediaBox[0 0 2835 3969]',
  },
  'unbalanced graphics states': {
    content: `.9 0 0 .9 5 5 cm q ${WORDS} q ${HALF} ${ABOVE}`,
  },
  // Google Slides draws in small units, so the inverse of its matrix has large numbers.
  'the coordinates of Google Slides': {
    content: `${WORDS} q .00524934 0 0 -.00524934 0 200 cm 0 0 m 45719.668 0 l 45719.668 38099.726 l 0 38099.726 l h W n q /Half gs 0 .3 .8 rg 5714.957 3809.973 30479.779 15239.889 re f Q BT /F 3429 Tf 0 g 1 0 0 -1 11429.9 16763.9 Tm (Words above) Tj ET Q`,
  },
  'units of 1/100,000 point': {
    content: `${WORDS} q .00001 0 0 -.00001 .5 200 cm q /Half gs 0 .3 .8 rg 3000000 2000000 16000000 8000000 re f Q BT /F 1800000 Tf 0 g 1 0 0 -1 6000000 8800000 Tm (Words above) Tj ET Q`,
  },
  'coordinates beyond the range of reals': {
    content: `${WORDS} q 1 0 0 1 -40000.25 60000.75 cm q /Half gs 0 .3 .8 rg 40030.25 -59900.75 160 80 re f Q BT /F 18 Tf 0 g 1 0 0 1 40060.25 -59888.75 Tm (Words above) Tj ET Q`,
  },
  'a group drawn with half opacity': {
    content: `${WORDS} /Half gs /G Do`,
    resources: '/XObject<</G 20 0 R>>',
    objects: [form('/Group<</S/Transparency>>/Resources 5 0 R', `1 0 0 rg 30 90 60 70 re f ${ABOVE}`)],
  },
  'a form XObject with a transparent fill': {
    content: `${WORDS} /G Do ${ABOVE}`,
    resources: '/XObject<</G 20 0 R>>',
    objects: [form('/Matrix[.5 0 0 .5 40 60]/Resources 5 0 R', HALF)],
  },
  'an image with alpha': {
    content: `${WORDS} q 120 0 0 60 40 110 cm /I Do Q ${ABOVE}`,
    resources: '/XObject<</I 20 0 R>>',
    objects: [image('/SMask 21 0 R', '\x00\x40'), image('', '\x80\xc0')],
  },
  'a transparent pattern': {
    content: `${WORDS} /Pattern cs /P scn 30 90 160 90 re f ${ABOVE}`,
    resources: '/Pattern<</P 20 0 R>>',
    objects: [
      stream(
        '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 36 36]/XStep 54/YStep 54/Resources 5 0 R',
        '/Half gs 0 .6 .2 rg 0 0 36 36 re f',
      ),
    ],
  },
  'transparent Type 3 glyphs': {
    content: `${WORDS} BT /T 40 Tf 60 100 Td (aa) Tj ET`,
    resources: '/Font<</F 6 0 R/T 20 0 R>>',
    objects: [
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 21 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources 5 0 R/ToUnicode 22 0 R>>',
      stream('', '1 0 d0 /Half gs .8 0 .3 rg .1 .1 .8 .8 re f'),
      stream(
        '',
        '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <0061> endbfchar endcmap end',
      ),
    ],
  },
  'a highlight with blend mode Multiply': {
    content: WORDS,
    page: '/Annots[20 0 R]',
    objects: [
      '<</Type/Annot/Subtype/Highlight/Rect[40 145 150 170]/QuadPoints[40 170 150 170 40 145 150 145]/C[1 1 0]/F 4/Contents(A note)/AP<</N 21 0 R>>>>',
      stream(
        '/Type/XObject/Subtype/Form/BBox[40 145 150 170]/Group<</S/Transparency>>/Resources 5 0 R',
        '/Multiply gs 1 1 0 rg 40 145 110 25 re f',
      ),
    ],
  },
};

const conversions = new Map<string, Promise<Uint8Array>>();

function converted(name: string): Promise<Uint8Array> {
  const known = conversions.get(name);
  if (known) return known;
  const made = convertToPdfa(makePdf(cases[name]!), {
    title: undefined,
    author: undefined,
    subject: undefined,
  });
  conversions.set(name, made);
  return made;
}

/** Returns a file with uncompressed streams as Latin-1 text. */
async function unpack(pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-flatten-'));
  try {
    const file = join(folder, 'converted.pdf');
    await Bun.write(file, pdf);
    const { stdout } = Bun.spawnSync(['qpdf', '--qdf', file, '-']);
    return stdout.toString('latin1');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const BITMAP = /\/Picture\d+ Do/g;

describeWithPdfTools('transparency in PDF/A-1b', () => {
  test.skipIf(isThorough).each(Object.keys(cases))('%s keeps its look and text', async (name) => {
    const [page, ...others] = await comparePages(makePdf(cases[name]!), await converted(name));
    expect(others).toEqual([]);
    expect(page?.changed).toBeLessThanOrEqual(MAX_CHANGED);
    expect(page?.words).toEqual([]);
  });

  test.skipIf(isThorough)('text above and below a flattened area stays text in the same order', async () => {
    const pdf = await converted('a transparent fill between words');
    const content = await unpack(pdf);
    const bitmap = content.search(BITMAP);
    expect(content.indexOf('(Words below)')).toBeLessThan(bitmap);
    expect(content.indexOf('(Words above)')).toBeGreaterThan(bitmap);
    expect(await pdfText(pdf)).toContain('Words above');
  });

  test.skipIf(isThorough)('a page without transparency gets no bitmap', async () => {
    const opaque = makePdf({
      content: `/Plain gs ${WORDS} /G Do 1 0 0 rg 30 100 20 20 re f`,
      page: '/Group<</S/Transparency/CS/DeviceRGB>>',
      resources: '/XObject<</G 20 0 R>>',
      objects: [form('/Group<</S/Transparency>>/Resources 5 0 R', ABOVE)],
    });
    const pdf = await convertToPdfa(opaque, {
      title: undefined,
      author: undefined,
      subject: undefined,
    });
    expect((await unpack(pdf)).match(BITMAP)).toBeNull();
    expect((await unpack(await converted('a blend mode'))).match(BITMAP)).toHaveLength(1);
  });

  test.if(requireVeraPdf())(
    'veraPDF accepts every result',
    async () => {
      const files = await Promise.all(
        Object.keys(cases).map(async (name) => [name, await converted(name)] as const),
      );
      const failures = await validateWithVeraPdf(new Map(files));
      expect([...failures].filter(([, found]) => found.length > 0)).toEqual([]);
    },
    60_000,
  );
});
