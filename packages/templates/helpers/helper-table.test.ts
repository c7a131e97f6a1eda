import { describe, expect, test } from 'bun:test';
import { compileTemplate, parseTemplate } from '../templates.ts';
import { nearestName } from './nearest-name.ts';
import { TEMPLATE_HELPERS } from './helper-table.ts';

/** A drawing: its size, its other attributes and its content. */
const DRAWING = /(<svg xmlns="[^"]*" width="[^"]*" height="[^"]*" viewBox="[^"]*")( [^>]*)?>.*?<\/svg>/gs;

describe('the template helpers', () => {
  const helpers = [...TEMPLATE_HELPERS.values()];

  test.each(
    helpers.flatMap(({ name, examples }) =>
      examples.map(({ template, data = {}, output }) => ({ name, template, data, output })),
    ),
  )('$template gives $output', ({ name, template, data, output }) => {
    expect(template).toMatch(new RegExp(String.raw`[({#]${name} `));
    const result = compileTemplate({ source: template, data });
    const html = result.ok ? result.value.html : result.message;
    expect(html.replace(DRAWING, (_, size, others) => `${size}${others ? ' …' : ''}>…</svg>`)).toBe(output);
  });

  test.each(helpers.map((helper) => [helper.name, helper] as const))(
    '%s has examples, and reports its usage for invalid calls',
    (name, { examples, argumentCount, options = [], requiredOptions = [] }) => {
      expect(examples.length).toBeGreaterThan(0);
      const failures = [
        `{{${name}}}`,
        `{{${name} ${'1 '.repeat(argumentCount[1] + 1)}}}`,
        `{{${name} ${'1 '.repeat(argumentCount[0])} nosuch=1}}`,
        ...requiredOptions.map(
          (missing) =>
            `{{${name} ${options
              .filter((option) => option !== missing)
              .map((option) => `${option}=a`)
              .join(' ')}}}`,
        ),
      ].map((source) => parseTemplate({ source }));
      for (const failure of failures)
        expect(failure).toMatchObject({
          ok: false,
          line: 1,
          message: expect.stringMatching(`the helper "${name}" takes `),
        });
      const withOptions = `{{${name} ${'a '.repeat(argumentCount[0])} ${options.map((option) => `${option}=none`).join(' ')}}}`;
      expect(parseTemplate({ source: withOptions })).toEqual({ ok: true, value: {} });
    },
  );

  test.each(helpers.map((helper) => [helper.name, helper] as const))(
    '%s does not crash on unusual values',
    (name, { argumentCount: [count], requiredOptions = [] }) => {
      const big = '<'.repeat(100_000);
      const values = [
        null,
        undefined,
        '',
        0,
        -1,
        1e308,
        NaN,
        Infinity,
        true,
        {},
        [],
        [[]],
        [{}],
        big,
        '\u0000',
        '\ud800',
      ];
      for (const value of values)
        for (const other of [value, 1, 'x']) {
          const named = requiredOptions.map((option) => `${option}=value`).join(' ');
          const passed = ['value', ...Array.from({ length: count }, () => 'other')].slice(0, count).join(' ');
          const source = `{{${name} ${passed} ${named}}}`;
          const result = compileTemplate({ source, data: { value, other } });
          if (!result.ok) expect(result.message).toMatch(/^line 1, column 1: the helper "\w+" [^\n]{1,400}$/);
        }
    },
  );
});

test('suggests only similar names', () => {
  const names = ['formatDate', 'formatNumber', 'eq', 'uppercase'];
  expect(
    ['formatdate', 'format_date', 'equ', 'upercase', 'Uppercase', 'xyz', 'e', 'y'.repeat(5_000)].map(
      (typed) => nearestName(typed, names),
    ),
  ).toEqual(['formatDate', 'formatDate', 'eq', 'uppercase', 'uppercase', undefined, undefined, undefined]);
});
