import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UNSHARE_FLAGS, type Installation } from './installation.ts';

/** The folders and limits of one LibreOffice process. */
export interface ProcessSetup {
  /** The folder with the profile that the process copies. */
  template: string;
  /** The folder with the document. */
  inbox: string;
  /** The file into which the process writes the PDF. */
  result: string;
  /** The folder for the profile, without a view of its own. */
  scratch: string;
  /** The socket of the service, and the name under which LibreOffice connects to it. */
  socket: string;
  pipeName: string;
  /** A passwd file with the user of the process. */
  passwd: string;
  memoryBytes: number;
}

/** The paths of the files, as the process sees them. */
export interface ProcessPaths {
  /** The folder of the document, with the slash at its end. */
  folder: string;
  /** A folder above it, which contains nothing but the document. */
  root: string;
  result: string;
}

/** The document is that deep in its inbox, so that links such as `../annex.docx` stay below it. */
export const DEPTH = 'd/d/d/d/d/d';
/** The largest file that the process can write: the PDF, and parts of the document that it unpacks. */
const MAX_WRITTEN_BYTES = 250_000_000;

/** The id of the user `nobody`, as whom the process runs. */
export const UNPRIVILEGED_ID = 65_534;
/**
 * Memory in addition to twice the limit. The service ends the process at the limit and can say so; beyond
 * this one, the kernel refuses memory, and LibreOffice calls the document unreadable.
 */
const SPARE_BYTES = 300_000_000;
const FLAGS = ['--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck'];
/** Copies the profile, because LibreOffice writes into it, and becomes LibreOffice. */
const START = 'cp -r "$1" "$2/profile" && shift 2 && exec "$@"';

/** The complete environment. The environment of the service contains secrets. */
export const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/tmp',
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  // The paper of documents that name none, as in Office Open XML, whatever /etc/papersize says.
  PAPERSIZE: 'letter',
  // Renders without a display.
  SAL_USE_VCLPLUGIN: 'svp',
};

/**
 * Returns the command that starts a LibreOffice process, and the paths in its view of the disk.
 *
 * With bubblewrap, the process sees the programs and fonts of the machine, its document (both read-only), its
 * result and an empty folder in memory. It has no network, and no other process is visible to it.
 */
export function commandOf(
  { programs, isolation }: Installation,
  setup: ProcessSetup,
): { command: string[]; paths: ProcessPaths } {
  const limits = [
    'prlimit',
    '--core=0',
    `--fsize=${MAX_WRITTEN_BYTES}`,
    `--data=${2 * setup.memoryBytes + SPARE_BYTES}`,
  ];
  const isolated = isolation === 'bwrap';
  const scratch = isolated ? '/tmp' : setup.scratch;
  const start = [
    ...limits,
    '/bin/sh',
    '-c',
    START,
    'sh',
    isolated ? '/profile' : setup.template,
    scratch,
    `${programs}/soffice.bin`,
    `-env:UserInstallation=file://${scratch}/profile`,
    ...FLAGS,
    `macro:///Standard.Platen.Serve("${setup.pipeName}")`,
  ];
  if (isolated)
    return { command: [...viewOf(programs, setup), ...start], paths: pathsOf('/in', '/out/result.pdf') };
  const paths = pathsOf(setup.inbox, setup.result);
  // The processes end with the service, even if it is killed. A change of the user clears the wish.
  const untilParentEnds = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];
  const asNobody =
    process.getuid?.() === 0
      ? [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups']
      : [];
  const apart = isolation === 'unshare' ? [...untilParentEnds, 'unshare', ...UNSHARE_FLAGS] : [];
  return { command: [...apart, ...untilParentEnds, ...asNobody, ...start], paths };
}

function pathsOf(inbox: string, result: string): ProcessPaths {
  return { root: `${inbox}/`, folder: `${inbox}/${DEPTH}/`, result };
}

/** Returns the beginning of a command that runs in a view of its own. */
function viewOf(programs: string, setup: ProcessSetup): string[] {
  const owner = `${UNPRIVILEGED_ID}`;
  const ownFolder = programs.startsWith('/usr/') ? [] : ['--ro-bind', dirname(programs), dirname(programs)];
  const libraries = ['/lib', '/lib64', '/lib32', '/bin'].filter((path) => existsSync(`/usr${path}`));
  const settings = [
    '/etc/fonts',
    '/etc/libreoffice',
    '/etc/ld.so.cache',
    '/etc/alternatives',
    '/var/cache/fontconfig',
  ];
  return [
    'bwrap',
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--uid',
    owner,
    '--gid',
    owner,
    '--hostname',
    'office',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/usr',
    '/usr',
    ...ownFolder,
    ...libraries.flatMap((path) => ['--symlink', `usr${path}`, path]),
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    '--ro-bind',
    setup.passwd,
    '/etc/passwd',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(setup.memoryBytes),
    '--tmpfs',
    '/tmp',
    '--ro-bind',
    setup.socket,
    `/tmp/OSL_PIPE_${owner}_${setup.pipeName}`,
    '--ro-bind',
    setup.template,
    '/profile',
    '--ro-bind',
    setup.inbox,
    '/in',
    '--bind',
    setup.result,
    '/out/result.pdf',
    '--remount-ro',
    '/',
    '--chdir',
    '/',
  ];
}
