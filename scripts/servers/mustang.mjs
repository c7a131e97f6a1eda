// Mustang, which validates electronic invoices in the tests, installed by Maven.
// `node scripts/servers/mustang.mjs FILES` validates files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFromMaven, SHORT_RUN } from './maven.mjs';

const VERSION = '2.26.0';
const MAX_HEAP = '-Xmx1500m';
const artifact = {
  groupId: 'org.mustangproject',
  artifactId: 'Mustang-CLI',
  version: VERSION,
  isOrphan: true,
};

/**
 * Installs Mustang if it is missing.
 * @returns {string[]} the command, to which files are appended. For each file it prints `FILE` with its path,
 * and a report in XML.
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installMustang() {
  const jar = join(installFromMaven(artifact, 'mustang'), `Mustang-CLI-${VERSION}.jar`);
  const program = fileURLToPath(new URL('./Mustang.java', import.meta.url));
  return ['java', ...SHORT_RUN, MAX_HEAP, '-cp', jar, program];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [java = '', ...args] = installMustang();
  process.exitCode = spawnSync(java, [...args, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
}
