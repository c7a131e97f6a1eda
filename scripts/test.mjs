// `npm test` installs what `npm start` needs, the PDF tools and the servers for the tests, then runs all tests. Arguments after `--` go to
// `bun test`.
import { spawn } from 'node:child_process';
import { installS3Server } from './servers/s3.mjs';
import { TEST_GROUPS } from './test-groups.mjs';
import { bun, ensureBrowser, ensureDependencies, ensurePdfTools, root } from './setup.mjs';

// Long enough for tests that start browsers or wait for a document's deadline.
const TIMEOUT_MS = 30_000;

ensureDependencies();
ensureBrowser();
ensurePdfTools();
// Suites whose server cannot be installed report that they are skipped.
if (!process.env.S3_TEST_ENDPOINT) await installS3Server().catch(() => {});
const args = process.argv.slice(2);
const runs = await Promise.all((args.length > 0 ? [args] : TEST_GROUPS).map(run));
const passed = runs.reduce((sum, { output }) => sum + count(output, 'pass'), 0);
const failed = runs.reduce(
  (sum, { status, output }) => sum + Math.max(count(output, 'fail'), status === 0 ? 0 : 1),
  0,
);
console.log(`\ntotal:\n ${passed} pass\n ${failed} fail`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Runs tests and prints their output as it arrives.
 * @returns {Promise<{ status: number, output: string }>}
 */
function run(/** @type {string[]} */ paths) {
  const child = spawn(bun, ['test', `--timeout=${TIMEOUT_MS}`, ...paths], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.on('data', (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      to.write(chunk);
    });
  }
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

/** Returns the number of passed or failed tests in the last summary. */
function count(/** @type {string} */ output, /** @type {'pass' | 'fail'} */ what) {
  return Number([...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, 'gm'))].at(-1)?.[1] ?? 0);
}
