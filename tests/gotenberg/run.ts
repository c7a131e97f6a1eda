/**
 * `npm run gotenberg -- FOLDER [part of a name …] [--url URL | --command "PROGRAM …"] [--host NAME]
 * [--version 8.36.0] [--report FILE] [--again FILE]` runs Gotenberg's own scenarios against Platen and prints the passed
 * scenarios of each feature and the reasons of the failures. FOLDER is a clone of Gotenberg; its files stay
 * there. `--url` takes a service that runs already, whose environment the scenarios cannot choose; `--command`
 * starts a program, such as Gotenberg, with the environment of each scenario. `--host` is the name by which the
 * service reaches this machine. `--report` writes the outcomes as JSON, and `--again` runs only the scenarios
 * that failed in such a file.
 */
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { requireTools } from '../support/pdf/pdf.ts';
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
    onOutcome: printFailure,
  });
  printTable(outcomes);
  if (values.report !== undefined)
    await Bun.write(values.report, JSON.stringify(outcomes.map(summaryOf), null, 2));
  process.exitCode = outcomes.every(({ failure }) => !failure) ? 0 : 1;
}

/** A name of this machine that the service can look up. */
async function ownName(): Promise<string> {
  const found = await lookup(hostname()).catch(() => undefined);
  return found ? hostname() : 'localhost';
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
async function readFailed(path: string): Promise<Set<string>> {
  const report = (await Bun.file(path).json()) as ReturnType<typeof summaryOf>[];
  return new Set(report.flatMap(({ feature, name, failure }) => (failure ? [`${feature} ${name}`] : [])));
}

function summaryOf({ scenario: { feature, name, line }, failure }: Outcome) {
  return { feature, name, line, ...(failure && { failure }) };
}
