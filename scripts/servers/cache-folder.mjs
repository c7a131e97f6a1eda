import { existsSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Finds or creates the folder for downloads and builds of the tests, outside the repository.
 * @returns {string} `platen` in the user's cache or, if that cannot be written, a folder for temporary files
 */
export function cacheFolder() {
  const named = process.env.XDG_CACHE_HOME;
  const home = homedir();
  const folders = [join(tmpdir(), 'platen-cache')];
  if (named && isAbsolute(named)) folders.unshift(join(named, 'platen'));
  else if (existsSync(home)) folders.unshift(join(home, '.cache', 'platen'));
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true });
      return folder;
    } catch {
      // The next folder may be writable.
    }
  }
  throw new Error('the cache folder for the tests cannot be created');
}
