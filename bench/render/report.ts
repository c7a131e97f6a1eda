import { quantile } from '../statistics.ts';
import { rateOf, type Cell } from './measure.ts';

/** The minimum ratio of the best rates of two contestants for a document. */
export interface Goal {
  name: string;
  document: string;
  way: string;
  against: string;
  atLeast: number;
}

/**
 * Writes a Markdown table with a row per document and contestant: rates, then times, CPU time per PDF and
 * memory at the best rate.
 */
export function writeTable(cells: readonly Cell[], concurrencies: readonly number[]): string {
  const head = [
    'document',
    'way',
    ...concurrencies.map((concurrency) => `PDFs/s at ${concurrency}`),
    'best at',
    'p50 ms',
    'p95 ms',
    'CPU ms',
    'RSS MB',
    'PSS MB',
  ];
  const rows = [...Map.groupBy(cells, ({ document, way }) => `${document} ${way}`).values()].map((ofWay) => {
    const best = bestOf(ofWay);
    return [
      best.document,
      best.way,
      ...concurrencies.map((concurrency) => {
        const cell = ofWay.find((each) => each.concurrency === concurrency);
        return cell ? rateOf(cell).toFixed(1) : '';
      }),
      best.concurrency,
      Math.round(quantile(best.tookMs, 0.5)),
      Math.round(quantile(best.tookMs, 0.95)),
      Math.round(cpuOf(best)),
      best.memory.rss,
      best.memory.pss,
    ];
  });
  return writeMarkdown([head, ...rows], 2);
}

/** The measured ratio of a goal: of the best rates, and of the processor times per PDF at these rates. */
export interface Ratio extends Goal {
  measured: number;
  byCpuTime: number;
}

/** Calculates the ratios of goals. A goal with a skipped contestant has none. */
export function ratiosOf(cells: readonly Cell[], goals: readonly Goal[]): Ratio[] {
  return goals.flatMap((goal) => {
    const [first, second] = [goal.way, goal.against].map((wanted) => {
      const found = cells.filter((cell) => cell.document === goal.document && cell.way === wanted);
      return found.length > 0 ? bestOf(found) : undefined;
    });
    if (!first || !second) return [];
    return [{ ...goal, measured: rateOf(first) / rateOf(second), byCpuTime: cpuOf(second) / cpuOf(first) }];
  });
}

/**
 * Writes the goals and their results as a Markdown table. A skipped contestant leaves its goals open. The
 * ratio of CPU time per PDF is shown next to the ratio of rates. On an idle machine the two are about equal.
 */
export function writeGoals(goals: readonly Goal[], ratios: readonly Ratio[]): string {
  const rows = goals.map(({ name, atLeast }) => {
    const ratio = ratios.find((each) => each.name === name);
    if (!ratio) return [name, 'not measured', `>= ${atLeast}`, '', ''];
    const { measured, byCpuTime } = ratio;
    const verdict = measured >= atLeast ? 'met' : 'missed';
    return [name, measured.toFixed(2), `>= ${atLeast}`, verdict, byCpuTime.toFixed(2)];
  });
  return writeMarkdown([['ratio of best rates', 'measured', 'goal', '', 'by CPU time'], ...rows], 1);
}

function cpuOf({ cpuMs, tookMs }: Cell): number {
  return cpuMs / tookMs.length;
}

function bestOf(cells: readonly Cell[]): Cell {
  return cells.reduce((best, cell) => (rateOf(cell) > rateOf(best) ? cell : best));
}

/**
 * Writes a Markdown table. The first row is the head; the first `textColumns` columns are aligned to the
 * left.
 */
export function writeMarkdown(rows: readonly (readonly (string | number)[])[], textColumns: number): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => String(row[column] ?? '').length)));
  const line = (words: readonly (string | number)[]) => `| ${words.join(' | ')} |`;
  const padded = rows.map((row) =>
    line(
      row.map((word, column) => {
        const width = widths[column] ?? 0;
        return column < textColumns ? String(word).padEnd(width) : String(word).padStart(width);
      }),
    ),
  );
  const rule = line(
    widths.map((width, column) => (column < textColumns ? '-'.repeat(width) : '-'.repeat(width - 1) + ':')),
  );
  return [padded[0], rule, ...padded.slice(1)].join('\n');
}
