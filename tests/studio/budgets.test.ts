import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureStudio, root } from '../../scripts/setup.mjs';

const dist = join(root, 'plugins', 'studio', 'dist');
const KB = 1000;
const EDITOR_BUDGET = 255 * KB;
const VIEW_BUDGET = 90 * KB;

const read = (name: string) => readFileSync(join(dist, 'assets', name));
/** Returns the compressed size of a file. Fonts are already compressed. */
const weight = (name: string) => (name.endsWith('.woff2') ? read(name) : Bun.gzipSync(read(name))).length;
const assetsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '');

/**
 * Lists the files that a browser loads for the given files: the files themselves and everything that they
 * import statically.
 */
function closure(names: string[]): Set<string> {
  const found = new Set<string>();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.pop() ?? '';
    if (found.has(name)) continue;
    found.add(name);
    const text = read(name).toString();
    if (name.endsWith('.js')) queue.push(...assetsIn(text, /(?:from|import)\s*"\/studio\/assets\/([^"]+)"/g));
    else if (name.endsWith('.css')) queue.push(...assetsIn(text, /url\("?\/studio\/assets\/([^")]+)/g));
  }
  return found;
}

beforeAll(() => ensureStudio());

describe('size', () => {
  /** Returns the files of the first page, and the compressed size of each view including those files. */
  const load = () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    const shell = closure(assetsIn(page, /(?:src|href)="\/studio\/assets\/([^"]+)"/g));
    const lazy = [...shell].flatMap((name) =>
      name.endsWith('.js') ? assetsIn(read(name).toString(), /import\("\/studio\/assets\/([^"]+)"\)/g) : [],
    );
    const views = new Map(
      lazy.map((name) => {
        const files = new Set([...shell, ...closure([name])]);
        const size = [...files].reduce((sum, file) => sum + weight(file), Bun.gzipSync(page).length);
        return [name.replace(/-[^-]+\.js$/, ''), size] as const;
      }),
    );
    return { shell, views };
  };

  test('the first page has scripts, styles and fonts, and every view is loaded when it is opened', () => {
    const { shell, views } = load();
    expect([...shell].map((name) => name.split('.').at(-1))).toEqual(
      expect.arrayContaining(['css', 'js', 'woff2']),
    );
    expect([...views.keys()]).toEqual(expect.arrayContaining(['home', 'editor', 'keys']));
  });

  test('the editor takes at most 255 kB and every other view at most 90 kB, compressed and with fonts', () => {
    const { views } = load();
    const excess = [...views].filter(
      ([name, size]) => size > (name === 'editor' ? EDITOR_BUDGET : VIEW_BUDGET),
    );
    expect(excess).toEqual([]);
    if (process.env['STUDIO_SIZES']) console.log(Object.fromEntries(views));
  });
});

test('file names have a hash, and files refer only to this service', () => {
  const names = readdirSync(join(dist, 'assets'));
  expect(names.filter((name) => !/-[0-9a-z]{8,}\.(?:js|css|woff2|png)$/.test(name))).toEqual([]);
  const styles = names.filter((name) => name.endsWith('.css')).map((name) => read(name).toString());
  expect(styles.flatMap((text) => assetsIn(text, /url\("?((?!\/studio\/)[^")]+)/g))).toEqual([]);
});
