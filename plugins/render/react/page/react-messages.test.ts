import { expect, test } from 'bun:test';
import { explainReactError } from './react-messages.ts';

const numbered = (code: number, query = '') =>
  `Minified React error #${code}; visit https://react.dev/errors/${code}${query} for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`;

test('a numbered error becomes its meaning with its arguments', () => {
  expect(explainReactError(numbered(399, '?args[]=img'))).toBe(
    '<img> takes neither children nor `dangerouslySetInnerHTML`',
  );
  expect(explainReactError(numbered(31, '?args[]=object%20with%20keys%20%7Ba%7D&args[]='))).toContain(
    '(object with keys {a})',
  );
  expect(explainReactError(numbered(301))).toMatch(/^the component sets state/);
});

test('an unknown number and any other message stay as they are', () => {
  expect(explainReactError(numbered(999))).toBe(numbered(999));
  expect(explainReactError('no luck')).toBe('no luck');
});
