// `npm test`: the set-up of `npm start`, the judges of PDFs, the servers of the tests, then all tests. Words after `--` go to `bun test`.
import { spawn } from 'node:child_process';
import { installS3Server } from './servers/s3.mjs';
import { TEST_GROUPS } from './test-groups.mjs';
import { bun, ensureBrowser, ensureDependencies, ensureJudges, root } from './setup.mjs';

// Browsers start and documents reach their deadline in some tests; a hang is still found.
const TIMEOUT_MS = 30_000;

ensureDependencies();
ensureBrowser();
ensureJudges();
// What cannot be installed is what the suites say that they skip.
if (!process.env.S3_TEST_ENDPOINT) await installS3Server().catch(() => {});
const words = process.argv.slice(2);
const runs = await Promise.all((words.length > 0 ? [words] : TEST_GROUPS).map(run));
const passed = runs.reduce((sum, { output }) => sum + count(output, 'pass'), 0);
const failed = runs.reduce(
  (sum, { status, output }) => sum + Math.max(count(output, 'fail'), status === 0 ? 0 : 1),
  0,
);
console.log(`\nin all:\n ${passed} pass\n ${failed} fail`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Runs some tests and shows what they print as it comes.
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

/** Reads how many passed or failed from the last summary. */
function count(/** @type {string} */ output, /** @type {'pass' | 'fail'} */ what) {
  return Number([...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, 'gm'))].at(-1)?.[1] ?? 0);
}
