import { describe, expect, test } from 'bun:test';
import { links, pageCount, pdfInfo, pdfText, toolsAvailable } from '../../support/pdf/pdf.ts';
import { ReactItems } from '../../support/batch/react-items.ts';
import { casesOfSuite } from '../../support/suite.ts';

const items = ReactItems.share();

describe('React components', () => {
  test('get the data as props, and the generation has input_type react', async () => {
    const { body } = await items.send('export default ({ name }) => <p>Dear {name}</p>', {
      data: { name: 'Ada' },
    });
    const { body: read } = await items.service().get(`/v1/generations/${body.id}`);
    expect(read).toMatchObject({
      status: 'completed',
      input_type: 'react',
      template_id: null,
      pages: 1,
      error: null,
    });
    if (toolsAvailable) expect(await pdfText(await items.service().download(read.url))).toContain('Dear Ada');
  });

  /** Components and their text with the data `{ name: 'Ada', items: ['a', 'b'] }`. */
  const sources: Record<string, [react: string, text: string]> = {
    'TypeScript, several components, hooks in their first render': [
      `import React, { useMemo, useState, type FC } from 'react';
       import type { Unknown } from './types';
       interface Props { name: string; items: string[] }
       enum Kind { Offer = 'Offer', Bill = 'Bill' }
       const Row: FC<{ text: string }> = ({ text }) => <li>{text satisfies string}</li>;
       function first<T>(of: readonly T[]): T { return of[0]!; }
       export default function Letter({ name, items }: Props): React.ReactNode {
         const [count] = useState<number>(() => items.length);
         const upper = useMemo(() => name.toUpperCase(), [name]);
         return <><h1>{Kind.Bill} {upper} {count}</h1><ul>{items.map((text) => <Row key={text} text={text} />)}</ul>{first(items)}</>;
       }`,
      'Bill ADA 2 a b a',
    ],
    'types from missing modules': [
      `import type { FC } from 'react';
       import type Whole, { Part } from './types';
       import type * as Space from './types';
       import { type FC as Component, type ReactNode } from 'react';
       import { type A, type B as C, } from './types';
       export type { A } from './types';
       export type * from './types';
       export { useState } from 'react';
       export * from 'react/jsx-runtime';
       const Name: FC<{ name: string }> = ({ name }): ReactNode => <b>{name as A & C & Whole & Part & Space.X}</b>;
       const Row: Component<{ name: string }> = Name;
       let later: import('./types').A | typeof import('./types');
       export default ({ name }: { name: string }) => <Row name={name} />;`,
      'Ada',
    ],
    'no import at all': ['export default ({ name }) => <p>{name}</p>', 'Ada'],
    'React as a global': ['export default () => <p>{React.useState("state")[0]}</p>', 'state'],
    createElement: [
      "import { createElement } from 'react'; export default ({ name }) => createElement('p', null, name)",
      'Ada',
    ],
    'the jsx runtime': [
      "import { jsx } from 'react/jsx-runtime'; export default ({ name }) => jsx('p', { children: name })",
      'Ada',
    ],
    renderToStaticMarkup: [
      "import { renderToStaticMarkup } from 'react-dom/server'; export default () => <p>{renderToStaticMarkup(<b />)}</p>",
      '<b></b>',
    ],
    'context, reducer, id': [
      `import { createContext, useContext, useReducer, useId } from 'react';
       const Name = createContext('nobody');
       const Inner = () => { const [n] = useReducer((a) => a, 7); return <p id={useId()}>{useContext(Name)} {n}</p>; };
       export default ({ name }) => <Name.Provider value={name}><Inner /></Name.Provider>`,
      'Ada 7',
    ],
    'a class': [
      "import { Component } from 'react'; export default class extends Component<{ name: string }> { render() { return <p>{this.props.name}</p>; } }",
      'Ada',
    ],
    memo: ["import { memo } from 'react'; export default memo(({ name }) => <p>{name}</p>)", 'Ada'],
    'a string': ['export default ({ name }) => name', 'Ada'],
    'state set while rendering': [
      "import { useState } from 'react'; export default () => { const [n, set] = useState(0); if (n < 3) set(n + 1); return <p>{n}</p>; }",
      '3',
    ],
    'effects do not run': [
      "import { useEffect, useState } from 'react'; export default () => { const [n, set] = useState(0); useEffect(() => set(1)); return <p>{n}</p>; }",
      '0',
    ],
    'markup in text': [
      'export default () => <p>{"</script><script>document.body.remove()</script>"}</p>',
      '</script><script>document.body.remove()</script>',
    ],
    'a script in the document': [
      'export default () => <><p id="a">before</p><script dangerouslySetInnerHTML={{ __html: "document.getElementById(\'a\').textContent = \'after\'" }} /></>',
      'after',
    ],
    'nested JSX in attributes, generics, comparisons': [
      `const Box = ({ top, children }) => <div>{top}{children}</div>;
       export default () => <Box top={<b>{1 < 2 && <i>top</i>}</b>} title="a > b">{/* </u> */} <></> below</Box>;
       export const same = <T,>(value: T) => value;`,
      'top below',
    ],
  };

  test.each(casesOfSuite(Object.entries(sources), 8))('are printed: %s', async (_name, [react, text]) => {
    await items.expectText(react, text, { data: { name: 'Ada', items: ['a', 'b'] } });
  });

  test('can return a whole document with title, links and pages', async () => {
    const react = `export default ({ name }) => <html lang="en"><head><title>{name}</title><style>{'p { break-after: page }'}</style></head>
      <body><p>one</p><p>two</p><a href="https://example.com/">three</a></body></html>`;
    const pdf = await items.pdfOf(await items.send(react, { data: { name: 'Report' } }));
    if (!toolsAvailable) return;
    expect((await pdfInfo(pdf))['Title']).toBe('Report');
    expect(await pageCount(pdf)).toBe(3);
    expect(await links(pdf)).toEqual(['https://example.com/']);
  });

  test('can set the title of the document anywhere', async () => {
    const pdf = await items.pdfOf(
      await items.send('export default () => <main><title>Inner</title>text</main>'),
    );
    if (toolsAvailable) expect((await pdfInfo(pdf))['Title']).toBe('Inner');
  });

  test('can have a header and a footer that use the data', async () => {
    const options = { header: '<p>{{name}}</p>', footer: '<p>{{pageNumber}} of {{totalPages}}</p>' };
    const react = 'export default () => <p>body</p>';
    await items.expectText(react, 'Ada body 1 of 1', { data: { name: 'Ada' }, options });
    await items.expectText('export default () => <p>body</p>', 'body 1 of 1', {
      options: { footer: options.footer },
    });
  });
});

describe('data', () => {
  test('keeps every property name without touching prototypes', async () => {
    const data = '{"__proto__": {"polluted": 1}, "key": "k", "ref": "r", "children": "c", "constructor": 1}';
    const react =
      'export default (props) => <p>{JSON.stringify(props)} {String({}.polluted)} {String(props.polluted)}</p>';
    const answer = await items
      .service()
      .post('/v1/react-items', `{"source": {"react": ${JSON.stringify(react)}}, "data": ${data}}`);
    const pdf = await items.pdfOf(answer);
    if (!toolsAvailable) return;
    expect((await pdfText(pdf)).replace(/\s+/g, '')).toBe(`${data.replace(/\s+/g, '')}undefinedundefined`);
  });

  test('may contain closing script and style tags and special characters', async () => {
    const text = '</script></style><!-- \u2028 \ud83d\ude00 `${1}` \\u0041';
    const react =
      'export default ({ text }) => <><style>{`p::after { content: "${"</style>"}" }`}</style><p>{text.length} {text}</p></>';
    await items.expectText(react, `${text.length} ${text.replace('\u2028 ', '')}</style>`, {
      data: { text },
    });
  });
});

describe('styles', () => {
  const styles = 'p::after { content: " </style> styled" }';

  test('are added to a component after its own styles', async () => {
    await items.expectText('export default () => <p>text</p>', 'text </style> styled', { styles });
    const react = `export default () => <html><head><style>{'p::after { content: " own" }'}</style></head><body><p>text</p></body></html>`;
    await items.expectText(react, 'text </style> styled', { styles });
  });

  test.each([
    ['<p>text</p>', {}],
    [
      '<!doctype html><html><head><style>p::after { content: "own" }</style></head><body><p>text</p></body></html>',
      {},
    ],
    ['<p>{{word}}</p>', { data: { word: 'text' } }],
    ['<p>text</p><script>document.body.dataset.a = 1</script>', {}],
  ])('are added to HTML: %s', async (html, item) => {
    const pdf = await items.pdfOf(await items.post({ source: { html }, styles, ...item }));
    if (toolsAvailable) expect((await pdfText(pdf)).trim()).toBe('text </style> styled');
  });

  test('keep a plain document plain', async () => {
    const plainRenders = async () => {
      const metrics = await (await fetch(`${items.service().url}/metrics`)).text();
      return Number(
        /^platen_renders_total\{class="plain",outcome="completed"\} (\d+)/m.exec(metrics)?.[1] ?? 0,
      );
    };
    const before = await plainRenders();
    await items.pdfOf(await items.post({ source: { html: '<p>text</p>' }, styles }));
    expect(await plainRenders()).toBe(before + 1);
  });
});
