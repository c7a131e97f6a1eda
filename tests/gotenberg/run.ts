/**
 * Runs Gotenberg's own scenarios against Platen, and prints the passed scenarios of each feature and the
 * reasons of the failures:
 *
 *   npm run gotenberg -- FOLDER [part of a name …] [options]
 *
 * FOLDER is a clone of Gotenberg; its files stay there.
 *
 *   --url URL           tests a service that runs already, whose environment the scenarios cannot choose
 *   --command PROGRAM   starts a program, such as Gotenberg, with the environment of each scenario
 *   --host NAME         the name by which the service reaches this machine
 *   --version 8.36.0    the version that the scenarios expect
 *   --report FILE       writes the outcomes as JSON
 *   --again FILE        runs only the scenarios that failed in such a file
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireTools } from '../support/pdf/pdf.ts';
import { ownName } from './own-name.ts';
import { runScenarios, type Outcome } from './runner.ts';
import { readSourceFolder } from './source-folder.ts';
import { startCommand, startPlaten, useUrl } from './target.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    url: { type: 'string' },
    command: { type: 'string' },
    host: { type: 'string' },
    version: { type: 'string', default: '8.36.0' },
    report: { type: 'string' },
    again: { type: 'string' },
  },
  allowPositionals: true,
});
const [path, ...parts] = positionals;
if (path === undefined) {
  console.error('npm run gotenberg -- FOLDER: a clone of https://github.com/gotenberg/gotenberg');
  process.exit(2);
}

if (requireTools()) {
  const { scenarios, folder } = readSourceFolder(path);
  const failed = values.again === undefined ? undefined : await readFailed(values.again);
  const chosen = scenarios.filter(
    ({ feature, name, line }) =>
      parts.every((part) => `${feature}:${line} ${name}`.includes(part)) &&
      (failed?.has(`${feature} ${name}`) ?? true),
  );
  const finished: Outcome[] = [];
  const outcomes = await runScenarios({
    source: { scenarios: chosen, folder },
    start:
      values.url !== undefined
        ? useUrl(values.url)
        : values.command !== undefined
          ? startCommand(values.command.split(' '))
          : startPlaten,
    hostName: values.host ?? (await ownName()),
    version: values.version,
    // A long run that is stopped keeps its report.
    onOutcome: (outcome) => {
      printFailure(outcome);
      finished.push(outcome);
      if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(finished.map(summaryOf)));
    },
  });
  printTable(outcomes);
  process.exitCode = outcomes.every(({ failure }) => !failure) ? 0 : 1;
}

function printFailure({ scenario: { feature, name }, failure }: Outcome): void {
  if (failure) console.log(`✗ ${feature}:${failure.line} ${name}\n  ${failure.step}\n  ${failure.reason}`);
}

function printTable(outcomes: readonly Outcome[]): void {
  const passed = (some: readonly Outcome[]) => some.filter(({ failure }) => !failure).length;
  const features = [...Map.groupBy(outcomes, ({ scenario }) => scenario.feature)].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  for (const [feature, own] of features) console.log(`${feature.padEnd(30)} ${passed(own)} of ${own.length}`);
  console.log(`${passed(outcomes)} of ${outcomes.length} scenarios passed`);
}

/** Reads the names of the scenarios that failed in a report. */
async function readFailed(report: string): Promise<Set<string>> {
  const outcomes = (await Bun.file(report).json()) as ReturnType<typeof summaryOf>[];
  return new Set(outcomes.flatMap(({ feature, name, failure }) => (failure ? [`${feature} ${name}`] : [])));
}

function summaryOf({ scenario: { feature, name, line }, failure }: Outcome) {
  return { feature, name, line, ...(failure && { failure }) };
}
