// Office documents of public packages, for the comparison of conversions: the test files of python-docx and
// python-pptx, and workbooks that XlsxWriter makes. Installs all three from PyPI.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache-folder.mjs';
import { ServerMissingError } from './maven.mjs';

const SOURCES = ['python-docx==1.2.0', 'python-pptx==1.0.2'];
const XLSXWRITER = 'XlsxWriter==3.3.1';
const INSTALL_LIMIT_MS = 300_000;

/**
 * Fetches the documents if they are missing.
 * @returns {string} their folder
 * @throws {ServerMissingError} when they cannot be fetched
 */
export function installOfficeSamples() {
  const folder = join(cacheFolder(), 'office-samples-1');
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(join(cacheFolder(), 'installing-'));
  try {
    run(['python3', '-m', 'venv', join(work, 'venv')], 'the samples need python3 with the module venv');
    const python = join(work, 'venv', 'bin', 'python');
    const failed = 'pip could not fetch the samples; is the machine offline?';
    const fetch = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', work, ...SOURCES];
    run([python, '-m', 'pip', ...fetch], failed);
    run([python, '-m', 'pip', 'install', '--quiet', XLSXWRITER], failed);
    for (const name of readdirSync(work).filter((each) => each.endsWith('.tar.gz')))
      run(['tar', 'xzf', join(work, name), '-C', work], 'tar could not unpack the samples');
    const script = fileURLToPath(new URL('./office-samples.py', import.meta.url));
    run([python, script, work], 'XlsxWriter could not make the samples');
    if (!existsSync(folder)) renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/** @throws {ServerMissingError} with the explanation, if the command fails */
function run(/** @type {string[]} */ [command = '', ...args], /** @type {string} */ explanation) {
  const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS });
  if (status !== 0) throw new ServerMissingError(explanation);
}
