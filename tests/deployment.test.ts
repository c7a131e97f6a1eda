import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { ENV_NAMES } from '../src/config-schema.ts';

const root = dirname(import.meta.dir);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface ComposeService {
  environment?: Record<string, string | number>;
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, unknown> | string[];
  security_opt?: string[];
  stop_grace_period?: string;
}

const composeText = read('compose.yaml');
const compose = Bun.YAML.parse(composeText) as {
  services: Record<string, ComposeService>;
  volumes: object;
  networks: object;
};
const replicas = ['platen', 'platen-2'].map((name) => compose.services[name]);

/** Lists every variable that the service reads. */
async function knownNames(): Promise<Set<string>> {
  const plugins = await Promise.all(Object.values(builtInPlugins).map((load) => load()));
  const names = plugins.flatMap(({ default: plugin }) =>
    Object.keys((plugin as { env?: Record<string, string> }).env ?? {}),
  );
  return new Set([...ENV_NAMES, ...names]);
}

/** Lists the distinct matches of a pattern's group. */
function matches(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
}

const required = matches(composeText, /\$\{([A-Z0-9_]+)/g);

test('the image installs the dependencies of every package', () => {
  const dockerfile = read('Dockerfile');
  const folders = readdirSync(join(root, 'packages'));
  expect(folders.length).toBeGreaterThan(0);
  for (const name of folders)
    expect(dockerfile).toContain(`COPY packages/${name}/package.json packages/${name}/\n`);
});

test('the AppArmor profile names the browsers that the setup finds, and no browser with another profile', () => {
  const patterns = matches(read('deploy/apparmor-chromium'), /^profile \S+ (\S+) flags=\(unconfined\) \{$/gm);
  const isNamed = (path: string) => patterns.some((pattern) => new Bun.Glob(pattern).match(path));
  const download = '.cache/ms-playwright/chromium_headless_shell-1255/chrome-headless-shell-linux64';
  const found = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-headless-shell',
    '/usr/lib/chromium/chromium-headless-shell',
    ...['/root', '/home/ada', '/var/lib/platen'].map((home) => `${home}/${download}/chrome-headless-shell`),
  ];
  expect(found.filter((path) => !isNamed(path))).toEqual([]);
  // AppArmor applies neither of two profiles for the same path.
  expect(['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium'].filter(isNamed)).toEqual([]);
});

/** Variables that only the installation reads. */
const INSTALLATION_VARIABLES = ['WITH_OFFICE'];

describe('environment variables', () => {
  test('the image, the compose file and the systemd unit set only variables of the service', async () => {
    const known = await knownNames();
    const set = [
      ...matches(
        read('Dockerfile').replaceAll(/^(?:ENV PATH=|ARG |#).*$/gm, ''),
        /(?:^ENV|\s)\s*([A-Z_]+)=/gm,
      ),
      ...replicas.flatMap((service) => Object.keys(service?.environment ?? {})),
      ...matches(read('deploy/platen.service'), /^Environment=([A-Z0-9_]+)=/gm),
    ];
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });

  test('every variable in docs/deploy.md exists', async () => {
    const known = await knownNames();
    const mentioned = matches(read('docs/deploy.md'), /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g);
    expect(mentioned).toContain('DRAIN_TIMEOUT_MS');
    const others = [...required, ...INSTALLATION_VARIABLES];
    expect(mentioned.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });

  test('.env.example has every variable that compose.yaml requires, without values', () => {
    expect(matches(read('.env.example'), /^([A-Z0-9_]+)=$/gm)).toEqual(required);
    expect(matches(read('.env.example'), /^([A-Z0-9_]+)=.+$/gm)).toEqual([]);
    // Without a message, an unset variable is silently empty. Only optional features may use that.
    const optional = matches(composeText, /\$\{([A-Z0-9_]+):-\}/g);
    expect(optional.filter((name) => !name.startsWith('AI_'))).toEqual([]);
    expect([...matches(composeText, /\$\{([A-Z0-9_]+):\?[^}]+\}/g), ...optional].toSorted()).toEqual(
      required,
    );
  });
});

describe('compose.yaml', () => {
  test('services refer to existing services, networks and volumes', () => {
    const services = Object.keys(compose.services);
    for (const { depends_on: needs = [], volumes = [], networks = [] } of Object.values(compose.services)) {
      for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) expect(services).toContain(name);
      for (const name of networks) expect(Object.keys(compose.networks)).toContain(name);
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) expect(existsSync(join(root, source))).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
    const upstreams = matches(read('deploy/Caddyfile'), /\s([a-z0-9-]+):\d+/g);
    expect(upstreams).toEqual(['platen', 'platen-2', 's3']);
    expect(services).toEqual(expect.arrayContaining(upstreams));
  });

  /** Reads a duration of the Caddyfile in milliseconds. */
  const proxyMs = (name: string) =>
    1000 * Number(new RegExp(`^\\s*${name} (\\d+)s$`, 'm').exec(read('deploy/Caddyfile'))?.[1]);
  const graceMs = (service: ComposeService | undefined) =>
    1000 * Number(service?.stop_grace_period?.replace(/s$/, ''));
  const drainMs = (service: ComposeService | undefined, name: 'DRAIN_DELAY_MS' | 'DRAIN_TIMEOUT_MS') =>
    Number(service?.environment?.[name]);

  test('a replica has time to drain before it is killed', () => {
    for (const service of replicas) {
      const neededMs = drainMs(service, 'DRAIN_DELAY_MS') + drainMs(service, 'DRAIN_TIMEOUT_MS');
      expect(graceMs(service)).toBeGreaterThanOrEqual(neededMs + 15_000);
    }
  });

  test('a replica accepts requests until the proxy knows that it is stopping', () => {
    for (const service of replicas)
      expect(drainMs(service, 'DRAIN_DELAY_MS')).toBeGreaterThanOrEqual(
        proxyMs('health_interval') + proxyMs('health_timeout'),
      );
  });

  test('the proxy has time to finish requests before it is killed', () => {
    expect(graceMs(compose.services['proxy'])).toBeGreaterThanOrEqual(proxyMs('response_header_timeout'));
  });

  test('the proxy and the service use the same bucket', () => {
    const bucket = String(replicas[0]?.environment?.['S3_BUCKET']);
    expect(read('deploy/Caddyfile')).toContain(`path /${bucket}/*`);
    expect(composeText).toContain(`/files/${bucket}]`);
  });

  test('the seccomp profile adds only the three system calls of Chromium’s sandbox', () => {
    const option = replicas[0]?.security_opt?.find((text) => text.startsWith('seccomp:')) ?? '';
    const profile = JSON.parse(read(option.replace('seccomp:', ''))) as {
      defaultAction: string;
      syscalls: { names: string[]; comment?: string }[];
    };
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    const added = profile.syscalls.filter(({ comment }) => comment?.startsWith('Added'));
    expect(added.flatMap(({ names }) => names)).toEqual(['chroot', 'clone', 'unshare']);
  });
});
