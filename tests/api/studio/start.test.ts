import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen, ServiceProcess } from '../../support/service/process.ts';
import { onMongoAndS3, serversEnv, TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { PASSWORD } from '../../support/studio/studio.ts';
import { until } from '../../support/until.ts';
import { isThorough } from '../../support/suite.ts';

const running = sharedService();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a service on a folder and returns its URL and the token of the link that it prints, if any. */
async function start(env: Record<string, string>) {
  const service = new ServiceProcess({ LOG_LEVEL: 'silent', ...env });
  let hasEnded = false;
  void service.exited.then(() => (hasEnded = true));
  cleanups.push(() => hasEnded || service.killGroup());
  const url = await service.ready();
  await until(() => service.stdout.includes('To create another API key'));
  const [, link, token] = /^(http\S+\/studio\/link\/)(\S+)$/m.exec(service.stdout) ?? [];
  const [key] = /plt_live_\w+/.exec(service.stdout) ?? [];
  return { service, url, link, token, key };
}

function post(url: string, path: string, body: unknown, cookie = ''): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(body),
  });
}

const claim = (url: string, token: string | undefined) =>
  post(url, '/studio/api/link/claim', { token, email: 'ann@example.com', password: PASSWORD });

describe.if(isThorough)('the first start', () => {
  test('prints a link with the public URL, which creates the operator of the first account and survives kill -9', async () => {
    const env = { DATA_DIR: await newFolder() };
    const first = await start(env);
    expect(first.link).toBe(`${first.url.replace('127.0.0.1', 'localhost')}/studio/link/`);
    first.service.killGroup();
    await first.service.exited;

    const second = await start({ ...env, PUBLIC_URL: 'https://pdf.example.com/' });
    expect(second.link).toBe('https://pdf.example.com/studio/link/');
    expect(second.token).not.toBe(first.token);
    expect((await claim(second.url, first.token)).status).toBe(404);
    const claimed = await claim(second.url, second.token);
    second.service.killGroup();
    await second.service.exited;
    expect(claimed.status).toBe(201);
    expect(await claimed.json()).toMatchObject({
      person: { operator: true },
      account: { email: 'ann@example.com' },
    });
    const [cookie = ''] = claimed.headers.getSetCookie()[0]?.split(';') ?? [];

    const third = await start(env);
    expect(third.token).toBeUndefined();
    expect((await claim(third.url, second.token)).status).toBe(404);
    const session = await fetch(`${third.url}/studio/api/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ signed_in: true });
    // The first API key belongs to the same account.
    await fetch(`${third.url}/v1/usage`, { headers: { authorization: `Bearer ${first.key}` } });
    const keys = await fetch(`${third.url}/studio/api/keys`, { headers: { cookie } });
    const { data } = (await keys.json()) as { data: { hint: string; last_used_at: string | null }[] };
    expect(data.map(({ hint }) => hint)).toEqual([first.key?.slice(-4) ?? '']);
  }, 60_000);
});

describe('`platen studio link`', () => {
  test('prints a sign-in link for a new account while the service runs', async () => {
    const service = running();
    const env = { ...service.env, PUBLIC_URL: service.url };
    const email = `${crypto.randomUUID()}@example.com`;
    const { stdout, stderr, code } = await platen(
      ['studio', 'link', '--email', email, '--plan', 'starter', '--operator'],
      env,
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toStartWith(`${service.url}/studio/link/`);
    const token = stdout.trim().split('/').at(-1);
    const { body } = await service.post('/studio/api/link', { token }, null);
    expect(body.error.code).toBe('FORBIDDEN');
    const claimed = await post(service.url, '/studio/api/link/claim', { token, password: PASSWORD });
    expect(await claimed.json()).toMatchObject({
      person: { operator: true },
      account: { email, plan: 'starter' },
    });
  });

  test('fails if the studio is off', async () => {
    const env = { DATA_DIR: await newFolder(), PLATEN_PLUGINS: '-studio' };
    const { stderr, code } = await platen(['studio', 'link', '--email', 'a@example.com'], env);
    expect(stderr).toBe('platen: the studio plugin is off\n');
    expect(code).toBe(1);
  });
});

test.if(onMongoAndS3 || isThorough)(
  'two services on one database serve the same session',
  async () => {
    const folders = [await newFolder(), await newFolder()];
    const shared = onMongoAndS3 ? await serversEnv() : { DATA_DIR: folders[0] ?? '' };
    const [a, b] = await Promise.all(folders.map((folder) => start({ DATA_DIR: folder, ...shared })));
    if (!a || !b) throw new Error('two services are needed');
    const { stdout } = await platen(['studio', 'link', '--email', 'ann@example.com'], {
      DATA_DIR: folders[0] ?? '',
      ...shared,
    });
    const token = stdout.trim().split('/').at(-1);
    const claims = await Promise.all(
      [a, b].map(({ url }) => post(url, '/studio/api/link/claim', { token, password: PASSWORD })),
    );
    expect(claims.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([201, 404]);
    const signedIn = claims.find(({ status }) => status === 201);
    const [cookie = ''] = signedIn?.headers.getSetCookie()[0]?.split(';') ?? [];
    for (const { url } of [a, b]) {
      const answer = await fetch(`${url}/v1/usage`, { headers: { cookie } });
      expect(answer.status).toBe(200);
    }
    expect((await post(a.url, '/studio/api/sign-out', undefined, cookie)).status).toBe(204);
    expect((await fetch(`${b.url}/v1/usage`, { headers: { cookie } })).status).toBe(401);
  },
  60_000,
);

test.if(isThorough)('without the studio, / redirects to /docs and its routes do not exist', async () => {
  await using service = await TestService.start({ config: { plugins: { studio: false } } });
  const root = await fetch(service.url, { redirect: 'manual' });
  expect(root.status).toBe(302);
  expect(root.headers.get('location')).toBe('/docs');
  for (const path of ['/studio', '/studio/api/session', '/studio/link/x'])
    expect((await service.get(path, null)).status).toBe(404);
  const { body } = await service.get('/openapi.json', null);
  expect(body.tags.map(({ name }: { name: string }) => name)).not.toContain('Studio');
});
