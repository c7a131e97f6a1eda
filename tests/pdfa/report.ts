import type { PdfaLevel } from '@platen/pdf-standards';
import type { ClauseFailure } from '../support/pdf/verapdf.ts';
import type { ConvertedSample } from './convert-sample.ts';
import type { PageDifference } from './compare-pages.ts';
import type { Sample } from './samples.ts';

/** A page counts as looking the same if at most this share of its pixels has changed. */
export const MAX_CHANGED = 0.01;
const MAX_LISTED = 40;

/** Prints statistics of converted samples and lists failures. */
export class Report {
  readonly #all: readonly ConvertedSample[];
  readonly #failures: ReadonlyMap<string, readonly ClauseFailure[]>;
  readonly #differences: { sample: Sample; difference: PageDifference }[] = [];

  readonly #level: PdfaLevel;

  constructor(
    all: readonly ConvertedSample[],
    failures: ReadonlyMap<string, readonly ClauseFailure[]>,
    level: PdfaLevel,
  ) {
    this.#level = level;
    this.#all = all;
    this.#failures = failures;
  }

  addDifferences(sample: Sample, differences: readonly PageDifference[]): void {
    for (const difference of differences) this.#differences.push({ sample, difference });
  }

  print(): void {
    this.#printRates();
    this.#printClauses();
    this.#printDifferences();
    this.#printGrowth();
    this.#printTimes();
    this.#printConversionFailures();
    this.#printViolations();
  }

  #passes({ sample }: ConvertedSample): boolean {
    return this.#failures.get(sample.name)?.length === 0;
  }

  #printRates(): void {
    const print = (title: string, of: readonly ConvertedSample[], goal: string) => {
      const accepted = of.filter((each) => this.#passes(each)).length;
      console.log(
        `${title.padEnd(46)} ${accepted} of ${of.length} (${percent(accepted / of.length)}; goal ${goal})`,
      );
    };
    const printed = this.#all.filter(({ sample }) => sample.origin !== 'corpus');
    const corpus = this.#all.filter(({ sample }) => sample.origin === 'corpus');
    print('printed by Chromium, accepted by veraPDF', printed, '100 %');
    const readable = corpus.filter(({ sample }) => sample.readable);
    print('corpus files that two readers open, accepted', readable, '97 %');
    print(
      'converted files, accepted by veraPDF',
      this.#all.filter(({ after }) => after),
      '99.5 %',
    );
  }

  #printClauses(): void {
    const clauses = new Map<string, string[]>();
    for (const [file, failures] of this.#failures)
      for (const { clause } of failures) clauses.set(clause, [...(clauses.get(clause) ?? []), file]);
    const sorted = [...clauses].sort(([, a], [, b]) => b.length - a.length);
    if (sorted.length > 0) console.log('\nclause        files');
    for (const [clause, files] of sorted)
      console.log(
        `${clause.padEnd(12)} ${String(files.length).padStart(6)}  ${files.slice(0, 4).join(', ')}`,
      );
  }

  #printDifferences(): void {
    if (this.#differences.length === 0) return;
    const same = this.#differences.filter(({ difference }) => difference.changed <= MAX_CHANGED).length;
    const sameWords = this.#differences.filter(({ difference }) => difference.words.length === 0).length;
    const pages = this.#differences.length;
    console.log(
      `\nlook the same                ${same} of ${pages} pages (${percent(same / pages)}; goal ${this.#level === '1b' ? '99 %' : '99.9 %'})`,
    );
    console.log(
      `read the same                ${sameWords} of ${pages} pages (${percent(sameWords / pages)})`,
    );
    const worst = [...this.#differences].sort((a, b) => b.difference.changed - a.difference.changed);
    for (const { sample, difference } of worst.slice(0, MAX_LISTED))
      if (difference.changed > MAX_CHANGED / 2)
        console.log(
          `  ${sample.name} page ${difference.page}: ${percent(difference.changed)} of the pixels changed`,
        );
    for (const { sample, difference } of this.#differences.filter((each) => each.difference.words.length > 0))
      console.log(
        `  ${sample.name} page ${difference.page}: words ${difference.words.slice(0, 12).join(' ')}`,
      );
  }

  #printGrowth(): void {
    const growths = this.#all.flatMap(({ sample, before, after }) =>
      after && sample.origin !== 'corpus' ? [{ sample, growth: after.length / before.length - 1 }] : [],
    );
    const sorted = growths.sort((a, b) => b.growth - a.growth);
    const [largest] = sorted;
    const median = sorted[Math.floor(sorted.length / 2)];
    if (!largest || !median) return;
    console.log(
      `\nprinted files grow by        ${percent(median.growth)} (median), at most ${percent(largest.growth)} (${largest.sample.name})`,
    );
    const ticket = sorted.find(({ sample }) => sample.name === 'starter-event-ticket');
    if (ticket) console.log(`starter-event-ticket grows by ${percent(ticket.growth)} (goal 50 % from 2b on)`);
  }

  #printTimes(): void {
    const slowest = [...this.#all].sort((a, b) => b.ms - a.ms).slice(0, 12);
    console.log('\nslowest');
    for (const { sample, ms, before, after } of slowest)
      console.log(
        `  ${Math.round(ms)} ms ${sample.name}: ${before.length} bytes became ${after?.length ?? '-'}`,
      );
  }

  #printConversionFailures(): void {
    const failed = this.#all.filter(({ after }) => !after);
    if (failed.length > 0) console.log('\nnot converted');
    for (const { sample, failure } of failed)
      console.log(`  ${sample.readable ? '' : '(unreadable) '}${sample.name}: ${failure?.slice(0, 300)}`);
  }

  #printViolations(): void {
    const failed = [...this.#failures].filter(([, failures]) => failures.length > 0);
    if (failed.length > 0) console.log('\nrejected by veraPDF');
    for (const [file, failures] of failed)
      for (const { clause, count, example } of failures)
        console.log(`  ${file}: ${clause} ${count} times, ${example.slice(0, 260)}`);
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
