// Builds the Dockerfile without a container engine, in chroot trees, and runs the service as a container
// would: tini as process 1, not as root. Requires Linux, root and a bare Debian tree that can download
// packages:
//   debootstrap --variant=minbase trixie /tmp/base && cp /etc/resolv.conf /tmp/base/etc/
//   bun scripts/verify-image.ts /tmp/base /tmp/work
// Prints measurements and exits with 1 if a check fails. Not part of `npm test` because it needs root and
// takes several minutes.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { inTree, verifyService } from './verify-service.ts';

const context = dirname(import.meta.dir);
const [base = '', work = ''] = process.argv.slice(2);
if (process.getuid?.() !== 0 || !existsSync(base) || !work || existsSync(work)) {
  console.error('usage (as root): bun scripts/verify-image.ts <bare Debian tree> <new folder>');
  process.exit(2);
}

/** A build stage (`FROM`) and its settings so far. */
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
  const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(line) ?? [];
  if (keyword === 'FROM') stage = from(rest);
  else if (stage) apply(stage, keyword, rest);
}
if (!stage) throw new Error('the Dockerfile has no stage');
const added = megabytes(stage.tree) - megabytes(base);
console.log(`the image adds ${added} MB to a base of ${megabytes(base)} MB`);
for (const folder of ['app/node_modules', 'usr/lib/chromium', 'usr/share/fonts'])
  console.log(`  ${folder}: ${megabytes(join(stage.tree, folder))} MB`);
await verifyService({ ...stage, health: stage.json['HEALTHCHECK'] ?? [], entry: entryOf(stage) });

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
  // The official Node image is Debian with Node; this uses the Node of this machine.
  if (image.startsWith('node:')) {
    const npm = dirname(dirname(realpathSync(Bun.which('npm') ?? '')));
    cpSync(realpathSync(Bun.which('node') ?? ''), join(tree, 'usr/bin/node'));
    cpSync(npm, join(tree, 'usr/lib/node_modules/npm'), { recursive: true });
    run(['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(tree, 'usr/bin/npm')]);
  }
  const created = {
    tree,
    folder: '/',
    user: '0',
    env: { HOME: '/root', PATH: '/usr/sbin:/usr/bin' },
    json: {},
  };
  stages.set(name, created);
  return created;
}

function apply(current: Stage, keyword: string, rest: string): void {
  console.log(`${keyword} ${rest}`);
  if (keyword === 'WORKDIR') {
    current.folder = rest;
    mkdirSync(join(current.tree, rest), { recursive: true });
  } else if (keyword === 'ENV') {
    for (const pair of rest.split(' ')) Object.assign(current.env, Object.fromEntries([pair.split('=')]));
  } else if (keyword === 'USER') {
    current.user = rest;
  } else if (keyword === 'COPY') {
    copy(current, rest.split(' '));
  } else if (keyword === 'RUN') {
    run(inTree(current, ['sh', '-c', rest]));
  } else {
    const list = /(\[.*\])$/.exec(rest)?.[1];
    if (list) current.json[keyword] = JSON.parse(list) as string[];
  }
}

function copy(current: Stage, args: string[]): void {
  const source = stages.get(args[0]?.replace('--from=', '') ?? '');
  const paths = source ? args.slice(1) : args;
  const target = join(current.tree, current.folder, paths.pop() ?? '');
  for (const path of paths) {
    if (source) run(['cp', '-a', join(source.tree, path), target]);
    for (const file of source ? [] : contextFiles(path))
      cpSync(join(context, file), join(target, relative(path, file) || basename(file)));
  }
}

/**
 * Lists the files under a path that .dockerignore does not exclude. The last pattern that matches a file
 * decides.
 */
function contextFiles(under: string): string[] {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n');
  const rules = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '');
      const globs = [new Bun.Glob(pattern), new Bun.Glob(`${pattern}/**`)];
      return {
        excludes: pattern === line,
        matches: (file: string) => globs.some((glob) => glob.match(file)),
      };
    });
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', under], { cwd: context });
  const files = listed.stdout.toString().split('\n').filter(Boolean);
  return files.filter((file) => rules.findLast(({ matches }) => matches(file))?.excludes !== true);
}

function entryOf({ json }: Stage): string[] {
  return [...(json['ENTRYPOINT'] ?? []), ...(json['CMD'] ?? [])];
}

function megabytes(path: string): number {
  const { stdout } = spawnSync('du', ['-sxm', path]);
  return Number(stdout.toString().split('\t')[0]);
}

function run([command = '', ...args]: string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`failed: ${command} ${args.join(' ')}`);
}
