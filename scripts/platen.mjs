#!/usr/bin/env node
// Installs the dependencies if necessary, then runs the `platen` command under Bun. `npm start` runs `platen serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bun, ensureBrowser, ensureDependencies, root } from './setup.mjs';

const args = process.argv.slice(2);
ensureDependencies();
if (args[0] === 'serve') ensureBrowser();

// --no-install keeps Bun from downloading a misspelt plugin name from the registry.
const child = spawn(bun, ['--no-install', join(root, 'src', 'cli.ts'), ...args], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal) process.exit(128 + 9);
  process.exit(code ?? 1);
});
