#!/usr/bin/env node
// Runs the `platen` command under Bun, after installing what it needs. `npm start` is `platen serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bun, ensureBrowser, ensureDependencies, root } from './setup.mjs';

const words = process.argv.slice(2);
ensureDependencies();
if (words[0] === 'serve') ensureBrowser();

// A misspelt plugin must not be fetched from the registry.
const child = spawn(bun, ['--no-install', join(root, 'src', 'cli.ts'), ...words], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal) process.exit(128 + 9);
  process.exit(code ?? 1);
});
