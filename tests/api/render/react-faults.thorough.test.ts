import { describe, expect, test } from 'bun:test';
import { ReactItems } from '../../support/batch/react-items.ts';

const items = ReactItems.share();

/** Components that fail, and the errors that their authors see. */
const faults: Record<string, [react: string, says: RegExp]> = {
  'a syntax error': [
    'export default function A() {\n  return <p>{1 +}</p>;\n}',
    /^COMPONENT_ERROR: line 2, column 17: Unexpected token/,
  ],
  'a syntax error in an arrow function': [
    'const A = (a: number) => {\n  const b = a +;\n  return <p />;\n};\nexport default A;',
    /^COMPONENT_ERROR: line 2, column 16: Unexpected token/,
  ],
  'a tag that is not closed': [
    'export default () => (\n  <div>\n    <p>\n  </div>\n);',
    /^COMPONENT_ERROR: line 4, column 9: Unterminated JSX contents/,
  ],
  'a mismatched closing tag': [
    'export default () => <h1>text</h2>;',
    /^COMPONENT_ERROR: line 1, column 30: .*closing tag for <h1>/,
  ],
  'a name that is declared twice': [
    'const a = 1;\nconst a = 2;\nexport default () => a;',
    /^COMPONENT_ERROR: line 2, column 7: .*already been declared/,
  ],
  'await outside an async function': [
    'export default () => {\n  const a = await 1;\n};',
    /^COMPONENT_ERROR: line 2, column 13: /,
  ],
  'an attribute with a colon': [
    'export default () => <use xlink:href="#a" />;',
    /^COMPONENT_ERROR: line 1, column 32: .*xlinkHref/,
  ],
  'empty source': ['', /^COMPONENT_ERROR: the module has no default export/],
  'a throw': [
    "export default () => {\n  throw new Error('no luck');\n};",
    /^COMPONENT_ERROR: line 2: no luck$/,
  ],
  'a throw deep inside': [
    'const B = ({ a }) => <i>{a.b.c}</i>;\nexport default () => <p><B a={{}} /></p>;',
    /^COMPONENT_ERROR: line 1: TypeError: Cannot read properties of undefined \(reading 'c'\)$/,
  ],
  'a throw of a string': [
    "export default () => { throw 'no luck'; }",
    /^COMPONENT_ERROR: the component threw "no luck"$/,
  ],
  'a throw of undefined': [
    'export default () => { throw undefined; }',
    /^COMPONENT_ERROR: the component threw undefined$/,
  ],
  'a throw of an object whose message throws': [
    'export default () => { throw { get message() { throw 1; } }; }',
    /^COMPONENT_ERROR: the component threw 1$/,
  ],
  'a throw of a message that is too long to read': [
    "export default () => { throw new Error('x'.repeat(6e7)); }",
    /^COMPONENT_ERROR: .*the component threw 600000\d\d characters of text$/,
  ],
  'a throw of an object that only looks like an error': [
    "export default () => { throw { message: 'odd' }; }",
    /^COMPONENT_ERROR: odd$/,
  ],
  'a throw of a long message': [
    "export default () => { throw new Error('x\\n'.repeat(1e6)); }",
    /^COMPONENT_ERROR: line 1: (x )+x?…$/,
  ],
  'a throw outside the component': [
    "throw new Error('at once');\nexport default () => <p />;",
    /^COMPONENT_ERROR: line 1: at once$/,
  ],
  'an import': [
    "import React from 'react';\nimport { map } from 'lodash';\nexport default () => <p>{map([1], String)}</p>;",
    /^COMPONENT_ERROR: line 2, column 21: "lodash" cannot be imported; available are react, react\/jsx-runtime, react-dom\/server$/,
  ],
  'a side-effect import': [
    "import './page.css';\nexport default () => <p />;",
    /^COMPONENT_ERROR: line 1, column 8: "\.\/page\.css" cannot be imported; available are react/,
  ],
  'an export from a module': [
    "export { map } from 'lodash';\nexport default () => <p />;",
    /^COMPONENT_ERROR: line 1, column 21: "lodash" cannot be imported; available are react/,
  ],
  'an export of all from a module': [
    "export default () => <p />;\nexport * from './parts';",
    /^COMPONENT_ERROR: line 2, column 15: "\.\/parts" cannot be imported/,
  ],
  'an export of all under a name': [
    "export default () => <p />;\nexport * as parts from './parts';",
    /^COMPONENT_ERROR: line 2, column 24: "\.\/parts" cannot be imported/,
  ],
  'an import of a value among types': [
    "import { type A, b } from './types';\nexport default () => <p>{b}</p>;",
    /^COMPONENT_ERROR: line 1, column 27: "\.\/types" cannot be imported/,
  ],
  'an import of a value that is called type': [
    "import { type as a } from './types';\nexport default () => <p>{a}</p>;",
    /^COMPONENT_ERROR: line 1, column 27: "\.\/types" cannot be imported/,
  ],
  'an empty import': [
    "import {} from './types';\nexport default () => <p />;",
    /^COMPONENT_ERROR: line 1, column 16: "\.\/types" cannot be imported/,
  ],
  'a dynamic import': [
    "import { lazy, Suspense } from 'react';\nconst Chart = lazy(() => import('./chart'));\nexport default () => <Suspense fallback='wait'><Chart /></Suspense>;",
    /^COMPONENT_ERROR: line 2, column 33: "\.\/chart" cannot be imported; available are react/,
  ],
  'a require': [
    "const fs = require('fs');\nexport default () => <p />;",
    /^COMPONENT_ERROR: line 1: "fs" cannot be imported; available are react/,
  ],
  'no default export': [
    'export const Invoice = () => <p />;',
    /^COMPONENT_ERROR: the module has no default export \(it exports Invoice\)/,
  ],
  'a default export that is an element': [
    'export default <p />;',
    /^COMPONENT_ERROR: the default export is an element; export the component/,
  ],
  'a default export that is an object': [
    'export default { a: 1 };',
    /^COMPONENT_ERROR: the default export must be a component, .* of type object$/,
  ],
  'an async component': [
    'export default async () => <p />;',
    /^COMPONENT_ERROR: the default export is an async function/,
  ],
  'a component that returns a promise': [
    'export default () => Promise.resolve(<p />);',
    /^COMPONENT_ERROR: a component waits for a promise/,
  ],
  'an async component inside': [
    'const B = async () => <p />;\nexport default () => <B />;',
    /^COMPONENT_ERROR: a component waits for a promise/,
  ],
  'an object as a child': [
    'export default () => <p>{{ a: 1, b: 2 }}</p>;',
    /^COMPONENT_ERROR: an object cannot be rendered as a child \(object with keys \{a, b\}\)/,
  ],
  'an element of type undefined': [
    "import { Nothing } from 'react';\nexport default () => <Nothing />;",
    /^COMPONENT_ERROR: an element has the type undefined/,
  ],
  'a style that is a string': [
    'export default () => <p style="color: red" />;',
    /^COMPONENT_ERROR: `style` must be an object/,
  ],
  'a hook outside a component': [
    "import { useState } from 'react';\nuseState(1);\nexport default () => <p />;",
    /^COMPONENT_ERROR: .*hook|^COMPONENT_ERROR: line 2: TypeError: Cannot read properties of null \(reading 'useState'\)/,
  ],
  'endless state updates': [
    "import { useState } from 'react';\nexport default () => { const [n, set] = useState(0); set(n + 1); return n; }",
    /^COMPONENT_ERROR: line 2: the component sets state in every render, which never ends$/,
  ],
  'too much markup': [
    "export default () => 'x'.repeat(21_000_000)",
    /^COMPONENT_ERROR: the component's markup is longer than 20000000 characters$/,
  ],
  'source that is nested too deeply': [`export default () => ${'('.repeat(100_000)}`, /^COMPONENT_ERROR: /],
};

describe('an invalid component fails with a message for its author:', () => {
  test.each(Object.entries(faults))('%s', async (_name, [react, says]) => {
    expect(await items.errorOf(react)).toMatch(says);
    await items.expectNextIsPrinted();
  });
});

test('a component of a megabyte is accepted', async () => {
  const parts = '() => <p className="a">{1 + 2}</p>,\n'.repeat(30_000);
  const react = `const parts = [${parts}]; export default () => <div>{parts.length}{parts[29_999]()}</div>`;
  expect(react.length).toBeGreaterThan(1_000_000);
  const { status, body } = await items.send(react);
  expect([status, body.error?.details]).toEqual([200, undefined]);
  expect((await items.service().get(`/v1/generations/${body.id}`)).body.pages).toBe(1);
  await items.expectNextIsPrinted();
});
