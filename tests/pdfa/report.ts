import type { ClauseFailure } from '../support/verapdf.ts';
import type { Archived } from './archive.ts';
import type { PageLook } from './look.ts';
import type { Sample } from './samples.ts';

/** A page may change in so many of its pixels and look the same. */
export const MAX_CHANGED = 0.01;
const MOST_LISTED = 40;

/** Counts and lists what became of samples. */
export class Report {
  readonly #all: readonly Archived[];
  readonly #failures: ReadonlyMap<string, readonly ClauseFailure[]>;
  readonly #looks: { sample: Sample; look: PageLook }[] = [];

  constructor(all: readonly Archived[], failures: ReadonlyMap<string, readonly ClauseFailure[]>) {
    this.#all = all;
    this.#failures = failures;
  }

  addLooks(sample: Sample, looks: readonly PageLook[]): void {
    for (const look of looks) this.#looks.push({ sample, look });
  }

  print(): void {
    this.#printRates();
    this.#printClauses();
    this.#printLooks();
    this.#printTimes();
    this.#printRefusals();
    this.#printFailures();
  }

  #passes({ sample }: Archived): boolean {
    return this.#failures.get(sample.name)?.length === 0;
  }

  #printRates(): void {
    const print = (title: string, of: readonly Archived[], goal: string) => {
      const good = of.filter((each) => this.#passes(each)).length;
      console.log(`${title.padEnd(46)} ${good} of ${of.length} (${percent(good / of.length)}; goal ${goal})`);
    };
    const printed = this.#all.filter(({ sample }) => sample.origin !== 'corpus');
    const corpus = this.#all.filter(({ sample }) => sample.origin === 'corpus');
    print('printed by Chromium, passes veraPDF', printed, '100 %');
    const sound = corpus.filter(({ sample }) => sample.sound);
    print('corpus that two readers open, passes veraPDF', sound, '97 %');
    print(
      'of what was converted, passes veraPDF',
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

  #printLooks(): void {
    if (this.#looks.length === 0) return;
    const same = this.#looks.filter(({ look }) => look.changed <= MAX_CHANGED).length;
    const worded = this.#looks.filter(({ look }) => look.words.length === 0).length;
    const pages = this.#looks.length;
    console.log(
      `\nlook the same                ${same} of ${pages} pages (${percent(same / pages)}; goal 99 %)`,
    );
    console.log(`read the same                ${worded} of ${pages} pages (${percent(worded / pages)})`);
    const worst = [...this.#looks].sort((a, b) => b.look.changed - a.look.changed);
    for (const { sample, look } of worst.slice(0, MOST_LISTED))
      if (look.changed > MAX_CHANGED / 2)
        console.log(`  ${sample.name} page ${look.page}: ${percent(look.changed)} of the pixels changed`);
    for (const { sample, look } of this.#looks.filter((each) => each.look.words.length > 0))
      console.log(`  ${sample.name} page ${look.page}: words ${look.words.slice(0, 12).join(' ')}`);
  }

  #printTimes(): void {
    const slowest = [...this.#all].sort((a, b) => b.ms - a.ms).slice(0, 12);
    console.log('\nslowest');
    for (const { sample, ms, before, after } of slowest)
      console.log(
        `  ${Math.round(ms)} ms ${sample.name}: ${before.length} bytes became ${after?.length ?? '-'}`,
      );
  }

  #printRefusals(): void {
    const refused = this.#all.filter(({ after }) => !after);
    if (refused.length > 0) console.log('\nrefused');
    for (const { sample, refusal } of refused)
      console.log(`  ${sample.sound ? '' : '(unsound) '}${sample.name}: ${refusal?.slice(0, 300)}`);
  }

  #printFailures(): void {
    const failed = [...this.#failures].filter(([, failures]) => failures.length > 0);
    if (failed.length > 0) console.log('\nfails veraPDF');
    for (const [file, failures] of failed)
      for (const { clause, count, example } of failures)
        console.log(`  ${file}: ${clause} ${count} times, ${example.slice(0, 260)}`);
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
