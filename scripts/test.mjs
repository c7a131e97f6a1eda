// `npm test` installs what `npm start` needs and the PDF tools, then runs the tests that need nothing else. `npm run test:all` runs the rest:
// the suites `servers` (MongoDB and S3) and `thorough` of test-suites.mjs. Arguments after `--` are parts of the names of test files.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bun, ensureBrowser, ensureDependencies, ensurePdfTools, ensureStudio, root } from './setup.mjs';
import { endProcessesNaming, processesNaming } from './left-processes.mjs';
import { mergeSecondRun, printReport, readResults } from './test-report.mjs';
import { filesOf } from './test-suites.mjs';

// A test waits for a condition, not for a time, so the limit only ends tests that hang.
const TIMEOUT_MS = 60_000;
const MAX_PROCESSES = 8;
/**
 * The number of test processes in addition to one for each CPU. In `npm test`, tests spend about half of their time waiting for deadlines,
 * leases and restarts.
 */
const MORE_PROCESSES = { default: 3, servers: 1, thorough: 1 };

/** The durations of the test files in milliseconds, which Bun reads and updates. */
const TIMINGS = 'scripts/test-timings.json';

// Failures in more files than this are not caused by timing.
const MAX_FILES_RUN_AGAIN = 10;

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    suite: { type: 'string', multiple: true },
    'update-timings': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const suites = /** @type {import('./test-suites.mjs').SuiteName[]} */ (
  values.all ? ['servers', 'thorough'] : (values.suite ?? ['default'])
);

ensureDependencies();
ensureBrowser();
ensurePdfTools();
ensureStudio();
if (suites.includes('servers') && !process.env.S3_TEST_ENDPOINT) {
  const { installS3Server } = await import('./servers/s3.mjs');
  // Tests whose server cannot be installed report that they are skipped.
  await installS3Server().catch(() => {});
}

const results = [];
for (const suite of suites) results.push(await runWithSecondChance(suite));
if (values['update-timings']) dropOldTimings();
printReport(results);
process.exit(results.every(({ failures }) => failures.length === 0) ? 0 : 1);

/** Runs a suite, and then once more the few files with failures, without other tests at the same time. */
async function runWithSecondChance(/** @type {import('./test-suites.mjs').SuiteName} */ suite) {
  const files = filesOf(suite).filter(
    (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
  );
  const processes = Math.min(MAX_PROCESSES, availableParallelism() + MORE_PROCESSES[suite]);
  const first = await run(suite, files, processes);
  const failed = [...new Set(first.failures.flatMap(({ file }) => file ?? []))];
  if (failed.length === 0 || failed.length > MAX_FILES_RUN_AGAIN) return first;
  return mergeSecondRun(first, await run(suite, failed, 1));
}

/**
 * Runs files of a suite and prints their output except for the tests that pass.
 * @param {import('./test-suites.mjs').SuiteName} suite
 * @param {string[]} files
 * @param {number} maxProcesses
 * @returns {Promise<import('./test-report.mjs').Results>}
 */
async function run(suite, files, maxProcesses) {
  if (files.length === 0)
    return { passed: 0, failures: [], unstable: [], skipped: [], durations: new Map(), tests: new Map() };
  const processes = Math.min(maxProcesses, files.length);
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

/** Drops the durations of files that no longer exist, which Bun keeps. */
function dropOldTimings() {
  const path = join(root, TIMINGS);
  const timings = JSON.parse(readFileSync(path, 'utf8'));
  timings.files = Object.fromEntries(
    Object.entries(timings.files).filter(([file]) => existsSync(join(root, file))),
  );
  writeFileSync(path, `${JSON.stringify(timings, null, 2)}\n`);
}
