import { describe, expect, test } from 'bun:test';
import { cellsOf, fault, filled, PNG } from './tests/fill.ts';
import { link, rows, xlsx } from './tests/make-file.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const items = [
  { name: 'Chair', price: 10.5, quantity: 2 },
  { name: 'Desk', price: 99, quantity: 3 },
  { name: 'Lamp', price: 5, quantity: 1 },
];
const LIST = {
  A1: 'Name',
  A2: '{{#each items}}{{name}}',
  B2: '{{price}}',
  C2: '{{quantity}}',
  D2: '=B2*C2',
  E2: '{{/each}}',
  A4: 'Total',
  D4: '=SUM(D2:D2)',
};

describe('xlsx', () => {
  test('rows are repeated, formulas follow and sums grow', () => {
    expect(cellsOf(filled(xlsx({ One: rows(LIST) }), { items }).parts[SHEET])).toEqual({
      A1: 'inlineStr:Name',
      A2: 'inlineStr:Chair',
      B2: 'n:10.5',
      C2: 'n:2',
      D2: '=B2*C2',
      E2: '',
      A3: 'inlineStr:Desk',
      B3: 'n:99',
      C3: 'n:3',
      D3: '=B3*C3',
      E3: '',
      A4: 'inlineStr:Lamp',
      B4: 'n:5',
      C4: 'n:1',
      D4: '=B4*C4',
      E4: '',
      A6: 'inlineStr:Total',
      D6: '=SUM(D2:D4)',
    });
  });

  test('rows with nothing but tags are removed, and rows without content between them are repeated', () => {
    const sheet = rows({
      A1: '{{#each items}}',
      A3: '{{name}}',
      A4: '{{/each}}',
      A5: 'end',
      B5: '=COUNTA(A3)',
    });
    expect(cellsOf(filled(xlsx({ One: sheet }), { items }).parts[SHEET])).toEqual({
      A2: 'inlineStr:Chair',
      A4: 'inlineStr:Desk',
      A6: 'inlineStr:Lamp',
      A7: 'inlineStr:end',
      B7: '=COUNTA(A2,A4,A6)',
    });
  });

  test('a list without items leaves a sum of nothing', () => {
    const cells = cellsOf(filled(xlsx({ One: rows(LIST) }), { items: [] }).parts[SHEET]);
    expect(cells).toEqual({ A1: 'inlineStr:Name', A3: 'inlineStr:Total', D3: '=SUM(XFD1048576)' });
  });

  test('a subtotal belongs to its group', () => {
    const sheet = rows({
      A1: '{{#each groups}}',
      A2: '{{title}}',
      A3: '{{#each items}}{{name}}',
      B3: '{{price}}{{/each}}',
      A4: 'Sum',
      B4: '=SUM(B3:B3)',
      A5: '{{/each}}',
      A6: 'All',
      B6: '=SUM(B4)',
    });
    const groups = [
      { title: 'x', items: items.slice(0, 2) },
      { title: 'y', items: items.slice(2) },
    ];
    const cells = cellsOf(filled(xlsx({ One: sheet }), { groups }).parts[SHEET]);
    expect([cells['B4'], cells['B7'], cells['B8']]).toEqual(['=SUM(B2:B3)', '=SUM(B6:B6)', '=SUM(B4,B7)']);
  });

  test('formulas of other sheets, names, and ranges with fixed rows follow', () => {
    const { parts } = filled(
      xlsx(
        {
          'My sheet': rows(LIST),
          Two: rows({
            A1: "='My sheet'!D4",
            A2: "=SUM('My sheet'!$D$2:$D$2)*2",
            A3: '=A1+LOG10(2)&amp;"D4"',
          }),
        },
        { names: `<definedName name="_xlnm.Print_Area" localSheetId="0">'My sheet'!$A$1:$E$4</definedName>` },
      ),
      { items },
    );
    expect(cellsOf(parts['xl/worksheets/sheet2.xml'])).toEqual({
      A1: "='My sheet'!D6",
      A2: "=SUM('My sheet'!$D$2:$D$4)*2",
      A3: '=A1+LOG10(2)&amp;&quot;D4&quot;',
    });
    expect(parts['xl/workbook.xml']).toContain("'My sheet'!$A$1:$E$6");
    expect(parts['xl/workbook.xml']).toContain('fullCalcOnLoad="1"');
  });

  test('shared formulas are written into each cell', () => {
    const sheet = `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{{#each items}}</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>{{price}}</t></is></c><c r="B2"><f t="shared" ref="B2:B3" si="0">A2*$C$9</f></c></row><row r="3"><c r="B3"><f t="shared" si="0"/></c><c r="A3" t="inlineStr"><is><t>{{/each}}</t></is></c></row></sheetData>`;
    const cells = cellsOf(filled(xlsx({ One: sheet }), { items: items.slice(0, 2) }).parts[SHEET]);
    expect(cells).toEqual({
      A1: 'n:10.5',
      B1: '=A1*$C$10',
      B2: '=A2*$C$10',
      A2: '',
      A3: 'n:99',
      B3: '=A3*$C$10',
      B4: '=A4*$C$10',
      A4: '',
    });
  });

  test('values keep their type, and text that begins with = stays text', () => {
    const sheet = rows(
      {
        A1: '{{n}}',
        B1: '{{b}}',
        C1: '{{d}}',
        D1: '{{d}}',
        E1: '{{f}}',
        F1: '{{n}} €',
        G1: '{{t}}',
        H1: '{{none}}',
      },
      { C1: '1' },
    );
    expect(
      cellsOf(
        filled(xlsx({ One: sheet }), { n: 1.5, b: true, d: '2026-03-01', f: '=1+1', t: '12', none: null })
          .parts[SHEET],
      ),
    ).toEqual({
      A1: 'n:1.5',
      B1: 'b:1',
      C1: 'n:46082',
      D1: 'inlineStr:2026-03-01',
      E1: 'inlineStr:=1+1',
      F1: 'inlineStr:1.5 €',
      G1: 'inlineStr:12',
      H1: '',
    });
  });

  test('shared texts with tags, and others stay', () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row></sheetData>';
    const cells = cellsOf(
      filled(xlsx({ One: sheet }, { strings: ['Hello {{name}}', 'x'] }), { name: 'Ann' }).parts[SHEET],
    );
    expect(cells).toEqual({ A1: 'inlineStr:Hello Ann', B1: 's:1' });
  });

  test('merged cells, row heights, formats, links, breaks and filters move', () => {
    const data = rows(LIST).replace('<row r="2">', '<row r="2" ht="30" customHeight="1">');
    const sheet = `<dimension ref="A1:E4"/>${data}<autoFilter ref="A1:E2"/><mergeCells count="2"><mergeCell ref="A2:B2"/><mergeCell ref="A4:C4"/></mergeCells><conditionalFormatting sqref="D2 D4"><cfRule type="expression" priority="1"><formula>D2&gt;$D$4</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation sqref="C2"><formula1>$A$4</formula1></dataValidation></dataValidations><rowBreaks count="1" manualBreakCount="1"><brk id="4"/></rowBreaks>`;
    const xml = filled(xlsx({ One: sheet }), { items }).parts[SHEET] ?? '';
    expect(xml).not.toContain('dimension');
    expect(xml).toContain('<autoFilter ref="A1:E4"/>');
    expect(xml).toContain(
      '<mergeCells count="4"><mergeCell ref="A2:B2"/><mergeCell ref="A3:B3"/><mergeCell ref="A4:B4"/><mergeCell ref="A6:C6"/></mergeCells>',
    );
    expect(xml).toContain('sqref="D2:D4 D6"');
    expect(xml).toContain('<formula>D2&gt;$D$6</formula>');
    expect(xml).toContain('sqref="C2:C4"');
    expect(xml).toContain('<formula1>$A$6</formula1>');
    expect(xml).toContain('<brk id="6"/>');
    expect(xml.match(/<row r="\d" ht="30"/g)).toHaveLength(3);
  });

  test('tables, comments and anchors of pictures move', () => {
    const parts = {
      'xl/tables/table1.xml':
        '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" ref="A1:D2"><autoFilter ref="A1:D2"/></table>',
      'xl/comments1.xml':
        '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><commentList><comment ref="A4"/></commentList></comments>',
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"><xdr:twoCellAnchor><xdr:from><xdr:row>3</xdr:row></xdr:from><xdr:to><xdr:row>7</xdr:row></xdr:to></xdr:twoCellAnchor></xdr:wsDr>',
      'xl/charts/chart1.xml':
        '<c:chart xmlns:c="x"><c:val><c:numRef><c:f>One!$D$2:$D$2</c:f><c:numCache/></c:numRef></c:val></c:chart>',
    };
    const links = {
      'xl/worksheets/_rels/sheet1.xml.rels':
        link('rId1', 'table', '../tables/table1.xml') +
        link('rId2', 'comments', '../comments1.xml') +
        link('rId3', 'drawing', '../drawings/drawing1.xml'),
    };
    const made = filled(xlsx({ One: rows(LIST) }, { parts, links }), { items }).parts;
    expect(made['xl/tables/table1.xml']).toMatch(/ ref="A1:D4"[^>]*><autoFilter ref="A1:D4"\/>/);
    expect(made['xl/comments1.xml']).toContain('ref="A6"');
    expect(made['xl/drawings/drawing1.xml']).toContain(
      '<xdr:from><xdr:row>5</xdr:row></xdr:from><xdr:to><xdr:row>9</xdr:row></xdr:to>',
    );
    expect(made['xl/charts/chart1.xml']).toContain("<c:f>'One'!$D$2:$D$4</c:f></c:numRef>");
  });

  test('pictures are anchored at their cell', () => {
    const { parts } = filled(
      xlsx({ One: rows({ A1: '{{#each items}}', B2: '{{image picture width="20mm"}}', A3: '{{/each}}' }) }),
      { items: [{ picture: PNG }, { picture: PNG }] },
    );
    const drawing = Object.entries(parts).find(([name]) => name.startsWith('xl/drawings/platen'))?.[1];
    expect(drawing?.match(/<xdr:row>\d<\/xdr:row>/g)).toEqual([
      '<xdr:row>0</xdr:row>',
      '<xdr:row>1</xdr:row>',
    ]);
    expect(parts[SHEET]).toContain('<drawing r:id="rIdPlaten1"/>');
  });

  test('a value with a line break wraps, and its row is as high as its lines', () => {
    const head =
      '<fonts><font/><font><sz val="22"/></font></fonts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"><alignment wrapText="1"/></xf>';
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${head}<xf fontId="1"><protection/></xf></cellXfs></styleSheet>`;
    const cell = (at: string, style: number) =>
      `<c r="${at}" s="${style}" t="inlineStr"><is><t>{{a}}</t></is></c>`;
    const row = (number: number, cells: string) =>
      `<row r="${number}" ht="${number === 3 ? 99 : 12}" customHeight="1">${cells}</row>`;
    const sheet = `<sheetData>${row(1, cell('A1', 2) + cell('B1', 0) + cell('C1', 2))}${row(2, cell('A2', 1))}${row(3, cell('A3', 0))}</sheetData>`;
    const file = xlsx({ One: sheet }, { parts: { 'xl/styles.xml': styles } });
    const { parts } = filled(file, { a: 'x\r\ny' });
    expect(cellsOf(parts[SHEET])).toMatchObject({ A1: 'inlineStr:x\ny', A2: 'inlineStr:x\ny' });
    expect(parts[SHEET]).toMatch(
      /<row r="1" ht="60"><c r="A1" s="3" .*<c r="B1" s="4" .*<c r="C1" s="3" .*<row r="2" ht="12" customHeight="1"><c r="A2" s="1" .*<row r="3" ht="99" customHeight="1"><c r="A3" s="4" /s,
    );
    expect(parts['xl/styles.xml']).toContain(
      '<xf fontId="1" applyAlignment="1"><alignment wrapText="1"/><protection/></xf><xf numFmtId="0" applyAlignment="1"><alignment wrapText="1"/></xf></cellXfs>',
    );
    expect(parts['xl/styles.xml']).toContain('<cellXfs count="5">');
    expect(filled(file, { a: 'x' }).parts['xl/styles.xml']).toBe(styles);
  });

  test('faults and absent data name the cell', () => {
    expect(filled(xlsx({ One: rows({ B7: '{{a.b}}' }) }), { a: {} }).missing).toEqual([
      { path: 'a.b', count: 1, place: 'One!B7' },
    ]);
    expect(fault(xlsx({ One: rows({ B7: '{{#if a}}' }) }))).toBe(
      'tag: One!B7: the block "{{#if a}}" is not closed',
    );
    expect(fault(xlsx({ 'A "1" {x}': rows({ C3: '{{image a}}' }) }), { a: 'x' })).toStartWith(
      'tag: A "1" {x}!C3: the helper "image" takes',
    );
    expect(fault(xlsx({ One: rows({ A1: '{{#if a}}x', B1: '{{else}}', C1: '{{/if}}' }) }))).toBe(
      'tag: One!B1: "{{else}}" must stand in a row or paragraph of its own',
    );
  });

  test('a sheet without tags keeps its text', () => {
    const file = xlsx({ One: rows({ A1: 'x', A2: '=A1' }) });
    expect(cellsOf(filled(file, {}).parts[SHEET])).toEqual({ A1: 'inlineStr:x', A2: '=A1' });
  });
});
