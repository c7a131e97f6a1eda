// `npm test`: the set-up of `npm start`, the judges of PDFs, the servers of the tests, then all tests. Words after `--` go to `bun test`.
import { spawnSync } from 'node:child_process';
import { installS3Server } from './servers/s3.mjs';
import { bun, ensureBrowser, ensureDependencies, ensureJudges, root } from './setup.mjs';

// Browsers start and documents reach their deadline in some tests; a hang is still found.
const TIMEOUT_MS = 30_000;

ensureDependencies();
ensureBrowser();
ensureJudges();
// What cannot be installed is what the suites say that they skip.
if (!process.env.S3_TEST_ENDPOINT) await installS3Server().catch(() => {});
const words = ['test', `--timeout=${TIMEOUT_MS}`, ...process.argv.slice(2)];
const { status } = spawnSync(bun, words, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
