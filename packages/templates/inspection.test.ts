import { describe, expect, test } from 'bun:test';
import { compileTemplate, inspectTemplate } from './templates.ts';

function inspect(source: string) {
  const result = inspectTemplate({ source });
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

describe('variables', () => {
  test.each<[source: string, variables: string[], paths: string[]]>([
    ['{{a}} {{a}} {{b.c}}', ['a', 'b.c'], ['a', 'b.c']],
    [
      '{{#each items}}{{@index}} {{name}} {{this.price}} {{../total}}{{/each}}',
      ['items', 'name', 'price', 'total'],
      ['items', 'items.name', 'items.price', 'total'],
    ],
    [
      '{{#each a}}{{#each b}}{{c}}{{../../d}}{{/each}}{{/each}}',
      ['a', 'b', 'c', 'd'],
      ['a', 'a.b', 'a.b.c', 'd'],
    ],
    ['{{#each tags}}{{this}}{{@key}}{{@first}}{{/each}}', ['tags'], ['tags']],
    [
      '{{#each items as |item i|}}{{i}} {{item.name}} {{item}}{{/each}}',
      ['items', 'name'],
      ['items', 'items.name'],
    ],
    [
      '{{#with customer}}{{name}}{{else}}{{none}}{{/with}}',
      ['customer', 'name', 'none'],
      ['customer', 'customer.name', 'none'],
    ],
    [
      '{{#if paid}}{{on}}{{else if due}}{{x}}{{else}}{{y}}{{/if}}',
      ['paid', 'on', 'due', 'x', 'y'],
      ['paid', 'on', 'due', 'x', 'y'],
    ],
    ['{{#unless paid}}x{{/unless}}', ['paid'], ['paid']],
    ['{{#items}}{{name}}{{/items}}', ['items', 'name'], ['items', 'items.name']],
    [
      '{{formatCurrency (sum items "net") currency locale=lang}}',
      ['items', 'currency', 'lang'],
      ['items', 'currency', 'lang'],
    ],
    ['{{#if (eq status "paid")}}{{/if}}', ['status'], ['status']],
    ['{{#each (first lists)}}{{name}}{{/each}}', ['lists', 'name'], ['lists', '?.name']],
    ['{{#each a}}{{@root.company.name}}{{/each}}', ['a', 'company.name'], ['a', 'company.name']],
    ['{{this.length}} {{items.length}} {{lookup map key}}', ['items', 'map', 'key'], ['items', 'map', 'key']],
    ['{{{raw}}} {{& also}} {{!-- {{not}} --}} \\{{not}}', ['raw', 'also'], ['raw', 'also']],
    ['{{#if "x"}}{{#with "y"}}{{a}}{{default b null}}{{/with}}{{/if}}', ['a', 'b'], ['?.a', '?.b']],
    ['{{[a b]}} {{"quoted"}}', ['a b', 'quoted'], ['a b', 'quoted']],
    ['no variables', [], []],
  ])('are found in %s', (source, variables, paths) => {
    const found = inspect(source);
    expect(found.variables).toEqual(variables);
    expect(found.paths).toEqual(paths);
  });
});

describe('sample', () => {
  test('lists have rows, objects have fields, conditions are true, and helpers get valid arguments', () => {
    const source = `{{number}}|{{customer.fullName}}|{{#each items}}{{name}}={{formatCurrency price ../currency}},{{#each tags}}{{this}};{{/each}}{{/each}}|{{#if paid}}paid{{/if}}|{{formatDate due}}|{{sum items "price"}}|{{#if (eq status "open")}}open{{/if}}|{{#if (gt items.length 1)}}many{{/if}}|{{join people ", " "first.name"}}`;
    const { sample } = inspect(source);
    expect(sample).toMatchObject({
      number: 'Number',
      customer: { fullName: 'Full name' },
      paid: true,
      status: 'open',
    });
    const result = compileTemplate({ source, data: sample });
    if (!result.ok) throw new Error(result.message);
    expect(result.value.html).toBe(
      'Number|Full name|Name=€12.00,Tag;Tag;Name=€12.00,Tag;Tag;|paid|Jan 15, 2026|24|open|many|Sample, Sample',
    );
  });

  test.each([
    '{{barcode code type="ean13"}}{{barcode c8 type="ean8"}}{{barcode u type="upca"}}{{barcode i type="itf14"}}',
    '{{barcode a type="gs1-128"}}{{barcode b type="codabar"}}{{barcode c type="interleaved2of5"}}{{qrcode d size=side}}',
    '{{formatNumber n locale=locale decimals=places}}{{truncate text max}}{{padStart id width "0"}}{{round (divide a b) 2}}',
    '{{#each (range from to)}}{{this}}{{/each}}{{nl2br address}}{{uppercase city}}{{default a b}}{{cssString x}}',
  ])('has valid arguments for the helpers of %s', (source) => {
    const result = compileTemplate({ source, data: inspect(source).sample });
    expect(result).toMatchObject({ ok: true });
  });

  test('stays small for nested lists', () => {
    const source = `${'{{#each a}}'.repeat(18)}{{x}}${'{{/each}}'.repeat(18)}`;
    expect(JSON.stringify(inspect(source).sample).length).toBeLessThan(2_000);
  });

  test('rejects templates that need deeply nested data', () => {
    const source = `${'{{#with a}}'.repeat(60)}{{x}}${'{{/with}}'.repeat(60)}`;
    expect(inspectTemplate({ source })).toMatchObject({ ok: false, code: 'TEMPLATE_ERROR' });
    expect(inspectTemplate({ source: `{{${Array(40).fill('a').join('.')}}}` })).toMatchObject({ ok: false });
  });
});

describe('pieces', () => {
  test('follow the text after whitespace control', () => {
    const { pieces } = inspect('<b {{~#if a}} x {{else}}y{{/if~}}  >{{{c}}}{{concat "d" e}}');
    expect(pieces).toEqual([
      { kind: 'text', text: '<b' },
      { kind: 'edge', block: 1 },
      { kind: 'text', text: ' x ' },
      { kind: 'edge', block: 1 },
      { kind: 'text', text: 'y' },
      { kind: 'edge', block: 1 },
      { kind: 'text', text: '>' },
      { kind: 'value', escaped: false, isField: true, helpers: [], literals: [] },
      { kind: 'value', escaped: true, isField: false, helpers: ['concat'], literals: ['d'] },
    ]);
  });

  test('mark partials', () => {
    expect(inspect('{{#*inline "p"}}x{{/inline}}{{> p}}').pieces).toEqual([
      { kind: 'partial' },
      { kind: 'partial' },
    ]);
  });
});
