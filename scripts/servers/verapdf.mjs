// veraPDF, which validates PDF/A in the tests, installed by Maven. `node scripts/servers/verapdf.mjs FILES`
// validates files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFromMaven, SHORT_RUN } from './maven.mjs';

const VERSION = '1.30.2';
const MAX_HEAP = '-Xmx1500m';
const artifact = { groupId: 'org.verapdf.apps', artifactId: 'cli', version: VERSION, alone: true };

/**
 * Installs veraPDF if it is missing.
 * @returns {string[]} the command, to which options and files are appended
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installVeraPdf() {
  const jar = join(installFromMaven(artifact, 'verapdf'), `cli-${VERSION}.jar`);
  return ['java', ...SHORT_RUN, MAX_HEAP, '-cp', jar, 'org.verapdf.apps.GreenfieldCliWrapper'];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [java = '', ...args] = installVeraPdf();
  const run = spawnSync(java, [...args, '-f', '1b', '--format', 'text', '-v', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
}
