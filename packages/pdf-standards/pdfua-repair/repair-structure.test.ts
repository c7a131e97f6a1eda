import { describe, expect, test } from 'bun:test';
import { Dict, encodeText, name, Ref } from '@platen/pdf/objects';
import { repairStructure } from './repair-structure.ts';
import type { PageMark } from './page-marks.ts';
import { element, type Element, type Kid } from './structure-tree.ts';

const page = Ref.to(null);
let marks = 0;

/** Returns a mark on a page: text, or a drawing without text. */
function mark(text: string, on = page): Kid {
  const stream = { page: on, form: undefined, setKey: () => {} };
  const made: PageMark = {
    mcid: marks++,
    hasText: text !== '',
    shown: text,
    page: on,
    form: undefined,
    stream,
  };
  return { kind: 'mark', mark: made };
}

/** Returns text as Chromium writes it: an element around a mark. */
const text = (shown: string) => element('NonStruct', [mark(shown)]);
const alt = (description: string) => Dict.of({ Alt: encodeText(description) });
const cell = (type: 'TH' | 'TD', attributes: Record<string, number> = {}, on = page) =>
  element(
    type,
    [element('NonStruct', [mark('x', on)])],
    Dict.of({ A: Dict.of({ O: name('Table'), ...attributes }) }),
  );

/** Returns a tree as text: each mark is its text, and the attributes of cells are in brackets. */
function show(kid: Kid): string {
  if (kid.kind === 'annotation') return '@';
  if (kid.kind === 'mark') return kid.mark.shown || '.';
  const attributes = kid.entries.dict('A');
  const shown = ['Scope', 'RowSpan', 'ColSpan'].flatMap((key) => {
    const value = attributes?.name(key) ?? attributes?.number(key);
    return value === undefined ? [] : [value];
  });
  return `${kid.type}${shown.length > 0 ? `[${shown.join()}]` : ''}(${kid.kids.map(show).join(' ')})`;
}

const repaired = (...kids: Kid[]) => show(repairStructure([element('Document', kids)]));

describe('text', () => {
  test.each<[string, Kid[], string]>([
    [
      'of a paragraph is directly in it',
      [element('P', [text('a'), element('Em', [text('b')])])],
      'P(a Em(b))',
    ],
    ['outside of paragraphs becomes a paragraph', [text('a'), element('Link', [text('b')])], 'P(a Link(b))'],
    [
      'of nested groups becomes paragraphs',
      [element('NonStruct', [element('NonStruct', [text('a')]), element('NonStruct', [text('b')])])],
      'P(a) P(b)',
    ],
    [
      'next to a block becomes a paragraph',
      [element('NonStruct', [text('a'), element('P', [text('b')])])],
      'P(a) P(b)',
    ],
    ['of unknown elements is kept', [element('Sidebar', [text('a')])], 'P(a)'],
    ['of a heading below level 6 becomes a paragraph', [element('H7', [text('a')])], 'P(a)'],
  ])('%s', (_, kids, expected) => {
    expect(repaired(...kids)).toBe(`Document(${expected})`);
  });

  test('keeps its language, which must be a language tag', () => {
    const [kept, dropped] = ['fr', 'not a tag'].map((language) => {
      const root = repairStructure([element('P', [text('a')], Dict.of({ Lang: encodeText(language) }))]);
      return (root.kids[0] as Element).entries.string('Lang')?.key;
    });
    expect([kept, dropped]).toEqual(['fr', undefined]);
  });
});

test('drawings without text are artifacts, except in pictures and labels', () => {
  const list = element('L', [element('LI', [element('Lbl', [mark('')]), text('a')])]);
  expect(repaired(element('P', [mark(''), text('a')]), element('Figure', [mark('')], alt('dot')), list)).toBe(
    'Document(P(a) Figure(.) L(LI(Lbl(.) LBody(a))))',
  );
});

describe('lists', () => {
  test.each<[string, Kid[], string]>([
    [
      'a nested list is in the body of its item',
      [element('L', [element('LI', [text('a'), element('L', [element('LI', [text('b')])])])])],
      'L(LI(LBody(P(a) L(LI(LBody(b))))))',
    ],
    ['other content becomes an item', [element('L', [text('a')])], 'L(LI(LBody(a)))'],
    [
      'an item without a list gets one',
      [element('LI', [text('a')]), element('LI', [text('b')])],
      'L(LI(LBody(a)) LI(LBody(b)))',
    ],
  ])('%s', (_, kids, expected) => {
    expect(repaired(...kids)).toBe(`Document(${expected})`);
  });
});

describe('figures', () => {
  test('a figure that groups a picture and a caption becomes a group', () => {
    const picture = element('Figure', [mark('')], alt('dot'));
    expect(repaired(element('Figure', [picture, element('Caption', [text('a')])]))).toBe(
      'Document(Div(Figure(.) Caption(a)))',
    );
  });
});

test('a link that has become a form field is a form, which contains only the field', () => {
  const annotation = (subtype: string): Kid => ({
    kind: 'annotation',
    page,
    annotation: Ref.to(Dict.of({ Subtype: name(subtype) })),
  });
  const field = element('Link', [text('Sign'), annotation('Widget')]);
  const link = element('Link', [text('Read'), annotation('Link')]);
  expect(repaired(element('P', [field, link]))).toBe('Document(P(Sign Form(@) Link(Read @)))');
});

describe('tables', () => {
  test.each<[string, Kid[], string]>([
    [
      'short rows are completed',
      [element('TR', [cell('TD'), cell('TD')]), element('TR', [cell('TD')])],
      'TR(TD(x) TD(x)) TR(TD(x) TD())',
    ],
    [
      'header cells have a scope',
      [element('TR', [cell('TH')]), element('TR', [cell('TH')])],
      'TR(TH[Column](x)) TR(TH[Row](x))',
    ],
    [
      'spans end with the table',
      [element('TR', [cell('TD', { RowSpan: 5 }), cell('TD')]), element('TR', [cell('TD')])],
      'TR(TD[2](x) TD(x)) TR(TD(x))',
    ],
    [
      'a second caption becomes a row',
      [element('Caption', [text('a')]), element('Caption', [text('b')]), element('TR', [cell('TD')])],
      'Caption(a) TR(TD(b)) TR(TD(x))',
    ],
    ['text becomes a row', [text('a'), element('TR', [cell('TD')])], 'TR(TD(a)) TR(TD(x))'],
  ])('%s', (_, kids, expected) => {
    expect(repaired(element('Table', kids))).toBe(`Document(Table(${expected}))`);
  });

  test('a head that is printed again on the next page counts once', () => {
    const head = element('TH', [element('NonStruct', [mark('Price'), mark('Price', Ref.to(null))])]);
    expect(repaired(element('Table', [element('TR', [head])]))).toBe(
      'Document(Table(TR(TH[Column](Price))))',
    );
  });
});
