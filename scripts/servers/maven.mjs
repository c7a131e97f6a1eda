// Installs Java programs for the tests from Maven Central into a cache outside the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';

const INSTALL_LIMIT_MS = 180_000;
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
/** This version copies a jar without reading its description. */
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy';

/**
 * Options of the virtual machine for programs that run for seconds. With the first compiler alone and one
 * thread that collects garbage, these programs need half of the processor time.
 */
export const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Thrown when a program for the tests cannot be installed on this machine. The message is one line. */
export class ServerMissingError extends Error {}

/**
 * Installs an artifact if it is missing.
 * @param {{ groupId: string, artifactId: string, version: string, alone?: boolean, isOrphan?: boolean }}
 * artifact `alone` skips the dependencies, for an artifact that contains them, and `isOrphan` also its
 * description, whose parent was not published
 * @param {string} title the name for messages and for the folder
 * @returns {string} the folder that contains the jars
 * @throws {ServerMissingError}
 */
export function installFromMaven({ groupId, artifactId, version, alone = false, isOrphan = false }, title) {
  const cache = cacheFolder();
  const jars = join(cache, `${title}-${version}`);
  if (!hasCommand('java')) throw new ServerMissingError(`${title} needs java, which is not installed`);
  if (existsSync(jars)) return jars;
  if (!hasCommand('mvn'))
    throw new ServerMissingError(`installing ${title} needs mvn, which is not installed`);
  const work = mkdtempSync(join(cache, 'installing-'));
  try {
    const dependency = `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`;
    writeFileSync(
      join(work, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>platen</groupId><artifactId>test-servers</artifactId><version>1</version>
<dependencies><dependency>${dependency}</dependency></dependencies></project>`,
    );
    const goal = isOrphan
      ? [COPY, `-Dartifact=${groupId}:${artifactId}:${version}`]
      : [COPY_DEPENDENCIES, '-DincludeScope=runtime', `-DexcludeTransitive=${alone}`];
    const maven = spawnSync('mvn', ['-q', '-B', ...goal, `-DoutputDirectory=${join(work, 'jars')}`], {
      cwd: work,
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    if (maven.status !== 0)
      throw new ServerMissingError(`Maven could not install ${title}; is the machine offline?`);
    // If two processes install at the same time, the folder of the first is kept.
    if (!existsSync(jars)) renameSync(join(work, 'jars'), jars);
  } catch (error) {
    if (!existsSync(jars)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return jars;
}

function hasCommand(/** @type {string} */ name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, name)));
}
