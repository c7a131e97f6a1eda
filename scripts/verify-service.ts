import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A root file system and the settings for commands in it. */
interface Container {
  tree: string;
  folder: string;
  user: string;
  env: Record<string, string>;
}

const PORT = '3917';

/**
 * Enters a tree with its own mount and PID namespaces and drops root privileges, as container engines do. A
 * plain chroot is not enough: inside a chroot the kernel forbids user namespaces (user_namespaces(7)), which
 * Chromium's sandbox needs.
 */
const ENTER = `
mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc && mount -t devpts -o ptmxmode=666 devpts dev/pts &&
mkdir -p mnt/old && pivot_root . mnt/old && cd "$2" && umount -l /mnt/old || exit 1
user=$3
shift 3
[ "$user" = 0 ] && exec "$@"
exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

/** Returns the command line that runs a command in a tree. All its processes end with it. */
export function inTree({ tree, folder, user, env }: Container, command: readonly string[]): string[] {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const args = [tree, folder, user, 'env', '-i', ...settings, ...command];
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'enter', ...args];
}

/**
 * Starts the service of an image, generates a PDF, runs its health check, and stops it during a request.
 * @throws {Error} when a check fails
 */
export async function verifyService(image: Container & { entry: string[]; health: string[] }): Promise<void> {
  const container = { ...image, env: { ...image.env, PORT, HOME: '/home/platen', LOG_LEVEL: 'info' } };
  const started = performance.now();
  const child = Bun.spawn(inTree(container, image.entry), { stdout: 'pipe', stderr: 'pipe' });
  const log = new Response(child.stderr).text();
  const greeting = await readGreeting(child.stdout);
  const key = /\bplt_live_\w+/.exec(greeting)?.[0];
  if (!key) throw new Error(`no key was printed: ${greeting}${await log}`);
  console.log(`ready after ${Math.round(performance.now() - started)} ms`);

  const pdf = await generate(key, '<h1>Hello 世界 🎉</h1>');
  console.log(`first PDF, ${pdf.length} bytes, after ${Math.round(performance.now() - started)} ms`);
  if (!pdf.startsWith('%PDF-')) throw new Error('the response is not a PDF');

  const processes = descendants(child.pid);
  if (processes.some(({ uid }) => uid === 0)) throw new Error('a process runs as root');
  const renderer = processes.find(({ command }) => command.includes('--type=renderer'));
  if (!renderer?.sandboxed) throw new Error('the renderer is not in its own user namespace');
  console.log(`${processes.length} processes, none as root; the renderers are in their own user namespaces`);

  const health = Bun.spawn(inTree(container, image.health), { stdout: 'inherit', stderr: 'inherit' });
  if ((await health.exited) !== 0) throw new Error('HEALTHCHECK reports unhealthy');
  console.log('HEALTHCHECK: healthy');

  await sleep(25_000);
  const idle = descendants(child.pid);
  const [rss, pss] = (['Rss', 'Pss'] as const).map((field) => sum(idle.map(({ memory }) => memory(field))));
  console.log(`idle: ${pss} MB proportional set size, ${rss} MB resident set size`);

  const slow = generate(
    key,
    '<p>slow<script>const end = Date.now() + 3000; while (Date.now() < end);</script>',
  );
  await sleep(1000);
  // Signals process 1 of the tree, as a container engine does; its parent is the process that created the
  // namespace.
  process.kill(idle[0]?.pid ?? 0, 'SIGTERM');
  const drained = (await slow).startsWith('%PDF-');
  const code = await child.exited;
  console.log(`SIGTERM: the running document was ${drained ? 'finished' : 'lost'}, exit code ${code}`);
  if (!drained || code !== 0 || !(await log).includes('stopped'))
    throw new Error('the service did not drain');
}

async function readGreeting(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += new TextDecoder().decode(piece);
    if (text.includes('curl')) break;
  }
  return text;
}

async function generate(key: string, html: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${PORT}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html, output: 'base64' }),
  });
  const body = (await response.json()) as { data?: string };
  return body.data ? atob(body.data) : JSON.stringify(body);
}

/** Lists the descendants of a process, oldest first. */
function descendants(ancestor: number) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => describe(Number(name)));
  const found = new Set([ancestor]);
  return all.filter(({ pid, parent }) => found.has(parent) && found.add(pid));
}

function describe(pid: number) {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  try {
    const status = read('status');
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    const rollup = read('smaps_rollup');
    const memory = (name: 'Rss' | 'Pss') =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
    // In the initial namespace, the map is one line that covers all users.
    const sandboxed = !/\b4294967295$/.test(read('uid_map').trim());
    return [{ pid, parent: field('PPid'), uid: field('Uid'), command: read('cmdline'), sandboxed, memory }];
  } catch {
    // The process has ended, or it is a kernel thread.
    return [];
  }
}

function sum(numbers: number[]): number {
  return Math.round(numbers.reduce((total, number) => total + number, 0));
}
