#!/usr/bin/env node
// Installs the dependencies if necessary, then runs the `platen` command under Bun. `npm start` runs
// `platen serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bun, ensureBrowser, ensureDependencies, ensureOffice, ensureStudio, root } from './setup.mjs';

const args = process.argv.slice(2);
ensureDependencies({ dev: false });
if (args[0] === 'serve') {
  ensureBrowser();
  if (process.env.WITH_OFFICE === '1') ensureOffice();
  ensureStudio();
}

// --no-install keeps Bun from downloading a misspelt plugin name from the registry, --no-env-file from
// reading `.env` of the current folder.
const flags = ['--no-install', '--no-env-file'];
const child = spawn(bun, [...flags, join(root, 'src', 'cli.ts'), ...args], {
  stdio: 'inherit',
  // The command that the service recommends for creating keys.
  env: { ...process.env, PLATEN_COMMAND: 'npm run platen --' },
});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal) process.exit(128 + 9);
  process.exit(code ?? 1);
});
