// `npm run check` checks types, lint, format, the boundaries between folders, the rules of the repository,
// that regular expressions take linear time, and that docs/openapi.json is up to date.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bun, ensureBrowser, ensureDependencies, root, toolPath } from './setup.mjs';

ensureDependencies();
ensureBrowser();

const checks = {
  // TypeScript 7.0 does not notice that `lib` has changed, unless it checks everything again.
  types: [join(root, 'node_modules', '.bin', 'tsc'), '--build', '--force'],
  lint: [toolPath('oxlint'), '--type-aware'],
  format: [toolPath('oxfmt'), '--check'],
  boundaries: [bun, 'test', '--timeout=30000', 'tests/architecture.test.ts', 'tests/repository.test.ts'],
  regexes: [bun, 'scripts/check-regexes.ts'],
  openapi: [bun, 'scripts/openapi.ts', '--check'],
};

// oxlint looks for the type-aware linter only in the root.
const env = { ...process.env, OXLINT_TSGOLINT_PATH: toolPath('tsgolint') };

/** @type {string[]} */
const failed = [];
for (const [name, [command = '', ...args]] of Object.entries(checks)) {
  console.log(`check: ${name}`);
  if (spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status !== 0) {
    failed.push(name);
  }
}
console.log(failed.length === 0 ? 'check: green' : `check: FAILED: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
