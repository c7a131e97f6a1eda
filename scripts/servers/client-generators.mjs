// The generators of clients for the tests, with pinned versions in a cache outside the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { root } from '../setup.mjs';
import { installFromMaven, ServerMissingError, SHORT_RUN } from './maven.mjs';

const { devDependencies: tools } = JSON.parse(readFileSync(join(root, 'tools', 'package.json'), 'utf8'));

/** docs/clients/README.md names the same versions. */
export const VERSIONS = {
  /** Also writes the types of clients/typescript. */
  heyApi: tools['@hey-api/openapi-ts'],
  pythonClient: '0.29.1',
  oapiCodegen: 'v2.8.2',
  oapiRuntime: 'v1.9.0',
  openapiGenerator: '7.25.0',
  /** The peer of hey-api, which writes the files. */
  typescript: tools.typescript,
};
const MYPY = '2.4.1';
const INSTALL_LIMIT_MS = 600_000;

/**
 * Installs openapi-python-client, mypy and the packages that generated clients import, if they are missing.
 * @returns {string} the path of a Python interpreter that has them
 * @throws {ServerMissingError} when they cannot be installed
 */
export function installPythonClient() {
  const folder = install(`openapi-python-client-${VERSIONS.pythonClient}-mypy-${MYPY}`, (work) => {
    run(['python3', '-m', 'venv', work], { explanation: 'openapi-python-client needs python3 with venv' });
    const packages = [`openapi-python-client==${VERSIONS.pythonClient}`, `mypy==${MYPY}`];
    run([join(work, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', ...packages], {
      explanation: 'pip could not install openapi-python-client; is the machine offline?',
    });
  });
  return join(folder, 'bin', 'python');
}

/**
 * Builds oapi-codegen if it is missing.
 * @returns {string} its path
 * @throws {ServerMissingError} when it cannot be built
 */
export function installOapiCodegen() {
  const command = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';
  const folder = install(`oapi-codegen-${VERSIONS.oapiCodegen}`, (work) =>
    run(['go', 'install', `${command}@${VERSIONS.oapiCodegen}`], {
      // A folder without a go.mod, so that a surrounding workspace has no effect.
      cwd: work,
      env: { GOBIN: work, GOFLAGS: '', CGO_ENABLED: '0' },
      explanation: 'Go is missing or could not build oapi-codegen',
    }),
  );
  return join(folder, 'oapi-codegen');
}

/**
 * Installs openapi-generator if it is missing, and checks that its PHP clients can run.
 * @returns {string[]} its command
 * @throws {ServerMissingError} when it cannot be installed
 */
export function installOpenapiGenerator() {
  const { openapiGenerator: version } = VERSIONS;
  const artifact = { groupId: 'org.openapitools', artifactId: 'openapi-generator-cli', version, alone: true };
  const folder = installFromMaven(artifact, 'openapi-generator');
  const probe = `exit((@include 'GuzzleHttp/autoload.php') && extension_loaded('curl') && extension_loaded('mbstring') ? 0 : 1);`;
  run(['php', '-r', probe], { explanation: 'PHP with curl, mbstring and Guzzle is not installed' });
  return ['java', ...SHORT_RUN, '-jar', join(folder, `openapi-generator-cli-${version}.jar`)];
}

/**
 * Fills a folder of the cache if it is missing.
 * @returns {string} the folder
 */
export function install(/** @type {string} */ name, /** @type {(work: string) => void} */ fill) {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(join(cacheFolder(), 'installing-'));
  try {
    fill(work);
    // If two processes install at the same time, the folder of the first is kept.
    if (!existsSync(folder)) renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/**
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string>, explanation: string }} options
 * @throws {ServerMissingError} with the explanation, if the command fails
 */
export function run([command = '', ...args], { cwd, env, explanation }) {
  const { status } = spawnSync(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
  });
  if (status !== 0) throw new ServerMissingError(explanation);
}
