// Compiles the client into `dist` with the TypeScript of the repository, when npm packs the package.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, root } from '../../scripts/setup.mjs';

const folder = join(root, 'clients', 'typescript');
// The compiler is among the packages of the service, so nothing is installed after `npm start`.
ensureDependencies({ dev: false });
rmSync(join(folder, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'tsc'),
  ['--project', 'tsconfig.build.json'],
  {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  },
);
process.exit(status ?? 1);
