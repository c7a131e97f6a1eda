import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { links, pageCount, pdfInfo, pdfText, toolsAvailable } from '../support/pdf.ts';
import type { Answer } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const TIMEOUT_MS = 10_000;

let reached = 0;
const privateServer = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    reached += 1;
    return new Response('secret', { headers: { 'access-control-allow-origin': '*' } });
  },
});
privateServer.unref();

const service = sharedService({
  env: { RENDER_TIMEOUT_MS: String(TIMEOUT_MS) },
  config: {
    plugins: { [join(import.meta.dir, '..', 'fixtures', 'plugins', 'react-items.ts')]: true },
  },
});

interface Item {
  data?: unknown;
  styles?: string;
  options?: object;
}

function send(react: string, item: Item = {}): Promise<Answer> {
  return service().post('/v1/react-items', { source: { react }, ...item });
}

async function pdfOf({ status, body }: Answer): Promise<Uint8Array> {
  expect(body.error?.details).toBeUndefined();
  expect(status).toBe(200);
  const { body: generation } = await service().get(`/v1/generations/${body.id}`);
  return service().download(generation.url);
}

/** Prints a component and reads its text, with each run of white space as one blank. */
async function textOf(react: string, item: Item = {}): Promise<string> {
  const pdf = await pdfOf(await send(react, item));
  return toolsAvailable ? (await pdfText(pdf)).replace(/\s+/g, ' ').trim() : '';
}

function expectText(text: string, expected: string): void {
  if (toolsAvailable) expect(text).toBe(expected);
}

/** Sends a component that must fail and returns the recorded error. */
async function errorOf(react: string, item: Item = {}): Promise<string> {
  const { status, body } = await send(react, item);
  expect(status).toBe(500);
  expect(body.error.code).toBe('INTERNAL_ERROR');
  const { body: list } = await service().get('/v1/generations?limit=1');
  expect(list.data[0]).toMatchObject({ status: 'failed', input_type: 'react', template_id: null, url: null });
  const { body: read } = await service().get(`/v1/generations/${list.data[0].id}`);
  expect(read.error).toBe(body.error.details[0].message);
  return read.error;
}

async function nextIsFine(): Promise<void> {
  expectText(await textOf('export default () => <p>next</p>'), 'next');
}

describe('components', () => {
  test('data are the props; the generation says that it was react', async () => {
    const { body } = await send('export default ({ name }) => <p>Dear {name}</p>', { data: { name: 'Ada' } });
    const { body: read } = await service().get(`/v1/generations/${body.id}`);
    expect(read).toMatchObject({
      status: 'completed',
      input_type: 'react',
      template_id: null,
      pages: 1,
      error: null,
    });
    if (toolsAvailable) expect(await pdfText(await service().download(read.url))).toContain('Dear Ada');
  });

  /** Sources and their text, all with the data `{ name: 'Ada', items: ['a', 'b'] }`. */
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
      'Bill ADA 2 • a • b a',
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
    'state that is set while rendering': [
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
  test.each(Object.entries(sources))('%s', async (_name, [react, text]) => {
    expectText(await textOf(react, { data: { name: 'Ada', items: ['a', 'b'] } }), text);
  });

  test('a whole document has its title, its links, its pages', async () => {
    const react = `export default ({ name }) => <html lang="en"><head><title>{name}</title><style>{'p { break-after: page }'}</style></head>
      <body><p>one</p><p>two</p><a href="https://example.com/">three</a></body></html>`;
    const pdf = await pdfOf(await send(react, { data: { name: 'Report' } }));
    if (!toolsAvailable) return;
    expect((await pdfInfo(pdf))['Title']).toBe('Report');
    expect(await pageCount(pdf)).toBe(3);
    expect(await links(pdf)).toEqual(['https://example.com/']);
  });

  test('a title anywhere is the title of the document', async () => {
    const pdf = await pdfOf(await send('export default () => <main><title>Inner</title>text</main>'));
    if (toolsAvailable) expect((await pdfInfo(pdf))['Title']).toBe('Inner');
  });

  test('header and footer take the data', async () => {
    const options = { header: '<p>{{name}}</p>', footer: '<p>{{pageNumber}} of {{totalPages}}</p>' };
    const text = await textOf('export default () => <p>body</p>', { data: { name: 'Ada' }, options });
    expectText(text, 'Ada body 1 of 1');
    expectText(
      await textOf('export default () => <p>body</p>', { options: { footer: options.footer } }),
      'body 1 of 1',
    );
  });

  test('a source of a megabyte', async () => {
    const react = `export default () => <div>${'<p className="a">{1 + 2}</p>'.repeat(38_000)}</div>`;
    expect(react.length).toBeGreaterThan(1_000_000);
    const { status, body } = await send(react);
    if (status === 200)
      expect((await service().get(`/v1/generations/${body.id}`)).body.pages).toBeGreaterThan(500);
    else expect(body.error.details[0].message).toMatch(/^RENDER_TIMEOUT/);
    await nextIsFine();
  });
});

describe('data', () => {
  test('keep every name, and none of them reaches a prototype', async () => {
    const data = '{"__proto__": {"polluted": 1}, "key": "k", "ref": "r", "children": "c", "constructor": 1}';
    const react =
      'export default (props) => <p>{JSON.stringify(props)} {String({}.polluted)} {String(props.polluted)}</p>';
    const answer = await service().post(
      '/v1/react-items',
      `{"source": {"react": ${JSON.stringify(react)}}, "data": ${data}}`,
    );
    const pdf = await pdfOf(answer);
    const text = toolsAvailable ? (await pdfText(pdf)).replace(/\s+/g, '') : '';
    if (toolsAvailable) expect(text).toBe(`${data.replace(/\s+/g, '')}undefinedundefined`);
  });

  test('may hold what ends a script or a style, and odd characters', async () => {
    const text = '</script></style><!-- \u2028 \ud83d\ude00 `${1}` \\u0041';
    const react =
      'export default ({ text }) => <><style>{`p::after { content: "${"</style>"}" }`}</style><p>{text.length} {text}</p></>';
    expectText(
      await textOf(react, { data: { text } }),
      `${text.length} ${text.replace('\u2028 ', '')}</style>`,
    );
  });
});

describe('styles', () => {
  const styles = 'p::after { content: " </style> styled" }';

  test('are added to a component, also to a whole document, after its own', async () => {
    expectText(await textOf('export default () => <p>text</p>', { styles }), 'text </style> styled');
    const react = `export default () => <html><head><style>{'p::after { content: " own" }'}</style></head><body><p>text</p></body></html>`;
    expectText(await textOf(react, { styles }), 'text </style> styled');
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
    const pdf = await pdfOf(await service().post('/v1/react-items', { source: { html }, styles, ...item }));
    if (toolsAvailable) expect((await pdfText(pdf)).trim()).toBe('text </style> styled');
  });

  test('leave a plain document plain', async () => {
    const printed = async () =>
      /^platen_renders_total\{class="plain",outcome="completed"\} (\d+)/m.exec(
        await (await fetch(`${service().url}/metrics`)).text(),
      )?.[1];
    const before = Number((await printed()) ?? 0);
    await pdfOf(await service().post('/v1/react-items', { source: { html: '<p>text</p>' }, styles }));
    expect(Number(await printed())).toBe(before + 1);
  });
});

/** Sources that fail, and what their author reads. */
const faults: Record<string, [react: string, says: RegExp]> = {
  'a syntax error': [
    'export default function A() {\n  return <p>{1 +}</p>;\n}',
    /^TEMPLATE_ERROR: line 2, column 17: Unexpected token/,
  ],
  'a syntax error in an arrow function': [
    'const A = (a: number) => {\n  const b = a +;\n  return <p />;\n};\nexport default A;',
    /^TEMPLATE_ERROR: line 2, column 16: Unexpected token/,
  ],
  'a tag that is not closed': [
    'export default () => (\n  <div>\n    <p>\n  </div>\n);',
    /^TEMPLATE_ERROR: line 4, column 3: .*closing tag for <p>/,
  ],
  'a tag that another one closes': [
    'export default () => <h1>text</h2>;',
    /^TEMPLATE_ERROR: line 1, column 30: .*closing tag for <h1>/,
  ],
  'a name that is declared twice': [
    'const a = 1;\nconst a = 2;\nexport default () => a;',
    /^TEMPLATE_ERROR: line 2, column 7: .*already been declared/,
  ],
  'await where it cannot be': [
    'export default () => {\n  const a = await 1;\n};',
    /^TEMPLATE_ERROR: line 2, column 13: /,
  ],
  'an attribute with a colon': [
    'export default () => <use xlink:href="#a" />;',
    /^TEMPLATE_ERROR: line 1, column 32: .*xlinkHref/,
  ],
  'no source': ['', /^TEMPLATE_ERROR: there is no default export/],
  'a throw': [
    "export default () => {\n  throw new Error('no luck');\n};",
    /^TEMPLATE_ERROR: line 2: no luck$/,
  ],
  'a throw deep inside': [
    'const B = ({ a }) => <i>{a.b.c}</i>;\nexport default () => <p><B a={{}} /></p>;',
    /^TEMPLATE_ERROR: line 1: TypeError: Cannot read properties of undefined \(reading 'c'\)$/,
  ],
  'a throw of a string': [
    "export default () => { throw 'no luck'; }",
    /^TEMPLATE_ERROR: the component threw "no luck"$/,
  ],
  'a throw of nothing': [
    'export default () => { throw undefined; }',
    /^TEMPLATE_ERROR: the component threw undefined$/,
  ],
  'a throw that throws': [
    'export default () => { throw { get message() { throw 1; } }; }',
    /^TEMPLATE_ERROR: the component could not be rendered$/,
  ],
  'a throw of a long message': [
    "export default () => { throw new Error('x\\n'.repeat(1e6)); }",
    /^TEMPLATE_ERROR: line 1: (x )+x?…$/,
  ],
  'a throw outside of the component': [
    "throw new Error('at once');\nexport default () => <p />;",
    /^TEMPLATE_ERROR: line 1: at once$/,
  ],
  'an import': [
    "import React from 'react';\nimport { map } from 'lodash';\nexport default () => <p>{map([1], String)}</p>;",
    /^TEMPLATE_ERROR: line 2, column 21: "lodash" cannot be imported; available are react, react\/jsx-runtime, react-dom\/server$/,
  ],
  'an import that nothing uses': [
    "import './page.css';\nexport default () => <p />;",
    /^TEMPLATE_ERROR: line 1, column 8: "\.\/page\.css" cannot be imported; available are react/,
  ],
  'a require': [
    "const fs = require('fs');\nexport default () => <p />;",
    /^TEMPLATE_ERROR: line 1: "fs" cannot be imported; available are react/,
  ],
  'no default export': [
    'export const Invoice = () => <p />;',
    /^TEMPLATE_ERROR: there is no default export \(exported are Invoice\)/,
  ],
  'a default export that is an element': [
    'export default <p />;',
    /^TEMPLATE_ERROR: the default export is an element; export the component/,
  ],
  'a default export that is no function': [
    'export default { a: 1 };',
    /^TEMPLATE_ERROR: the default export must be a component, .* of type object$/,
  ],
  'an async component': [
    'export default async () => <p />;',
    /^TEMPLATE_ERROR: the default export is an async function/,
  ],
  'a component that returns a promise': [
    'export default () => Promise.resolve(<p />);',
    /^TEMPLATE_ERROR: a component waits for a promise/,
  ],
  'an async component inside': [
    'const B = async () => <p />;\nexport default () => <B />;',
    /^TEMPLATE_ERROR: a component waits for a promise/,
  ],
  'an object as a child': [
    'export default () => <p>{{ a: 1, b: 2 }}</p>;',
    /^TEMPLATE_ERROR: an object cannot be rendered as a child \(object with keys \{a, b\}\)/,
  ],
  'an element of no type': [
    "import { Nothing } from 'react';\nexport default () => <Nothing />;",
    /^TEMPLATE_ERROR: an element has the type undefined/,
  ],
  'a style that is a string': [
    'export default () => <p style="color: red" />;',
    /^TEMPLATE_ERROR: `style` must be an object/,
  ],
  'a hook outside': [
    "import { useState } from 'react';\nuseState(1);\nexport default () => <p />;",
    /^TEMPLATE_ERROR: .*hook|^TEMPLATE_ERROR: line 2: TypeError: Cannot read properties of null \(reading 'useState'\)/,
  ],
  'state without end': [
    "import { useState } from 'react';\nexport default () => { const [n, set] = useState(0); set(n + 1); return n; }",
    /^TEMPLATE_ERROR: the component sets state at each render, without an end$/,
  ],
  'markup without end': [
    "export default () => 'x'.repeat(21_000_000)",
    /^TEMPLATE_ERROR: the component's markup is longer than 20000000 characters$/,
  ],
  'a source that is nested too deeply': [`export default () => ${'('.repeat(100_000)}`, /^TEMPLATE_ERROR: /],
};

describe('a component that is wrong fails with a message for its author', () => {
  test.each(Object.entries(faults))('%s', async (_name, [react, says]) => {
    expect(await errorOf(react)).toMatch(says);
    await nextIsFine();
  });
});

describe('components that mean ill', () => {
  test.each([
    ['while (true)', 'export default () => { while (true); }'],
    ['while (true) in the module', 'while (true);'],
    ['components without end', 'const A = () => <p><A /><A /></p>; export default A;'],
  ])(
    '%s ends with the deadline',
    async (_name, react) => {
      expect(await errorOf(react)).toMatch(
        /^RENDER_TIMEOUT: not finished after 10000 ms, in phase react|^TEMPLATE_ERROR|^RENDER_FAILED/,
      );
      await nextIsFine();
    },
    40_000,
  );

  test('10 million nodes', async () => {
    const react = 'export default () => Array.from({ length: 1e7 }, (_, index) => <i key={index}>x</i>)';
    expect(await errorOf(react)).toMatch(/^(RENDER_TIMEOUT|RENDER_FAILED|TEMPLATE_ERROR): /);
    await nextIsFine();
  }, 60_000);

  test('a heap bomb', async () => {
    expect(await errorOf('export default () => { const held = []; for (;;) held.push({}); }')).toMatch(
      /^RENDER_(TIMEOUT|FAILED): /,
    );
    await nextIsFine();
  }, 60_000);

  test('reach no private address', async () => {
    const url = `http://127.0.0.1:${privateServer.port}/`;
    const react = `export default () => {
      fetch('${url}fetch');
      const request = new XMLHttpRequest();
      request.open('GET', '${url}xhr', false);
      try { request.send(); } catch {}
      return <p>got {request.responseText.includes('secret') ? 'the secret' : 'nothing'}<img src="${url}image" alt="" /></p>;
    }`;
    expectText(await textOf(react), 'got nothing');
    expect(reached).toBe(0);
  });

  test('leave nothing for the next document of the account', async () => {
    const leave = `globalThis.left = 1; Array.prototype.left = 1; document.cookie = 'left=1'; window.name = 'left';
      setInterval(() => document.documentElement.replaceChildren('left'), 1);`;
    await textOf(`export default () => { ${leave} return <p>text<script>{''}</script></p>; }`);
    const react = `export default () => <p>{[typeof left, typeof [].left, document.cookie, window.name].join('|')}</p>`;
    expectText(await textOf(react), 'undefined|undefined||');
    const { body } = await service().post('/v1/generate', {
      html: '<p></p><script>document.querySelector("p").textContent = [typeof left, typeof React, typeof platenRenderComponent].join()</script>',
    });
    if (toolsAvailable)
      expect((await pdfText(await service().download(body.url))).trim()).toBe(
        'undefined,undefined,undefined',
      );
  });

  test('go elsewhere, ask, or break what renders them', async () => {
    const react = `location.href = 'http://127.0.0.1:1/'; alert(1); confirm(2); window.close();
      JSON.parse = null; document.write('gone');
      export default () => <p>still here</p>`;
    const { status, body } = await send(react);
    if (status === 500) expect(body.error.details[0].message).toMatch(/^TEMPLATE_ERROR/);
    await nextIsFine();
  });
});
