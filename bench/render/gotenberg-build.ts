// Builds Gotenberg 8.36 with Go into a cache outside the repository. Platen does not depend on it.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/cache-folder.mjs';

const MODULE = 'github.com/gotenberg/gotenberg/v8';
const VERSION = 'v8.36.0';
const GO_MOD = `module bench\n\ngo 1.26\n\nrequire ${MODULE} ${VERSION}\n`;
const BUILD_LIMIT_MS = 10 * 60 * 1000;

/**
 * Builds Gotenberg unless it is built, and returns the path of the program.
 * @throws {Error} if Go is missing or fails, with a message of one line
 */
export function buildGotenberg(): string {
  const cache = cacheFolder();
  const program = join(cache, `gotenberg-${VERSION}`);
  if (existsSync(program)) return program;
  if (Bun.which('go') === null) throw new Error('Go is not installed');
  mkdirSync(cache, { recursive: true });
  // Built elsewhere and renamed, so that an interrupted run leaves no partial program.
  const work = mkdtempSync(join(cache, 'building-'));
  try {
    // `go install` would ask for the newest version; a module of its own asks only for this one.
    writeFileSync(join(work, 'go.mod'), GO_MOD);
    console.error('bench: building Gotenberg with Go');
    const go = Bun.spawnSync(
      ['go', 'build', '-mod=mod', '-o', join(work, 'program'), `${MODULE}/cmd/gotenberg`],
      {
        cwd: work,
        stdout: 'ignore',
        stderr: 'ignore',
        timeout: BUILD_LIMIT_MS,
      },
    );
    if (go.exitCode !== 0) throw new Error('Go cannot build Gotenberg; is the machine offline?');
    renameSync(join(work, 'program'), program);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}
