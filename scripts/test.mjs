// `npm test` installs what `npm start` needs and the PDF tools, then runs the tests that need nothing else.
// `npm run test:all` runs the rest: the suites `servers` (MongoDB and S3), `thorough` and
// `timing` of test-suites.mjs.
// Arguments after `--` are parts of the names of test files.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bun, ensureBrowser, ensureDependencies, ensurePdfTools, ensureStudio, root } from './setup.mjs';
import { processorSecondsOfChildren } from './processor-time.mjs';
import { endProcessesNaming, processesNaming } from './left-processes.mjs';
import { installInBackground, installProgramsOf } from './servers/install.mjs';
import { printReport, readResults } from './test-report.mjs';
import { filesOf } from './test-suites.mjs';

// A test waits for a condition, not for a time, so the limit only ends tests that hang.
const TIMEOUT_MS = 120_000;
const MAX_PROCESSES = 8;
const CPUS = availableParallelism();
/** The number of test processes. Most tests wait for deadlines, leases and restarts for half of their time. */
const PROCESSES = { default: CPUS + 1, servers: CPUS + 1, thorough: CPUS + 1, timing: 1 };

/** The durations of the test files in milliseconds, which Bun reads and updates. */
const TIMINGS = 'scripts/test-timings.json';

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    suite: { type: 'string', multiple: true },
    'update-timings': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const suites = /** @type {import('./test-suites.mjs').SuiteName[]} */ (
  values.all ? ['servers', 'thorough', 'timing'] : (values.suite ?? ['default'])
);

const filesBySuite = new Map(suites.map((suite) => [suite, filesOf(suite).filter(isChosen)]));
const unknown = positionals.filter(
  (part) => ![...filesBySuite.values()].flat().some((file) => file.includes(part)),
);
if (unknown.length > 0) {
  const parts = unknown.map((part) => `"${part}"`).join(' or ');
  console.error(`No test file of the suite ${suites.join(' or ')} has ${parts} in its name.`);
  process.exit(1);
}

ensureDependencies();
ensureBrowser();
ensurePdfTools();
ensureStudio();

const results = [];
/** The programs of a suite are installed while the suite before it runs. */
const nonEmpty = suites.filter((suite) => filesBySuite.get(suite)?.length);
let installation = nonEmpty[0] && installProgramsOf(nonEmpty[0]);
for (const [index, suite] of nonEmpty.entries()) {
  await installation;
  const next = nonEmpty[index + 1];
  if (next) installation = installInBackground(next);
  results.push(await run(suite));
}
if (values['update-timings']) dropOldTimings();
printReport(results);
const seconds = processorSecondsOfChildren();
if (seconds !== undefined) console.log(`processor time: ${Math.round(seconds)} s`);
process.exit(results.every(({ failures }) => failures.length === 0) ? 0 : 1);

/**
 * Runs a suite and prints its output except for the tests that pass. A test that fails is not repeated: if it
 * passes alone, the test or the code has a defect.
 * @param {import('./test-suites.mjs').SuiteName} suite
 * @returns {Promise<import('./test-report.mjs').Results>}
 */
async function run(suite) {
  const files = filesBySuite.get(suite) ?? [];
  const processes = Math.min(MAX_PROCESSES, PROCESSES[suite], files.length);
  console.log(`${suite} suite: ${files.length} files in ${processes} processes`);
  // Contains the files that tests leave behind when their process is killed.
  const folder = mkdtempSync(join(tmpdir(), 'platen-tests-'));
  // Browsers name a folder in the temporary folder; sandboxes and services name files of this project.
  const ownTexts = [folder, join(root, 'src')];
  const before = processesNaming(ownTexts);
  try {
    const report = join(folder, 'report.xml');
    const options = [
      `--timeout=${TIMEOUT_MS}`,
      `--parallel=${processes}`,
      // Files share a process, and with it the service of `sharedService()`.
      '--no-isolate',
      '--only-failures',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      // The slowest files begin first.
      `--timings=${TIMINGS}`,
      ...(values['update-timings'] ? ['--update-timings'] : []),
    ];
    const child = spawn(bun, ['test', ...options, ...files.map((file) => `./${file}`)], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, TEST_SUITE: suite },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const [from, to] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      from.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output += text;
        to.write(text);
      });
    }
    const status = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
    const read = readResults({ report, output, status, files });
    for (const { pid, command } of await endProcessesNaming(ownTexts, before))
      read.failures.push({ name: 'a process that the tests left behind', error: `${pid}: ${command}` });
    return read;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Tells whether the arguments name a file. Without arguments, all files are chosen. */
function isChosen(/** @type {string} */ file) {
  return positionals.length === 0 || positionals.some((part) => file.includes(part));
}

/** Drops the durations of files that no longer exist, which Bun keeps. */
function dropOldTimings() {
  const path = join(root, TIMINGS);
  const timings = JSON.parse(readFileSync(path, 'utf8'));
  timings.files = Object.fromEntries(
    Object.entries(timings.files).filter(([file]) => existsSync(join(root, file))),
  );
  writeFileSync(path, `${JSON.stringify(timings, null, 2)}\n`);
}
