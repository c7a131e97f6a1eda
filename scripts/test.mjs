// `npm test`: the set-up of `npm start`, the judges of PDFs, then all tests. Words after `--` go to `bun test`.
import { spawnSync } from 'node:child_process';
import { bun, ensureBrowser, ensureDependencies, ensureJudges, root } from './setup.mjs';

// Browsers start and documents reach their deadline in some tests; a hang is still found.
const TIMEOUT_MS = 30_000;

ensureDependencies();
ensureBrowser();
ensureJudges();
const words = ['test', `--timeout=${TIMEOUT_MS}`, ...process.argv.slice(2)];
const { status } = spawnSync(bun, words, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
