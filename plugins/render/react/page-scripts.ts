import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The scripts that render components, as text for a page to run. */
export interface PageScripts {
  /** Defines the function that compiles and renders a component. */
  renderComponent: string;
  /** Defines the function that finds the place of a syntax error. */
  findSyntaxError: string;
}

const BUNDLER = fileURLToPath(new URL('../../../scripts/bundle-react.ts', import.meta.url));

// They are made of this tree and its packages, which do not change while the process runs.
let bundled: Promise<PageScripts> | undefined;

/** Bundles the scripts, once a process and before the first document. Takes about 0.2 s in a child process. @throws when that fails. */
export function bundlePageScripts(): Promise<PageScripts> {
  bundled ??= runBundler();
  return bundled;
}

async function runBundler(): Promise<PageScripts> {
  const child = Bun.spawn([process.execPath, '--no-env-file', '--no-install', BUNDLER], {
    // A directory without a `bunfig.toml` that Bun would read.
    cwd: tmpdir(),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0)
    throw new Error(`the scripts for React components could not be bundled: ${errors.slice(-500)}`);
  return JSON.parse(output) as PageScripts;
}
