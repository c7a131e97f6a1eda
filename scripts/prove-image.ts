// Runs the steps of the Dockerfile without a container engine, in trees that are entered with chroot, and then the service as a container
// would: tini as process 1, another user than root. Linux, root, on a bare Debian that can reach its packages:
//   debootstrap --variant=minbase trixie /tmp/base && cp /etc/resolv.conf /tmp/base/etc/
//   bun scripts/prove-image.ts /tmp/base /tmp/work
// It prints what it measured and ends with 1 when something does not hold. Not for `npm test`: it needs root and some minutes.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inTree, proveService } from './prove-service.ts';

const context = dirname(import.meta.dir);
const [base = '', work = ''] = process.argv.slice(2);
if (process.getuid?.() !== 0 || !existsSync(base) || !work || existsSync(work)) {
  console.error('usage, as root: bun scripts/prove-image.ts <bare Debian tree> <new folder>');
  process.exit(2);
}

/** One `FROM` and what it has set so far. */
interface Stage {
  tree: string;
  folder: string;
  user: string;
  env: Record<string, string>;
  json: Record<string, string[]>;
}

const stages = new Map<string, Stage>();
let stage: Stage | undefined;
mkdirSync(work, { recursive: true });
for (const line of instructions()) {
  const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(line) ?? [];
  if (word === 'FROM') stage = from(rest);
  else if (stage) apply(stage, word, rest);
}
if (!stage) throw new Error('the Dockerfile has no stage');
const added = megabytes(stage.tree) - megabytes(base);
console.log(`the steps added ${added} MB to a bare tree of ${megabytes(base)} MB`);
for (const folder of ['app/node_modules', 'usr/lib/chromium', 'usr/share/fonts'])
  console.log(`  ${folder}: ${megabytes(join(stage.tree, folder))} MB`);
await proveService({ ...stage, health: stage.json['HEALTHCHECK'] ?? [], entry: entryOf(stage) });

function instructions(): string[] {
  const text = readFileSync(join(context, 'Dockerfile'), 'utf8').replaceAll(/^#.*\n/gm, '');
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
}

function from(rest: string): Stage {
  const [, image = '', name = 'last'] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
  const tree = join(work, name);
  run(['cp', '-a', base, tree]);
  // The official image of Node is Debian with Node; here it is this machine's.
  if (image.startsWith('node:')) {
    const npm = dirname(dirname(realpathSync(Bun.which('npm') ?? '')));
    cpSync(realpathSync(Bun.which('node') ?? ''), join(tree, 'usr/bin/node'));
    cpSync(npm, join(tree, 'usr/lib/node_modules/npm'), { recursive: true });
    run(['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(tree, 'usr/bin/npm')]);
  }
  const made = { tree, folder: '/', user: '0', env: { HOME: '/root', PATH: '/usr/sbin:/usr/bin' }, json: {} };
  stages.set(name, made);
  return made;
}

function apply(current: Stage, word: string, rest: string): void {
  console.log(`${word} ${rest}`);
  if (word === 'WORKDIR') {
    current.folder = rest;
    mkdirSync(join(current.tree, rest), { recursive: true });
  } else if (word === 'ENV') {
    for (const pair of rest.split(' ')) Object.assign(current.env, Object.fromEntries([pair.split('=')]));
  } else if (word === 'USER') {
    current.user = rest;
  } else if (word === 'COPY') {
    copy(current, rest.split(' '));
  } else if (word === 'RUN') {
    run(inTree(current, ['sh', '-c', rest]));
  } else {
    const list = /(\[.*\])$/.exec(rest)?.[1];
    if (list) current.json[word] = JSON.parse(list) as string[];
  }
}

function copy(current: Stage, words: string[]): void {
  const source = stages.get(words[0]?.replace('--from=', '') ?? '');
  const paths = source ? words.slice(1) : words;
  const target = join(current.tree, current.folder, paths.pop() ?? '');
  for (const path of paths) {
    if (source) run(['cp', '-a', join(source.tree, path), target]);
    for (const file of source ? [] : contextFiles(path)) {
      const intoFolder = path === '.' || paths.length > 1 ? file : file.slice(path.length + 1);
      cpSync(join(context, file), join(target, intoFolder));
    }
  }
}

/** Lists the files under a path that .dockerignore lets through. */
function contextFiles(under: string): string[] {
  const ignored = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const globs = ignored.flatMap((pattern) => [new Bun.Glob(pattern), new Bun.Glob(`${pattern}/**`)]);
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', under], { cwd: context });
  const files = listed.stdout.toString().split('\n').filter(Boolean);
  return files.filter((file) => !globs.some((glob) => glob.match(file)));
}

function entryOf({ json }: Stage): string[] {
  return [...(json['ENTRYPOINT'] ?? []), ...(json['CMD'] ?? [])];
}

function megabytes(path: string): number {
  const { stdout } = spawnSync('du', ['-sxm', path]);
  return Number(stdout.toString().split('\t')[0]);
}

function run([command = '', ...words]: string[]): void {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`failed: ${command} ${words.join(' ')}`);
}
