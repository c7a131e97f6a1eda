import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { plainPdf, stream } from '../../../packages/pdf/tests/plain-pdf.ts';

export { plainPdf, stream };

/** Creates a file with pages of 300 x 200 points, each with a line of text. */
export function pagesPdf(
  pages: number,
  { info = '', catalog = '' }: { info?: string; catalog?: string } = {},
): string {
  const kids = Array.from({ length: pages }, (_, page) => `${5 + 2 * page} 0 R`);
  const objects = kids.flatMap((_, page) => {
    const content = `BT /F1 24 Tf 20 100 Td (Page ${page + 1}) Tj ET`;
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F1 3 0 R>>>>/Contents ${6 + 2 * page} 0 R>>`,
      stream(content),
    ];
  });
  return plainPdf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      `<<${info}>>`,
      ...objects,
    ],
    '/Info 4 0 R',
  );
}

/** A rotated page with a form field, whose appearance is a red square. */
export const fieldPdf = plainPdf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Rotate 90/Annots[4 0 R]>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[0 0 50 50]/AP<</N 5 0 R>>>>',
  stream('1 0 0 rg 0 0 50 50 re f', '/Type/XObject/Subtype/Form/BBox[0 0 50 50]'),
]);

/** Creates a file whose page tree lists its only page many times, in six bytes each. */
export function repeatedPagePdf(times: number): string {
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${times}/Kids[${'3 0 R '.repeat(times)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    stream('BT /F 12 Tf 20 100 Td (Hi) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);
}

/** Creates a file that is not encrypted except for an attachment with an unknown password. */
export function sealedAttachmentPdf(): string {
  const unknown = (bytes: number) => `<${'5a'.repeat(bytes)}>`;
  const filter = '/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/Identity/StrF/Identity/EFF/StdCF';
  return plainPdf(
    [
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(secret.txt)7 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      stream('BT /F1 24 Tf 20 100 Td (Page one) Tj ET'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      stream('x'.repeat(48), '/Type/EmbeddedFile'),
      '<</Type/Filespec/F(secret.txt)/EF<</F 6 0 R>>>>',
      `<</Filter/Standard/V 5/R 6/Length 256/P -4/U${unknown(48)}/O${unknown(48)}/UE${unknown(32)}/OE${unknown(32)}/Perms${unknown(16)}${filter}>>`,
      '<</Title(In the clear)>>',
    ],
    `/Encrypt 8 0 R/Info 9 0 R/ID[${unknown(16)}${unknown(16)}]`,
  );
}

/**
 * Creates a hybrid file: its outline is in an object stream and marked free in the table for readers before
 * PDF 1.5.
 */
export function hybridPdf(): string {
  let text = '%PDF-1.5\n';
  const offsets: number[] = [];
  const put = (number: number, object: string) => {
    offsets[number] = text.length;
    text += `${number} 0 obj\n${object}\nendobj\n`;
  };
  put(1, '<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>');
  put(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>');
  put(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>');
  const outline = '<</First 5 0 R/Last 5 0 R/Count 1>>';
  const head = `4 0 5 ${outline.length + 1} `;
  const item = '<</Title(Hidden)/Parent 4 0 R/Dest[3 0 R/Fit]>>';
  put(6, stream(`${head}${outline} ${item}`, `/Type/ObjStm/N 2/First ${head.length}`));
  put(7, stream('\u0002\0\u0006\0\u0002\0\u0006\u0001', '/Type/XRef/Size 8/W[1 2 1]/Index[4 2]'));
  const entries = Array.from({ length: 8 }, (_, number) => {
    const offset = offsets[number];
    if (offset !== undefined) return `${String(offset).padStart(10, '0')} 00000 n \n`;
    return `000000000${number === 0 ? 4 : number === 4 ? 5 : 0} ${number === 0 ? '65535' : '00000'} f \n`;
  });
  return `${text}xref\n0 8\n${entries.join('')}trailer\n<</Root 1 0 R/Size 8/XRefStm ${offsets[7]}>>\nstartxref\n${text.length}\n%%EOF\n`;
}

/**
 * Deflates spaces without holding them in memory: a block that ends in a full flush is independent and can be
 * repeated.
 */
function bomb(megabytes: number): string {
  const block = deflateRawSync(Buffer.alloc(1_000_000, 32), { finishFlush: constants.Z_FULL_FLUSH });
  return `x\u009c${block.toString('latin1').repeat(megabytes)}`;
}

/** Rewrites a file with qpdf and its options. */
export function withQpdf(pdf: string, options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'platen-sample-'));
  try {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(from, pdf, 'latin1');
    const { exitCode, stderr } = Bun.spawnSync(['qpdf', ...options, from, to]);
    if (exitCode !== 0) throw new Error(`qpdf exited with ${exitCode}: ${stderr.toString()}`);
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>';
const tree = '<</Type/Pages/Kids[3 0 R]/Count 1>>';

/** Files that break naive readers. Each must get a result or a 400 within the deadline. */
export const hostilePdfs = {
  userPassword: () => withQpdf(pagesPdf(1), ['--encrypt', 'open', 'owner', '256', '--']),
  ownerPassword: () =>
    withQpdf(pagesPdf(1, { info: '/Title (Secret plans)' }), ['--encrypt', '', 'owner', '256', '--']),
  pageTreeLoop: () =>
    plainPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 3>>', page]),
  onlyALoop: () => plainPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  hugeCount: () =>
    plainPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 9999999999>>', page]),
  deepPageTree: () => {
    const depth = 10;
    const nodes = Array.from({ length: depth }, (_, level) =>
      level === depth - 1
        ? `<</Type/Pages/Parent ${level + 1} 0 R/Kids[${depth + 2} 0 R ${depth + 2} 0 R]/Count 2>>`
        : `<</Type/Pages${level === 0 ? '/MediaBox[0 0 400 300]' : `/Parent ${level + 1} 0 R`}/Kids[${level + 3} 0 R]/Count 2>>`,
    );
    return plainPdf(['<</Type/Catalog/Pages 2 0 R>>', ...nodes, `<</Type/Page/Parent ${depth + 1} 0 R>>`]);
  },
  flateBombInContent: () => {
    const data = bomb(600);
    const content = stream(data, '/Filter/FlateDecode');
    const shared = '/Resources<</Font<</F1 6 0 R>>>>';
    return plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2${shared}>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 5 0 R>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 5 0 R>>',
      content,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]);
  },
  flateBombInObjectStream: () => {
    const data = bomb(600);
    const file = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      tree,
      page,
      stream(data, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'),
    ]);
    // Without the table, the service searches the file and reads object streams.
    return file.slice(0, file.lastIndexOf('xref\n0'));
  },
  hugeWidths: () => {
    const head = '%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n';
    const objects = `${head}2 0 obj\n${tree}\nendobj\n3 0 obj\n${page}\nendobj\n`;
    const xref = stream('x'.repeat(40), '/Type/XRef/Size 5/W[1 2000000000 1]/Root 1 0 R');
    return `${objects}4 0 obj\n${xref}\nendobj\nstartxref\n${objects.length}\n%%EOF\n`;
  },
  manyObjects: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Extra 60000 0 R>>',
      tree,
      page,
      ...Array.from({ length: 60_000 }, (_, index) => `<</Next ${index + 3} 0 R/Number ${index}>>`),
    ]),
  deepArrays: () =>
    plainPdf([`<</Type/Catalog/Pages 2 0 R/Deep ${'['.repeat(500_000)}${']'.repeat(500_000)}>>`, tree, page]),
  deepDictionaries: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      tree,
      `<</Type/Page/MediaBox[0 0 9 9]/A ${'<</A '.repeat(200_000)}`,
    ]),
  outlineLoop: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>',
      tree,
      page,
      '<</First 5 0 R/Last 5 0 R>>',
      '<</Title(x)/Next 5 0 R/First 4 0 R/Dest[3 0 R/Fit]>>',
    ]),
  fieldLoop: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
      tree,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Annots[4 0 R]>>',
      '<</T(x)/FT/Tx/Subtype/Widget/Rect[0 0 9 9]/Kids[4 0 R]/Parent 4 0 R>>',
    ]),
  nameTreeLoop: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Names<</Dests 4 0 R>>/PageLabels 4 0 R>>',
      tree,
      page,
      '<</Kids[4 0 R 4 0 R]/Names[(a)[3 0 R/Fit]]/Nums[0<</S/r>>]>>',
    ]),
  structureLoop: () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R/MarkInfo<</Marked true>>>>',
      tree,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/StructParents 0>>',
      '<</K[4 0 R 5 0 R 5 0 R]/ParentTree<</Nums[0 7 0 R]>>/RoleMap<</A/B/B/A>>>>',
      '<</S/A/P 6 0 R/Pg 3 0 R/K[6 0 R 0 99999999999]>>',
      '<</S/TR/P 5 0 R/K[5 0 R<</S/TD/K 6 0 R>>]>>',
      '[5 0 R 8 0 R 7 0 R]',
      '<</S/P/P 8 0 R/K 8 0 R>>',
    ]),
  referenceLoop: () =>
    plainPdf(['<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>', tree, page, '5 0 R', '4 0 R']),
  prevLoop: () => pagesPdf(1).replace('/Size', '/Prev 9/Size'),
};

/** Reading or drawing these files takes a second, or as long as a task may take. */
const SLOW: ReadonlySet<string> = new Set(['flateBombInContent', 'flateBombInObjectStream', 'manyObjects']);

/** Returns the names of the hostile files that take long, or of the others. */
export function hostileNames({ slow }: { slow: boolean }): (keyof typeof hostilePdfs)[] {
  const names = Object.keys(hostilePdfs) as (keyof typeof hostilePdfs)[];
  return names.filter((name) => SLOW.has(name) === slow);
}
