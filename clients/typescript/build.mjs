// Compiles the client into `dist`, before `npm pack`, with the TypeScript of the repository.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, root } from '../../scripts/setup.mjs';

ensureDependencies();
rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', '.bin', 'tsc');
const { status } = spawnSync(tsc, ['--project', 'tsconfig.build.json'], {
  cwd: import.meta.dirname,
  stdio: ['ignore', 2, 2],
});
process.exit(status ?? 1);
