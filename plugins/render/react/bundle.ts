/**
 * Prints the scripts that render React components inside a browser page, as one JSON object.
 * `react-scripts.ts` runs it once when the service starts, in a separate process. It bundles only code of
 * this project and its packages, never a caller's source.
 */
import { dirname, join } from 'node:path';
import type { BunPlugin } from 'bun';

const page = join(import.meta.dir, 'page');

/** Replaces `react-dom/server` with its string renderer: the streaming renderer would double the size. */
const stringsOnly: BunPlugin = {
  name: 'react-dom-server-strings',
  setup(build) {
    const reactDom = dirname(Bun.resolveSync('react-dom/package.json', page));
    const path = join(reactDom, 'cjs', 'react-dom-server-legacy.browser.production.js');
    build.onResolve({ filter: /^react-dom\/server$/ }, () => ({ path }));
  },
};

async function bundle(name: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(page, `${name}.ts`)],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [stringsOnly],
  });
  return (await outputs[0]?.text()) ?? '';
}

const [renderComponent, findSyntaxError] = await Promise.all([
  bundle('render-component'),
  bundle('find-syntax-error'),
]);
await Bun.write(Bun.stdout, JSON.stringify({ renderComponent, findSyntaxError }));
