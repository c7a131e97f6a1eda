import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Says how to get what is missing. */
export const MISSING_OFFICE =
  'LibreOffice is not installed: install it with `WITH_OFFICE=1 npm start`, or set plugins.office.path to its soffice';

/** How the processes are kept apart from the machine; `none` leaves LibreOffice's own settings. */
export type Isolation = 'bwrap' | 'unshare' | 'none';

/** An installed LibreOffice. */
export interface Installation {
  /** The folder of the programs, which has `soffice.bin`. */
  programs: string;
  isolation: Isolation;
}

const USUAL_FOLDERS = ['/usr/lib/libreoffice/program', '/usr/lib64/libreoffice/program'];

/**
 * Finds LibreOffice: at `path`, the `soffice` of an installation, or on the PATH. Returns `undefined` if
 * there is none.
 */
export async function findOffice(path: string | undefined): Promise<Installation | undefined> {
  const command = path ?? Bun.which('soffice') ?? Bun.which('libreoffice');
  const folders = [
    ...(command !== null && existsSync(command) ? [dirname(realpathSync(command))] : []),
    ...(path === undefined ? USUAL_FOLDERS : []),
  ];
  const programs = folders.find((folder) => existsSync(join(folder, 'soffice.bin')));
  if (programs === undefined || process.platform !== 'linux') return undefined;
  return { programs, isolation: await findIsolation() };
}

/** Tries the programs that isolate a process, because containers often forbid what they need. */
async function findIsolation(): Promise<Isolation> {
  const view = [
    '--ro-bind',
    '/usr',
    '/usr',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
  ];
  if (await runs(['bwrap', '--unshare-all', ...view, '--proc', '/proc', '--dev', '/dev', '/usr/bin/true']))
    return 'bwrap';
  if (await runs(['unshare', ...UNSHARE_FLAGS, '/usr/bin/true'])) return 'unshare';
  return 'none';
}

/**
 * A network and process namespace, whose processes end with `unshare`. Only users other than root need a user
 * namespace for them.
 */
export const UNSHARE_FLAGS = [
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
  '--net',
  '--ipc',
  '--pid',
  '--fork',
  '--kill-child',
];

async function runs(command: readonly string[]): Promise<boolean> {
  if (Bun.which(command[0] ?? '') === null) return false;
  const child = Bun.spawn([...command], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: 5_000,
  });
  return (await child.exited) === 0;
}
