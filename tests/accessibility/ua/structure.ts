import { type Node, type TaggedFile, type UaCase } from './tagged-file.ts';

const cell = (type: string, entries = ''): Node => [type, entries];
const table = (...children: Node[]): TaggedFile => ({ nodes: [['Table', '', ...children]] });
const row = (...cells: Node[]): Node => ['TR', '', ...cells];
const scoped = (scope: string) => cell('TH', `/A<</O/Table/Scope/${scope}>>`);
const spanning = (type: string, rows: number, columns = 1) =>
  cell(type, `/A<</O/Table/RowSpan ${rows}/ColSpan ${columns}>>`);

/** About the nesting of elements, tables, headings and text alternatives. */
export const structureCases: UaCase[] = [
  ['7.2: a table', true, table(row(scoped('Column'), scoped('Column')), row(cell('TD'), cell('TD')))],
  [
    '7.2: two heads',
    false,
    table(
      ['THead', '', row(scoped('Column'))],
      ['THead', '', row(scoped('Column'))],
      ['TBody', '', row(cell('TD'))],
    ),
  ],
  [
    '7.2: two feet',
    false,
    table(['TBody', '', row(cell('TD'))], ['TFoot', '', row(cell('TD'))], ['TFoot', '', row(cell('TD'))]),
  ],
  ['7.2: a head without a body', false, table(['THead', '', row(scoped('Column'))])],
  ['7.2: a head and a row', false, table(['THead', '', row(scoped('Column'))], row(cell('TD')))],
  ['7.2: a foot without a body', false, table(['TFoot', '', row(cell('TD'))])],
  [
    '7.2: a head, a body and a foot',
    true,
    table(
      ['THead', '', row(scoped('Column'))],
      ['TBody', '', row(cell('TD'))],
      ['TFoot', '', row(cell('TD'))],
    ),
  ],
  ['7.2: two bodies', true, table(['TBody', '', row(cell('TD'))], ['TBody', '', row(cell('TD'))])],
  ['7.2: a caption in the middle', false, table(row(cell('TD')), ['Caption'], row(cell('TD')))],
  ['7.2: a caption at the end', true, table(row(cell('TD')), ['Caption'])],
  ['7.2: two captions', false, table(['Caption'], row(cell('TD')), ['Caption'])],
  ['7.2: a paragraph in a table', false, table(['P'])],
  ['7.2: a paragraph in a row', false, table(row(['P']))],
  ['7.2: a row alone', false, { nodes: [row(cell('TD'))] }],
  ['7.2: an empty table', true, table()],
  ['7.2: an empty row', true, table(row())],
  ['7.2: rows of different lengths', false, table(row(cell('TD'), cell('TD')), row(cell('TD')))],
  [
    '7.2: columns of different lengths',
    false,
    table(row(spanning('TD', 2), cell('TD')), row(cell('TD')), row(cell('TD'))),
  ],
  ['7.2: a cell that is too long', false, table(row(spanning('TD', 3), cell('TD')), row(cell('TD')))],
  ['7.2: cells that are equally long', true, table(row(spanning('TD', 3), spanning('TD', 3)))],
  ['7.2: cells that overlap', false, table(row(cell('TD'), spanning('TD', 2)), row(spanning('TD', 1, 2)))],
  [
    '7.2: cells that span rows and columns',
    true,
    table(row(spanning('TD', 2), spanning('TD', 1, 2)), row(cell('TD'), cell('TD'))),
  ],
  ['7.2: a list with a caption at the end', false, { nodes: [['L', '', ['LI'], ['Caption']]] }],
  ['7.2: a list with a caption', true, { nodes: [['L', '', ['Caption'], ['LI', '', ['Lbl'], ['LBody']]]] }],
  ['7.2: a list with two captions', false, { nodes: [['L', '', ['Caption'], ['Caption'], ['LI']]] }],
  ['7.2: a paragraph in a list', false, { nodes: [['L', '', ['P']]] }],
  ['7.2: a paragraph in an item', false, { nodes: [['L', '', ['LI', '', ['P']]]] }],
  ['7.2: a body alone', false, { nodes: [['LBody']] }],
  [
    '7.2: a table of contents with a caption at the end',
    false,
    { nodes: [['TOC', '', ['TOCI'], ['Caption']]] },
  ],
  ['7.2: a table of contents with a caption', true, { nodes: [['TOC', '', ['Caption'], ['TOCI']]] }],
  ['7.2: an entry of contents alone', false, { nodes: [['TOCI']] }],
  ['7.2: a paragraph in contents', false, { nodes: [['TOC', '', ['P']]] }],
  ['7.3: a figure', false, { nodes: [['Figure']] }],
  ['7.3: a figure with an empty alternative', false, { nodes: [['Figure', '/Alt()']] }],
  ['7.3: a figure with an empty replacement', true, { nodes: [['Figure', '/ActualText()']] }],
  ['7.3: a figure with an alternative', true, { nodes: [['Figure', '/Alt(a)']] }],
  ['7.7: a formula', false, { nodes: [['Formula']] }],
  ['7.7: a formula with an alternative', true, { nodes: [['Formula', '/Alt(a)']] }],
  ['7.4.2: a skipped heading', false, { nodes: [['H1'], ['H3']] }],
  ['7.4.2: headings', true, { nodes: [['H1'], ['H2'], ['H3'], ['H1']] }],
  ['7.4.4: two headings in an element', false, { nodes: [['H'], ['H']] }],
  [
    '7.4.4: two headings in sections',
    true,
    {
      nodes: [
        ['Sect', '', ['H']],
        ['Sect', '', ['H']],
      ],
    },
  ],
  ['7.4.4: headings of two kinds', false, { nodes: [['H1'], ['Sect', '', ['H']]] }],
  ['7.5: a header without a scope', false, table(row(cell('TH'), cell('TH')), row(cell('TD'), cell('TD')))],
  [
    '7.5: headers by ID',
    true,
    table(
      row(cell('TH', '/ID(x)'), cell('TH', '/ID(y)')),
      row(cell('TD', '/A<</O/Table/Headers[(x)]>>'), cell('TD', '/A<</O/Table/Headers[(y)]>>')),
    ),
  ],
  [
    '7.5: headers by an unknown ID',
    false,
    table(
      row(cell('TH', '/ID(x)'), cell('TH', '/ID(y)')),
      row(cell('TD', '/A<</O/Table/Headers[(z)]>>'), cell('TD', '/A<</O/Table/Headers[(y)]>>')),
    ),
  ],
  [
    '7.5: headers by an unknown ID beside a scope',
    true,
    table(row(scoped('Column')), row(cell('TD', '/A<</O/Table/Headers[(z)]>>'))),
  ],
  [
    '7.5: a scope for some columns',
    false,
    table(row(scoped('Column'), cell('TH')), row(cell('TD'), cell('TD'))),
  ],
  ['7.5: a header by row', true, table(row(scoped('Row'), cell('TD')), row(scoped('Row'), cell('TD')))],
  [
    '7.5: a scope in a class',
    true,
    { root: '/ClassMap<</c<</O/Table/Scope/Column>>>>', ...table(row(cell('TH', '/C/c')), row(cell('TD'))) },
  ],
  ['7.5: cells without a header', true, table(row(cell('TD'), cell('TD')), row(cell('TD'), cell('TD')))],
  [
    '7.5: a header for another column',
    true,
    table(row(scoped('Column'), cell('TD')), row(cell('TD'), cell('TD'))),
  ],
  ['7.9: a note without an ID', false, { nodes: [['Note']] }],
  [
    '7.9: notes with the same ID',
    false,
    {
      nodes: [
        ['Note', '/ID(a)'],
        ['Note', '/ID(a)'],
      ],
    },
  ],
  [
    '7.9: notes',
    true,
    {
      nodes: [
        ['Note', '/ID(a)'],
        ['Note', '/ID(b)'],
      ],
    },
  ],
  [
    '7.5: a header in a table head without a scope',
    false,
    table(['THead', '', row(cell('TH'))], ['TBody', '', row(cell('TD'))]),
  ],
  ['7.5: a header alone', true, table(row(cell('TH')))],
  ['7.5: a header of both kinds', true, table(row(scoped('Both'), cell('TD')), row(cell('TD'), cell('TD')))],
  ['7.5: empty headers', false, table(row(cell('TH')), row(cell('TD', '/A<</O/Table/Headers[]>>')))],
];
