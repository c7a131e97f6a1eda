import { expect, test } from 'bun:test';
import type { CaseResult } from './case-result.ts';
import { describeResult, describeTotals } from './describe-result.ts';
import { junitReport } from './junit.ts';

const result = (fields: Partial<CaseResult>): CaseResult => ({
  template: 'invoice',
  name: 'one',
  status: 'equal',
  pages: [],
  layout: [],
  pictures: [],
  ...fields,
});
const page = (number: number, fraction: number) => ({
  page: number,
  equal: fraction === 0,
  changed_fraction: fraction,
  image_url: null,
  diff_url: null,
});

test('describeResult names the pages and the first findings', () => {
  const layout = ['a', 'b', 'c', 'd'].map((finding, index) => ({
    page: index === 0 ? null : index,
    finding,
  }));
  expect(
    describeResult(
      result({ status: 'different', pages: [page(1, 0), page(2, 0.031), page(3, 0.0001)], layout }),
    ),
  ).toBe('different: page 2 (3.1 %), page 3 (less than 0.1 %); a; page 1: b; page 2: c; 1 more finding');
  expect(describeResult(result({ status: 'new', pages: [page(1, 1)] }))).toStartWith('new, with 1 page;');
  expect(describeTotals([result({}), result({}), result({ status: 'new' })])).toBe('3 cases: 2 equal, 1 new');
});

test('junitReport escapes names and messages, and counts', () => {
  const report = junitReport([
    result({ template: 'a<b', name: 'one' }),
    result({
      template: 'a<b',
      name: 'two',
      status: 'failed',
      error: { code: 'TEMPLATE_ERROR', message: 'line "1"\u0000\n& more' },
    }),
    result({
      template: 'c',
      name: 'three',
      status: 'different',
      pages: [page(1, 0.5)],
      pictures: ['out/a.png'],
    }),
  ]);
  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="platen test" tests="3" failures="1" errors="1">
  <testsuite name="a&lt;b" tests="2" failures="0" errors="1">
    <testcase classname="a&lt;b" name="one"/>
    <testcase classname="a&lt;b" name="two">
      <error type="TEMPLATE_ERROR" message="failed: line &quot;1&quot;�&#10;&amp; more"></error>
    </testcase>
  </testsuite>
  <testsuite name="c" tests="1" failures="1" errors="0">
    <testcase classname="c" name="three">
      <failure type="different" message="different: page 1 (50.0 %)">out/a.png</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});
