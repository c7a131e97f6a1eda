// `npm test`: the set-up of `npm start`, the judges of PDFs, then all tests. Words after `--` go to `bun test`.
import { spawnSync } from 'node:child_process';
import { bun, ensureBrowser, ensureDependencies, ensureJudges, root } from './setup.mjs';

ensureDependencies();
ensureBrowser();
ensureJudges();
const { status } = spawnSync(bun, ['test', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
