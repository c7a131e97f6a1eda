import { loadConfig } from '../../../src/config.ts';
import { Sealer } from '../../../src/sealer.ts';
import { openAccounts, openState } from '../../../src/state.ts';
import type { Collection } from '../../../src/store/store.ts';
import { collections, type Role } from '../../../plugins/studio/collections.ts';
import { createLinks } from '../../../plugins/studio/links/links.ts';
import { createMembers } from '../../../plugins/studio/members/members.ts';
import type { MemberRole } from '../../../plugins/studio/members/roles.ts';
import { createUsers } from '../../../plugins/studio/sign-in/users.ts';
import type { ApiResponse, TestService } from '../service/service.ts';
import './password-cost.ts';

type DocumentOf<Spec> = Spec extends { documentType?: infer T } ? NonNullable<T> : never;

/** Works on a collection of the studio of a running service. */
export async function withCollection<Name extends keyof typeof collections, Result>(
  service: Pick<TestService, 'env' | 'dataDir'>,
  name: Name,
  work: (collection: Collection<DocumentOf<(typeof collections)[Name]>>) => Promise<Result>,
): Promise<Result> {
  const { store } = await openState(configOf(service));
  try {
    const spec = collections[name] as never;
    return await work(
      (await store.collection(spec)) as unknown as Collection<DocumentOf<(typeof collections)[Name]>>,
    );
  } finally {
    await store.close();
  }
}

/**
 * Makes a sign-in link, as `platen studio link` does, and returns its token. Without an email address, the
 * link asks for one.
 */
export async function newLink(
  service: Pick<TestService, 'env' | 'dataDir'>,
  { email, role = 'owner' }: { email?: string; role?: Role } = {},
): Promise<string> {
  const config = configOf(service);
  const { store } = await openState(config);
  try {
    const accounts = await openAccounts(config, store);
    const users = createUsers(await store.collection(collections.users), accounts);
    const links = createLinks({
      links: await store.collection(collections.links),
      users,
      members: createMembers({
        teams: await store.collection(collections.teams),
        memberships: await store.collection(collections.memberships),
        users,
      }),
      accounts,
      sealer: new Sealer(config.deriveKey('plugin studio')),
    });
    const account = email === undefined ? null : await accounts.findOrCreate({ email, plan: 'pro' });
    const { url } = await links.create({ accountId: account?.id ?? null, role, baseUrl: '' });
    return url.split('/').at(-1) ?? '';
  } finally {
    await store.close();
  }
}

function configOf({ env, dataDir }: Pick<TestService, 'env' | 'dataDir'>) {
  return loadConfig({ env: { PATH: process.env['PATH'], ...env }, cwd: dataDir });
}

/** A password that the rules accept. */
export const PASSWORD = 'correct horse battery';

let browsers = 0;

/**
 * A browser with the studio open: it keeps cookies, sends its origin, and has its own address (with
 * `TRUST_PROXY=1`).
 */
export class Browser {
  /** The cookie of the session; empty when signed out. */
  cookie = '';
  /** The cookie that makes the browser known; empty before the first sign-in. */
  device = '';
  /** The last `Set-Cookie` header of a session. */
  setCookie = '';
  /** The last `Set-Cookie` header of a device. */
  setDevice = '';
  readonly email: string;
  readonly #service: TestService;
  readonly #headers: Record<string, string>;

  constructor(service: TestService, headers: Record<string, string> = {}, email?: string) {
    browsers += 1;
    this.#service = service;
    this.email = email ?? `${crypto.randomUUID()}@example.com`;
    const { origin } = new URL(service.url);
    this.#headers = { origin, 'x-forwarded-for': `10.${browsers >> 8}.${browsers & 255}.1`, ...headers };
  }

  /** Opens a browser that has signed in to a new account with a link. */
  static async signedIn(service: TestService, role: Role = 'owner'): Promise<Browser> {
    const browser = new Browser(service);
    const token = await newLink(service, { email: browser.email, role });
    const { status, body } = await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
    if (status !== 201) throw new Error(`the claim responded with ${status}: ${JSON.stringify(body)}`);
    return browser;
  }

  /** Opens a browser of a new person who has accepted an invitation to the account of another. */
  static async member(of: Browser, role: MemberRole): Promise<Browser> {
    const browser = new Browser(of.#service);
    const token = await of.invite(browser.email, role);
    const { status, body } = await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
    if (status !== 201) throw new Error(`the claim responded with ${status}: ${JSON.stringify(body)}`);
    return browser;
  }

  /** Invites a person to the account of this one, and returns the token of the link. */
  async invite(email: string, role: MemberRole): Promise<string> {
    const { status, body } = await this.post('/studio/api/members/invitations', { email, role });
    if (status !== 201) throw new Error(`the invitation responded with ${status}: ${JSON.stringify(body)}`);
    return body.url.split('/').at(-1);
  }

  /** Opens another browser of the same person, not signed in. */
  another(headers: Record<string, string> = {}): Browser {
    return new Browser(this.#service, headers, this.email);
  }

  signIn(password = PASSWORD): Promise<ApiResponse> {
    return this.post('/studio/api/sign-in', { email: this.email, password });
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const cookie = [this.cookie, this.device].filter(Boolean).join('; ');
    const sent = { ...this.#headers, ...(cookie && { cookie }), ...headers };
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    const response = await this.#service.request(method, path, { body, key: null, headers: given });
    for (const setCookie of response.headers.getSetCookie()) {
      const [pair = ''] = setCookie.split(';');
      const kept = setCookie.includes('Max-Age=0') ? '' : pair;
      if (pair.includes('platen_device=')) [this.device, this.setDevice] = [kept, setCookie];
      else [this.cookie, this.setCookie] = [kept, setCookie];
    }
    return response;
  }

  get(path: string, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('POST', path, body, headers);
  }

  put(path: string, body: unknown): Promise<ApiResponse> {
    return this.request('PUT', path, body);
  }

  patch(path: string, body: unknown): Promise<ApiResponse> {
    return this.request('PATCH', path, body);
  }

  delete(path: string): Promise<ApiResponse> {
    return this.request('DELETE', path);
  }
}
