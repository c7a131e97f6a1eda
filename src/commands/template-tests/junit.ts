import type { CaseResult } from './case-result.ts';
import { describeResult } from './describe-result.ts';

/** Characters that XML 1.0 does not permit, even as references. */
// oxlint-disable-next-line no-control-regex -- these characters are what it replaces
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/**
 * Returns a report in the JUnit format, with a suite for each template and a test for each case. A difference
 * and a new case are failures; a document that cannot be made is an error.
 */
export function junitReport(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ template }) => template)].map(([template, cases]) => {
    const tests = cases.map((result) => {
      const name = `<testcase classname="${escaped(template)}" name="${escaped(result.name)}"`;
      const element = elementOf(result);
      return element ? `    ${name}>\n      ${element}\n    </testcase>` : `    ${name}/>`;
    });
    return `  <testsuite name="${escaped(template)}" ${counts(cases)}>\n${tests.join('\n')}\n  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="platen test" ${counts(results)}>\n${suites.join('')}</testsuites>\n`;
}

function elementOf(result: CaseResult): string | undefined {
  const { status, error, pictures } = result;
  if (status === 'equal' || status === 'accepted') return undefined;
  const message = `message="${escaped(describeResult(result))}"`;
  const type = `type="${escaped(error?.code ?? status)}"`;
  const name = status === 'failed' ? 'error' : 'failure';
  return `<${name} ${type} ${message}>${escaped(pictures.join('\n'))}</${name}>`;
}

function counts(results: readonly CaseResult[]): string {
  const count = (...statuses: CaseResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return `tests="${results.length}" failures="${count('different', 'new')}" errors="${count('failed')}"`;
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '�')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}
