import type { CaseResult } from './case-result.ts';

const MAX_FINDINGS = 3;

/** Describes the result of a case in one line. */
export function describeResult({ status, error, pages, layout }: CaseResult): string {
  switch (status) {
    case 'equal':
    case 'accepted':
      return status;
    case 'new':
      return `new, with ${countOf(pages.length, 'page')}; look at the pictures, and accept the pages with --update`;
    case 'failed':
      return `failed: ${error?.message ?? 'the document cannot be made'}`;
    case 'different': {
      const changed = pages
        .filter(({ equal }) => !equal)
        .map(({ page, changed_fraction: fraction }) => `page ${page} (${percent(fraction)})`);
      const findings = layout.map(({ page, finding }) =>
        page === null ? finding : `page ${page}: ${finding}`,
      );
      const more = findings.length - MAX_FINDINGS;
      const shown = [
        ...findings.slice(0, MAX_FINDINGS),
        ...(more > 0 ? [countOf(more, 'more finding')] : []),
      ];
      return `different: ${[changed.join(', '), ...shown].filter(Boolean).join('; ')}`;
    }
    default:
      return status satisfies never;
  }
}

/** Describes how many cases have each result. */
export function describeTotals(results: readonly CaseResult[]): string {
  const counts = Map.groupBy(results, ({ status }) => status);
  const parts = [...counts].map(([status, cases]) => `${cases.length} ${status}`);
  return `${countOf(results.length, 'case')}: ${parts.join(', ')}`;
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function percent(fraction: number): string {
  const value = fraction * 100;
  return value > 0 && value < 0.1 ? 'less than 0.1 %' : `${value.toFixed(1)} %`;
}
