// Bundles the browser application of the studio into `plugins/studio/dist`: `index.html`, `assets/` with
// hashed names, and `inputs.json`, the list of the files and folders that were read. `scripts/setup.mjs` runs
// it when one of them has changed.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { HELPER_GROUPS, TEMPLATE_HELPERS } from '@platen/templates';

const root = dirname(import.meta.dir);
const app = join(root, 'plugins', 'studio', 'app');
const dist = join(root, 'plugins', 'studio', 'dist');
const ASSETS = '/studio/assets/';

/** The helpers that the editor completes. */
const helpers = [...TEMPLATE_HELPERS.values()].map(({ name, signature, description, block = false }) => ({
  name,
  signature,
  description: description.replaceAll('`', ''),
  block,
}));

/** The documentation of the helpers, which the editor shows when something is inserted. */
const helperDocs = HELPER_GROUPS.flatMap(([group, members]) =>
  members.map(({ name, signature, description, examples }) => ({
    group,
    name,
    signature,
    description: description.replaceAll('`', ''),
    examples,
  })),
);

/**
 * The files and folders that were read, except packages, whose versions are in the lockfile. A folder changes
 * when files are added to it.
 */
const inputs = new Set<string>();
const addInput = (path: string) => {
  const name = relative(root, resolve(root, path));
  if (!name.includes('node_modules')) inputs.add(name);
};
const addModules = ({ metafile }: Bun.BuildOutput) => {
  if (!metafile) throw new Error('the bundler listed no inputs');
  for (const path of Object.keys(metafile.inputs)) addInput(path);
};

/** Replaces the JavaScript parser that `@codemirror/lang-html` imports with a small one. */
const smallScriptLanguage: Bun.BunPlugin = {
  name: 'small-script-language',
  setup(build) {
    const path = join(app, 'editor', 'script-language.ts');
    build.onResolve({ filter: /^@codemirror\/lang-javascript$/ }, () => ({ path }));
  },
};

/** Bundles the scripts and style sheets into `folder`. Returns the URLs of the entries. */
async function bundle(folder: string): Promise<{ script: string; style: string }> {
  const result = await Bun.build({
    entrypoints: [join(app, 'main.tsx'), join(app, 'styles', 'index.css')],
    outdir: folder,
    target: 'browser',
    metafile: true,
    splitting: true,
    minify: true,
    publicPath: ASSETS,
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    plugins: [smallScriptLanguage],
    // The bundler would inline fonts, which the content security policy forbids.
    external: ['/fonts/*'],
    define: {
      TEMPLATE_HELPERS: JSON.stringify(helpers),
      HELPER_DOCS: JSON.stringify(helperDocs),
      'process.env.NODE_ENV': '"production"',
    },
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  });
  if (!result.success) throw new AggregateError(result.logs, 'the studio could not be bundled');
  addModules(result);
  const entry = (ending: string) => {
    const output = result.outputs.find(({ kind, path }) => kind !== 'chunk' && path.endsWith(ending));
    if (!output) throw new Error(`the bundler wrote no ${ending} file`);
    return output.path;
  };
  for (const { path, size } of result.outputs) if (size === 0) await rm(path);
  const bundled = entry('.css');
  const fonts = await copyFiles(join(app, 'fonts'), folder, 'woff2');
  let css = await readFile(bundled, 'utf8');
  for (const [name, url] of Object.entries(fonts)) css = css.replaceAll(`/fonts/${name}.woff2`, url);
  const styles = `studio-${Bun.hash(css).toString(36)}.css`;
  await writeFile(join(folder, styles), css);
  await rm(bundled);
  return { script: ASSETS + basename(entry('.js')), style: ASSETS + styles };
}

/**
 * Copies the files with an extension from a folder, adding a hash to their names. Returns their URLs by their
 * names without the extension.
 */
async function copyFiles(from: string, to: string, extension: string): Promise<Record<string, string>> {
  const names = await readdir(from);
  addInput(from);
  const urls: Record<string, string> = {};
  for (const name of names.filter((entry) => entry.endsWith(`.${extension}`)).toSorted()) {
    addInput(join(from, name));
    const content = await readFile(join(from, name));
    const base = basename(name, `.${extension}`);
    const file = `${base}-${Bun.hash(content).toString(36)}.${extension}`;
    await writeFile(join(to, file), content);
    urls[base] = ASSETS + file;
  }
  return urls;
}

const work = `${dist}.new`;
await rm(work, { recursive: true, force: true });
await mkdir(join(work, 'assets'), { recursive: true });
const { script, style } = await bundle(join(work, 'assets'));
const starters = await copyFiles(join(root, 'docs', 'starters'), join(work, 'assets'), 'png');
const page = await readFile(join(app, 'index.html'), 'utf8');
await writeFile(
  join(work, 'index.html'),
  page
    .replace('__SCRIPT__', script)
    .replace('__STYLE__', style)
    .replace('__STARTER_IMAGES__', JSON.stringify(starters)),
);
addInput(join(app, 'index.html'));
// This program itself, and the modules whose tables it embeds.
addModules(await Bun.build({ entrypoints: [import.meta.path], target: 'bun', metafile: true }));
await writeFile(join(work, 'inputs.json'), JSON.stringify([...inputs].toSorted(), null, 2));
await rm(dist, { recursive: true, force: true });
await rename(work, dist);
