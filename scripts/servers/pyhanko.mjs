import { installPythonPackages } from './python-packages.mjs';

/**
 * Installs pyHanko, which validates signatures in the tests, and certomancer, which serves their
 * certificates.
 * @returns {string} the path of a Python interpreter that can import them
 * @throws {import('./maven.mjs').ServerMissingError} when they cannot be installed
 */
export function installPyHanko() {
  return installPythonPackages({
    name: 'pyHanko',
    packages: ['pyhanko==0.38.0', 'certomancer[web-api]==0.16.0'],
  });
}
