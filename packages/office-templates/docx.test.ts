import { describe, expect, test } from 'bun:test';
import { fillOfficeTemplate } from './index.ts';
import { fault, filled, linesOf, PNG } from './tests/fill.ts';
import { docx, paragraph as p, table } from './tests/make-file.ts';

const items = [
  { name: 'Chair', price: 10, tags: ['a', 'b'] },
  { name: 'Desk', price: 99, tags: [] },
];

function lines(body: string, data: unknown): string[] {
  return linesOf(filled(docx(body), data).parts['word/document.xml']);
}

describe('docx', () => {
  test('tags are found in several runs, with the quotes that Word writes', () => {
    const body = p('Dear {', '{customer', '.name}', '}, {{formatCurrency total “EUR” locale=”de-DE”}}');
    expect(lines(body, { customer: { name: 'A & <B>' }, total: 1234.5 })).toEqual([
      'Dear A & <B>, 1.234,50\u00a0€',
    ]);
  });

  test('a tag that begins in one style has this style', () => {
    const body = '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{{na</w:t></w:r><w:r><w:t>me}} end</w:t></w:r></w:p>';
    const xml = filled(docx(body), { name: 'Ann' }).parts['word/document.xml'];
    expect(xml).toContain(
      '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ann</w:t></w:r><w:r><w:t xml:space="preserve"> end</w:t></w:r>',
    );
  });

  test('line breaks in values become breaks, and characters that XML forbids are left out', () => {
    expect(lines(p('{{a}}'), { a: 'x\ny\u0001\uffff\ud800z' })).toEqual(['x|y\ufffdz']);
  });

  test('null and empty text print nothing, false and 0 are printed', () => {
    expect(lines(p('[{{a}}{{b}}{{c}}{{d}}]'), { a: null, b: '', c: false, d: 0 })).toEqual(['[false0]']);
    expect(filled(docx(p('{{a}}{{b}}')), { a: null, b: '' }).missing).toEqual([]);
  });

  test('blocks in a paragraph', () => {
    const body = p(
      'x {{#if ',
      'a}}yes',
      '{{else}}no{{/if}} {{#each items}}{{name}}{{#unless @last}}, {{/unless}}{{/each}}',
    );
    expect(lines(body, { a: true, items })).toEqual(['x yes Chair, Desk']);
    expect(lines(body, { a: false, items: [] })).toEqual(['x no ']);
  });

  test('blocks repeat paragraphs, and paragraphs with nothing but tags are removed', () => {
    const body =
      p('{{#each items}}') +
      p('{{name}}') +
      p('{{#if tags}}') +
      p('tagged') +
      p('{{else}}') +
      p('plain') +
      p('{{/if}}') +
      p('{{/each}}') +
      p('end');
    expect(lines(body, { items })).toEqual(['Chair', 'tagged', 'Desk', 'plain', 'end']);
  });

  test('a block can begin and end in paragraphs with text', () => {
    expect(lines(p('{{#each items}}{{name}}') + p('{{price}}{{/each}}'), { items })).toEqual([
      'Chair',
      '10',
      'Desk',
      '99',
    ]);
  });

  test('two blocks that meet in one paragraph', () => {
    const body = p('{{#each items}}') + p('{{name}}') + p('{{/each}}{{#if a}}') + p('last') + p('{{/if}}');
    expect(lines(body, { items, a: 1 })).toEqual(['Chair', 'Desk', 'last']);
  });

  test('a block from one cell to another repeats the row', () => {
    const body = table(
      ['Name', 'Price'],
      ['{{#each items}}{{name}}', '{{price}}{{/each}}'],
      ['Sum', '{{total}}'],
    );
    expect(lines(body, { items, total: 109 })).toEqual([
      'Name',
      'Price',
      'Chair',
      '10',
      'Desk',
      '99',
      'Sum',
      '109',
    ]);
  });

  test('rows with nothing but tags enclose rows', () => {
    const body = table(
      ['{{#each items}}', ''],
      ['{{name}}', ''],
      ['', '{{price}}'],
      ['{{/each}}', ''],
      ['end', ''],
    );
    expect(lines(body, { items })).toEqual(['Chair', '', '', '10', 'Desk', '', '', '99', 'end', '']);
  });

  test('a table without rows is removed, and a cell keeps a paragraph', () => {
    const xml = filled(docx(table(['{{#each items}}a', 'b{{/each}}']) + p('end')), { items: [] }).parts[
      'word/document.xml'
    ];
    expect(xml).not.toContain('w:tbl');
    const cell = `<w:tbl><w:tr><w:tc>${p('{{#if a}}')}${p('x')}${p('{{/if}}')}</w:tc></w:tr></w:tbl>`;
    expect(filled(docx(cell), { a: 0 }).parts['word/document.xml']).toContain('<w:tc><w:p/></w:tc>');
  });

  test('headers, footers, footnotes and text boxes', () => {
    const box = `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${p('{{a}}')}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`;
    const file = docx(box + p('{{b}}'), [
      { kind: 'header', type: 'wordprocessingml.header', content: `<w:hdr>${p('{{a}}')}</w:hdr>` },
      {
        kind: 'footnotes',
        type: 'wordprocessingml.footnotes',
        content: `<w:footnotes><w:footnote>${p('{{c}}')}</w:footnote></w:footnotes>`,
      },
    ]);
    const { parts, missing } = filled(file, { a: 'A' });
    expect(linesOf(parts['word/header1.xml'])).toEqual(['A']);
    expect(linesOf(parts['word/document.xml'])[0]).toBe('A');
    expect(missing).toEqual([
      { path: 'b', count: 1, place: 'paragraph 2' },
      { path: 'c', count: 1, place: 'footnotes, paragraph 1' },
    ]);
  });

  test('absent data is reported with its place', () => {
    const body = p('x') + table(['a', '{{one}}'], ['{{#each items}}{{name}}', '{{colour}}{{/each}}']);
    expect(filled(docx(body), { items }).missing).toEqual([
      { path: 'one', count: 1, place: 'table 1, row 1' },
      { path: 'items[0].colour', count: 2, place: 'table 1, row 2' },
    ]);
  });

  test('an escaped tag is text, and braces of data are not tags', () => {
    expect(lines(p(String.raw`\{{name}} {{a}} {x} C:\dir`), { a: '{{b}}' })).toEqual([
      String.raw`{{name}} {{b}} {x} C:\dir`,
    ]);
  });

  test('values are never markup', () => {
    expect(lines(p('{{{a}}}{{&amp; a}}'), { a: '<w:br/>' })).toEqual(['<w:br/><w:br/>']);
  });

  test('pictures are stored once, in the size that the tag asks for', () => {
    const { parts } = filled(
      docx(p('{{image logo width="30mm" alt="Logo"}}{{image "asset:a b.png" height=96}}')),
      { logo: PNG },
      new Map([['a b.png', Buffer.from(PNG.split(',')[1] ?? '', 'base64')]]),
    );
    const xml = parts['word/document.xml'];
    expect(xml).toContain('<wp:extent cx="1080000" cy="1080000"/>');
    expect(xml).toContain('<wp:extent cx="914400" cy="914400"/>');
    expect(xml).toContain('descr="Logo"');
    expect(Object.keys(parts).filter((name) => name.startsWith('word/media/'))).toEqual([
      'word/media/platen-1.png',
    ]);
    expect(parts['word/_rels/document.xml.rels']).toContain('Target="/word/media/platen-1.png"');
  });

  test('a picture without a value prints nothing', () => {
    const { parts, missing } = filled(docx(p('[{{image logo}}]')), {});
    expect(linesOf(parts['word/document.xml'])).toEqual(['[]']);
    expect(missing).toEqual([{ path: 'logo', count: 1, place: 'paragraph 1' }]);
  });
});

describe('faults of tags name their place', () => {
  test.each([
    [p('x') + p('{{#if a}}'), 'tag: paragraph 2: the block "{{#if a}}" is not closed'],
    [p('{{/each}}'), 'tag: paragraph 1: "{{/each}}" closes a block that is not open'],
    [p('{{else}}'), 'tag: paragraph 1: "{{else}}" is outside a block'],
    [table(['a'], ['{{name']), 'tag: table 1, row 2: the tag "{{name" is not closed by "}}"'],
    [
      p('{{#if a}}{{/each}}'),
      'tag: paragraph 1: the block "{{#if a}}" (paragraph 1) is closed by "{{/each}}"',
    ],
    [
      p('a') + p('{{formatMony x}}'),
      'tag: paragraph 2: unknown helper "formatMony"; did you mean "formatMoney"?',
    ],
    [
      p('{{&gt; header}}'),
      'tag: paragraph 1: "{{> header}}" calls a partial, which office files do not have',
    ],
    [
      p('{{#if a}}') + table(['{{/if}}']),
      'tag: table 1, row 1: "{{/if}}" is in another table, text box or cell than the rest of its block',
    ],
    [
      p('Hello {{#each a}}') + p('{{/each}}'),
      'tag: paragraph 1: "{{#each a}}" must stand at the start of its paragraph or alone in it, because its block continues in another paragraph',
    ],
    [
      p('{{image a size=3}}'),
      'tag: paragraph 1: the helper "image" takes only the options width, height, alt, not "size"',
    ],
  ])('%#', (body, message) => {
    const found = fault(docx(body));
    if (message.includes('did you mean'))
      expect(found).toStartWith('tag: paragraph 2: unknown helper "formatMony"');
    else expect(found).toBe(message);
  });

  test('a field that a block puts together', () => {
    const instruction = (text: string) => `<w:p><w:r><w:instrText>${text}</w:instrText></w:r></w:p>`;
    const separator = '<w:p><w:r><w:fldChar w:fldCharType="separate"/></w:r></w:p>';
    const field =
      instruction('INCLUDE') + p('{{#if a}}') + separator + p('{{/if}}') + instruction('TEXT "x"');
    expect(fault(docx(field), { a: true })).toBe('no fault');
    expect(fault(docx(field))).toContain('has the field INCLUDETEXT');
  });

  test('an asset that is missing has the place of its tag', () => {
    const file = docx(p('{{image "asset:a.png"}}') + table(['{{image "asset:b.png"}}']));
    const assets = new Map([
      ['a.png', new Uint8Array(Buffer.from(PNG.slice(PNG.indexOf(',')), 'base64'))],
      ['b.png', null],
    ]);
    expect(fillOfficeTemplate({ file, data: {}, assets })).toEqual({
      ok: false,
      subject: 'tag',
      message: 'table 1, row 1: the asset "b.png" does not exist',
    });
  });

  test('the list of helpers has image', () => {
    expect(fault(docx(p('{{xyzxyzxyz a}}')))).toMatch(
      /^tag: paragraph 1: unknown helper .*, barcode, .*, image$/,
    );
  });

  test('a picture that is not one', () => {
    expect(fault(docx(p('x') + p('{{image a}}')), { a: 'https://example.com/logo.png' })).toBe(
      'tag: paragraph 2: the helper "image" takes "asset:<name>" or a data URL, not "https://example.com/logo.png": nothing is loaded from the network',
    );
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://10.0.0.1/a"/></svg>';
    expect(fault(docx(p('{{image a}}')), { a: drawing })).toContain('takes "asset:<name>" or a data URL');
    expect(fault(docx(p('{{image a}}')), { a: 'data:image/png;base64,AAAA' })).toContain(
      'takes PNG, JPEG and GIF images',
    );
    expect(fault(docx(p('{{image a width="-3mm"}}')), { a: PNG })).toContain('takes a width such as "30mm"');
  });
});
