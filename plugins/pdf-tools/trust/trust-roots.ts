import { readFile } from 'node:fs/promises';
import { ConfigError, messageOf, type Sandbox } from '../../../src/plugin.ts';

/**
 * Reads the certificates of the setting `trustRoots`: PEM text, or paths of PEM files.
 * @returns PEM texts
 * @throws {ConfigError} if a file cannot be read, or contains no certificate
 */
export async function readTrustRoots(entries: readonly string[], sandbox: Sandbox): Promise<string[]> {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  return Promise.all(
    entries.map(async (entry, index) => {
      const name = `plugins.pdf-tools.trustRoots.${index}`;
      const pem = entry.includes('-----BEGIN') ? entry : await readPemFile(entry, name);
      const fault = await tasks.checkRoots(pem);
      if (fault !== undefined) throw new ConfigError(`${name}: ${fault}`);
      return pem;
    }),
  );
}

async function readPemFile(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${name}: cannot be read: ${messageOf(error)}`);
  }
}
