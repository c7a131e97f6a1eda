import { expect, test } from 'bun:test';
import { asDict, buildPageTree, Dict, name, PdfDocument, Ref, writePdf } from './index.ts';

/**
 * Returns a document with a list of structure elements like those of a table. Every hundredth element is
 * long.
 */
function documentOf(count: number, isStructure: boolean): Uint8Array {
  const owner = Ref.to(new Dict());
  const items = Array.from({ length: count }, (_, index) =>
    Ref.to(
      index % 100 === 50
        ? Dict.of({ S: name('TR'), K: Array.from({ length: 200 }, (__, kid) => kid + index) })
        : Dict.of({ S: name('TD'), P: owner, K: index % 200 }),
    ),
  );
  owner.value = Dict.of({ Items: items });
  const page = Dict.of({ Type: name('Page'), MediaBox: [0, 0, 9, 9] });
  const pages = buildPageTree([Ref.to(page)], (_, parent) => page.set('Parent', parent));
  const root = Ref.to(Dict.of({ Type: name('Catalog'), Pages: pages, StructTreeRoot: owner }));
  const structure = isStructure ? new Set([owner, ...items]) : undefined;
  return writePdf({ root, version: '1.7', compact: true, structure });
}

function readItems(pdf: Uint8Array): unknown[] {
  const items = PdfDocument.open(pdf).catalog.dict('StructTreeRoot')?.array('Items') ?? [];
  return items.map((item) => {
    const dict = asDict(item);
    return dict?.name('S') === 'TR' ? dict.array('K')?.[0] : dict?.number('K');
  });
}

test.each([
  [1, true],
  [499, true],
  [2_600, true],
  [2_600, false],
])('%d objects are read from object streams as they were written (structure: %p)', (count, isStructure) => {
  const expected = Array.from({ length: count }, (_, index) => (index % 100 === 50 ? index : index % 200));
  expect(readItems(documentOf(count, isStructure))).toEqual(expected);
});

test('many elements take few bytes each, and few streams', () => {
  const [few, many] = [documentOf(2_000, true), documentOf(10_000, true)];
  expect((many.length - few.length) / 8_000).toBeLessThan(5);
  expect(
    Buffer.from(many)
      .toString('latin1')
      .match(/\/ObjStm/g)?.length,
  ).toBeLessThan(30);
});

test('only large structure trees have a predictor, because some libraries do not support it in object streams', () => {
  const hasPredictor = (pdf: Uint8Array) =>
    /\/ObjStm[^>]*\/Predictor/.test(Buffer.from(pdf).toString('latin1'));
  expect(hasPredictor(documentOf(400, true))).toBe(false);
  expect(hasPredictor(documentOf(5_000, false))).toBe(false);
  expect(hasPredictor(documentOf(600, true))).toBe(true);
});
