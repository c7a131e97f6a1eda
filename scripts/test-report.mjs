import { existsSync, readFileSync } from 'node:fs';

const SLOWEST = 15;
const MAX_ERROR_CHARACTERS = 4_000;

/**
 * A failed test: its name with the file, and the text of the error.
 * @typedef {{ name: string, error: string }} Failure
 */

/**
 * The outcome of a suite.
 * @typedef {{ passed: number, failures: Failure[], skipped: string[], durations: Map<string, number>, tests:
 * Map<string, number> }} Results
 */

/**
 * Reads the results of a run of `bun test`, from its JUnit report and, for errors outside of tests, from its
 * output.
 * @param {{ report: string, output: string, status: number, files: string[] }} run
 * @returns {Results}
 */
export function readResults({ report, output, status, files }) {
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const durations = new Map(
    Array.from(xml.matchAll(/^ {2}<testsuite ([^>]*)>/gm), ([, attributes = '']) => [
      attribute(attributes, 'file'),
      Number(attribute(attributes, 'time')),
    ]),
  );
  /** @type {Results} */
  const results = { passed: 0, failures: [], skipped: [], durations, tests: new Map() };
  for (const [, attributes = '', inside = ''] of xml.matchAll(
    /<testcase ([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g,
  )) {
    const file = attribute(attributes, 'file');
    const name = [file, attribute(attributes, 'classname'), attribute(attributes, 'name')]
      .filter(Boolean)
      .join(' > ');
    results.tests.set(name, Number(attribute(attributes, 'time')));
    const [, failure, text = ''] = /<failure ([^>]*?)(?:\/>|>([^]*?)<\/failure>)/.exec(inside) ?? [];
    if (failure !== undefined)
      results.failures.push({ name, error: (unescape(text) || attribute(failure, 'message')).trim() });
    else if (inside.includes('<skipped')) results.skipped.push(name);
    else results.passed += 1;
  }
  for (const [, error = ''] of output.matchAll(/^# Unhandled error between tests\n-+\n([^]*?)\n-+$/gm))
    results.failures.push({ name: 'an error outside of a test', error });
  if (status !== 0 && results.failures.length === 0)
    results.failures.push({ name: 'bun test', error: `exit code ${status}` });
  const missing = files.filter((file) => !durations.has(file));
  if (results.failures.length > 0 && missing.length > 0)
    results.failures.push({ name: 'files without results', error: missing.join('\n') });
  return results;
}

/** Prints skipped tests, the slowest files and tests, all failures with their errors, and the totals. */
export function printReport(/** @type {Results[]} */ all) {
  const skipped = all.flatMap((results) => results.skipped);
  if (skipped.length > 0) console.log(['\nskipped:', ...skipped].join('\n '));
  printSlowest(
    'files',
    all.flatMap(({ durations }) => [...durations]),
  );
  printSlowest(
    'tests',
    all.flatMap(({ tests }) => [...tests]),
  );
  const failures = all.flatMap((results) => results.failures);
  if (failures.length > 0) console.log('\nfailures:');
  for (const failure of failures) printFailure(failure);
  const passed = all.reduce((sum, results) => sum + results.passed, 0);
  console.log(`\ntotal:\n ${passed} pass\n ${failures.length} fail`);
}

function printFailure(/** @type {Failure} */ { name, error }) {
  console.log(`(fail) ${name}\n${error.slice(0, MAX_ERROR_CHARACTERS).replaceAll(/^/gm, '    ')}`);
}

function printSlowest(/** @type {string} */ what, /** @type {[string, number][]} */ durations) {
  console.log(`\nslowest ${what}:`);
  for (const [name, seconds] of durations.toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
}

function attribute(/** @type {string} */ attributes, /** @type {string} */ name) {
  return unescape(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function unescape(/** @type {string} */ text) {
  return text
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
