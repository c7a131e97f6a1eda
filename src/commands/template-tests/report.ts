import { EXIT_STATUS } from '../failures.ts';
import { printable } from '../names.ts';
import type { CaseResult } from './case-result.ts';
import { describeResult, describeTotals } from './describe-result.ts';

/** Sorts results by template and case. */
export function sortResults(results: readonly CaseResult[]): readonly CaseResult[] {
  return results.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** Prints results as lines or as one JSON object. Returns the exit status, which is 0 if all cases passed. */
export function reportResults(
  results: readonly CaseResult[],
  { warnings, json, facts = {} }: { warnings: readonly string[]; json: boolean; facts?: object },
): number {
  const passed = results.every(({ status }) => status === 'equal' || status === 'accepted');
  if (json) console.log(JSON.stringify({ ...facts, passed, cases: results.map(presentResult), warnings }));
  else printResults(results, warnings);
  return passed ? EXIT_STATUS.done : EXIT_STATUS.findings;
}

function printResults(results: readonly CaseResult[], warnings: readonly string[]): void {
  for (const warning of warnings) console.error(printable(`warning: ${warning}`));
  for (const result of results) {
    console.log(printable(`${keyOf(result)}: ${describeResult(result)}`).replaceAll('\n', ' '));
    for (const picture of result.pictures) console.log(printable(`  ${picture}`));
  }
  console.log(describeTotals(results));
}

function presentResult({ pages, ...result }: CaseResult): object {
  return {
    ...result,
    pages: pages.map(({ page, equal, changed_fraction }) => ({ page, equal, changed_fraction })),
  };
}

function keyOf({ template, name }: CaseResult): string {
  return `${template}/${name}`;
}
