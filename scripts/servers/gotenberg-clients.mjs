// Published clients of Gotenberg for the tests, with pinned versions in a cache outside the repository.
import { join } from 'node:path';
import { install, run } from './client-generators.mjs';

export const VERSIONS = { chromiumly: '6.0.0', gotenbergClient: '1.0.0' };

/**
 * Installs chromiumly (npm) if it is missing.
 * @returns {string} a folder with `node_modules`
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installChromiumly() {
  return install(`chromiumly-${VERSIONS.chromiumly}`, (work) =>
    run(
      ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', `chromiumly@${VERSIONS.chromiumly}`],
      {
        cwd: work,
        explanation: 'npm could not install chromiumly; is the machine offline?',
      },
    ),
  );
}

/**
 * Installs gotenberg-client (PyPI) if it is missing.
 * @returns {string} the path of a Python interpreter that can import it
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installGotenbergClient() {
  const folder = install(`gotenberg-client-${VERSIONS.gotenbergClient}`, (work) => {
    run(['python3', '-m', 'venv', work], { explanation: 'gotenberg-client needs python3 with venv' });
    const name = `gotenberg-client[httpx]==${VERSIONS.gotenbergClient}`;
    run([join(work, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', name], {
      explanation: 'pip could not install gotenberg-client; is the machine offline?',
    });
  });
  return join(folder, 'bin', 'python');
}
