import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfStructure, qpdfCheck } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { readQpdf, type QpdfDictionary, type QpdfObjects } from '../../support/pdf/qpdf-objects.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();

const markedContent = (mcid: number, text: string) =>
  `/P <</MCID ${mcid}>> BDC BT /F1 12 Tf 20 ${180 - mcid * 20} Td (${text}) Tj ET EMC`;
const element = (role: string, parent: number, rest: string) =>
  `<</Type/StructElem/S/${role}/P ${parent} 0 R${rest}>>`;

/**
 * Creates two pages with a heading, a paragraph and a table that continue on the second page, a link from the
 * first page to the second, a link to the web, a figure that has only a description, and marked content in a
 * form XObject.
 */
function taggedPdf(): string {
  const page = (contents: number, keys: number, annotation: number, form = '') =>
    `<</Type/Page/Parent 2 0 R/Contents ${contents} 0 R/StructParents ${keys}/Annots[${annotation} 0 R]/Resources<</Font<</F1 7 0 R>>${form}>>>>`;
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 8 0 R/MarkInfo<</Marked true>>/Lang(en)>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    page(5, 0, 9, '/XObject<</X1 11 0 R>>'),
    page(6, 1, 10),
    stream(
      [
        markedContent(0, 'Head'),
        markedContent(1, 'begins'),
        markedContent(2, 'Cell-one'),
        markedContent(3, 'to-two'),
        '/X1 Do',
      ].join('\n'),
    ),
    stream([markedContent(0, 'ends'), markedContent(1, 'Cell-two'), markedContent(2, 'to-web')].join('\n')),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/StructTreeRoot/K 12 0 R/ParentTree 24 0 R/ParentTreeNextKey 5/RoleMap<</Story/Chapter/Chapter/Sect/Aside/Note>>/ClassMap<</Big<</O/Layout/SpaceAfter 9>>/Small<</O/Layout/SpaceAfter 1>>>>/IDTree<</Names[(fig)23 0 R(head)14 0 R]>>>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/StructParent 2/P 3 0 R/Dest[4 0 R/Fit]>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/StructParent 3/P 4 0 R/A<</S/URI/URI(https://example.com/)>>>>',
    stream(
      markedContent(0, 'In-form'),
      '/Type/XObject/Subtype/Form/BBox[0 0 300 200]/StructParents 4/Resources<</Font<</F1 7 0 R>>>>',
    ),
    element('Document', 8, '/K[13 0 R]'),
    element('Story', 12, '/K[14 0 R 15 0 R 16 0 R 21 0 R 22 0 R 23 0 R 25 0 R]'),
    element('H1', 13, '/Pg 3 0 R/K 0/ID(head)/C/Big/Ref[23 0 R 15 0 R]'),
    element('P', 13, '/Pg 3 0 R/K[1<</Type/MCR/Pg 4 0 R/MCID 0>>]/C[/Small 0]'),
    element('Table', 13, '/K[17 0 R 18 0 R]'),
    element('TR', 16, '/K[19 0 R 26 0 R]'),
    element('TR', 16, '/K[20 0 R 27 0 R]'),
    element('TD', 17, '/Pg 3 0 R/K 2'),
    element('TD', 18, '/Pg 4 0 R/K 1'),
    element('Link', 13, '/Pg 3 0 R/K[3<</Type/OBJR/Obj 9 0 R>>]'),
    element('Link', 13, '/Pg 4 0 R/K[2<</Type/OBJR/Obj 10 0 R>>]'),
    element('Figure', 13, '/Pg 4 0 R/Alt(A tree)/ID(fig)/Ref[14 0 R]'),
    '<</Nums[0[14 0 R 15 0 R 19 0 R 21 0 R]1[15 0 R 20 0 R 22 0 R]2 21 0 R 3 22 0 R 4[25 0 R]]>>',
    element('Aside', 13, '/K<</Type/MCR/Pg 3 0 R/Stm 11 0 R/MCID 0>>'),
    element('TD', 17, ''),
    element('TD', 18, '/K[]'),
  ]);
}

async function split(pdf: string, ranges: number[][]): Promise<{ pdf: Buffer; file: QpdfObjects }[]> {
  const body = { pdf: base64(pdf), ranges, output: 'base64' };
  const answer = await service().post('/v1/pdf/split', body);
  expect(answer.status).toBe(200);
  const parts: Buffer[] = answer.body.parts.map(({ data }: { data: string }) => Buffer.from(data, 'base64'));
  return Promise.all(
    parts.map(async (part) => {
      await qpdfCheck(part);
      return { pdf: part, file: await readQpdf(part) };
    }),
  );
}

const rootOf = (file: QpdfObjects): QpdfDictionary => file.dictionary(file.catalog['/StructTreeRoot']);

/** Returns the roles of the elements in the parent tree, keyed by their number in the tree. */
function parentRoles(file: QpdfObjects): Record<string, unknown> {
  const nums = file.list(file.dictionary(rootOf(file)['/ParentTree'])['/Nums']);
  const role = (value: (typeof nums)[number]) => file.dictionary(value)['/S'] ?? null;
  const entries = nums.flatMap((key, index) => {
    if (index % 2 === 1) return [];
    const value = nums[index + 1] ?? null;
    const list = file.list(value);
    return [[Number(key), list.length > 0 ? list.map(role) : role(value)]];
  });
  return Object.fromEntries(entries);
}

describeWithPdfTools('splitting a tagged document', () => {
  test("keeps the elements of the part's pages in their order and hierarchy", async () => {
    const [one, two] = await split(taggedPdf(), [[1], [2]]);
    expect(await pdfStructure(one?.pdf ?? Buffer.of())).toEqual([
      'Document',
      '  Sect',
      '    H1 <head> (block):',
      '       /SpaceAfter 9',
      '      "Head"',
      '    P (block)',
      '      "begins"',
      '    Table (block)',
      '      TR',
      '        TD',
      '          "Cell-one"',
      '        TD',
      '    Link (inline)',
      '      "to-two"',
      '    Note (inline)',
      '      "In-form"',
    ]);
    const structure = await pdfStructure(two?.pdf ?? Buffer.of());
    expect(structure.map((line) => line.replace(/Object \d+ 0$/, 'Object'))).toEqual([
      'Document',
      '  Sect',
      '    P (block)',
      '      "ends"',
      '    Table (block)',
      '      TR',
      '        TD',
      '          "Cell-two"',
      '        TD',
      '    Link (inline)',
      '      "to-web"',
      '      Object',
      '    Figure <fig>',
    ]);
  });

  test('keeps the parent tree entries of its pages, annotations and form XObjects, and removes others', async () => {
    const [one, two] = await split(taggedPdf(), [[1], [2]]);
    expect(one && parentRoles(one.file)).toEqual({ 0: ['/H1', '/P', '/TD', '/Link'], 4: ['/Aside'] });
    expect(two && parentRoles(two.file)).toEqual({ 1: ['/P', '/TD', '/Link'], 3: '/Link' });
    expect([one, two].map((part) => part?.file.pages[0]?.['/StructParents'])).toEqual([0, 1]);
    expect([one, two].map((part) => part?.file.typed('/StructElem').length)).toEqual([10, 9]);
    for (const part of [one, two]) {
      expect(part?.file.unreached()).toEqual([]);
      expect(part?.file.typed('/Page').length).toBe(1);
      expect(part?.file.catalog['/MarkInfo']).toEqual({ '/Marked': true });
    }
  });

  test("keeps the roles, classes and ids that the part's elements use", async () => {
    const [one, two] = await split(taggedPdf(), [[1], [2]]);
    const keys = (part: typeof one, key: string) =>
      part && Object.keys(part.file.dictionary(rootOf(part.file)[key])).toSorted();
    expect(keys(one, '/RoleMap')).toEqual(['/Aside', '/Chapter', '/Story']);
    expect(keys(two, '/RoleMap')).toEqual(['/Chapter', '/Story']);
    expect(keys(one, '/ClassMap')).toEqual(['/Big', '/Small']);
    expect(keys(two, '/ClassMap')).toEqual(['/Small']);
    const names = (part: typeof one) =>
      part?.file
        .list(part.file.dictionary(rootOf(part.file)['/IDTree'])['/Names'])
        .filter((name) => typeof name === 'string' && name.startsWith('u:'));
    expect([names(one), names(two)]).toEqual([['u:head'], ['u:fig']]);
  });

  test('keeps references between elements of the part and removes others', async () => {
    const referring = (file: QpdfObjects | undefined) =>
      (file?.typed('/StructElem') ?? []).flatMap((item) => {
        const references = item['/Ref'];
        return references === undefined
          ? []
          : [[item['/S'], file?.list(references).map((ref) => file.dictionary(ref)['/S'])]];
      });
    const [one, two, both] = await split(taggedPdf(), [[1], [2], [1, 2]]);
    expect(referring(one?.file)).toEqual([['/H1', ['/P']]]);
    expect(referring(two?.file)).toEqual([]);
    const whole = referring(both?.file);
    expect(whole.length).toBe(2);
    expect(whole).toContainEqual(['/Figure', ['/H1']]);
    expect(whole).toContainEqual(['/H1', ['/Figure', '/P']]);
  });

  test('keeps the whole structure for the whole range, and the parts can be merged again', async () => {
    const [all, one, two] = await split(taggedPdf(), [[1, 2], [1], [2]]);
    expect(all && parentRoles(all.file)).toEqual({
      0: ['/H1', '/P', '/TD', '/Link'],
      1: ['/P', '/TD', '/Link'],
      2: '/Link',
      3: '/Link',
      4: ['/Aside'],
    });
    const pdfs = [one, two].map((part) => part?.pdf.toString('base64'));
    const { body } = await service().post('/v1/pdf/merge', { pdfs, output: 'base64' });
    const joined = Buffer.from(body.data, 'base64');
    await qpdfCheck(joined);
    const words = (await pdfStructure(joined))
      .filter((line) => line.includes('"'))
      .map((line) => line.trim());
    expect(words.map((word) => word.slice(1, -1)).join(' ')).toBe(
      'Head begins Cell-one to-two In-form ends Cell-two to-web',
    );
  });

  test("removes the structure if no element is on the part's pages", async () => {
    const pdf = taggedPdf().replaceAll('/Pg 4 0 R', '/Pg 3 0 R').replaceAll('/P 4 0 R', '/P 3 0 R');
    const [, two] = await split(pdf, [[1], [2]]);
    expect([two?.file.catalog['/StructTreeRoot'], two?.file.catalog['/MarkInfo']]).toEqual([
      undefined,
      undefined,
    ]);
    expect(two?.file.typed('/StructElem')).toEqual([]);
  });
});
