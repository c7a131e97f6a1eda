import { expect } from 'bun:test';
import type { TestService } from '../service/service.ts';
import type { Departures, TestIdentityProvider } from './identity-provider.ts';
import { Browser } from './studio.ts';

/** Headers of a navigation that comes from another site. */
export const NAVIGATION = { origin: '', 'sec-fetch-site': 'cross-site' };
/** Headers of a navigation from a page of the studio. */
export const OWN_NAVIGATION = { origin: '', 'sec-fetch-site': 'same-origin' };

/** A browser that keeps the cookie of a sign-in at the provider. */
export class OidcBrowser extends Browser {
  /** The cookie of a sign-in that has begun. */
  signInCookie = '';
  readonly #provider: TestIdentityProvider;

  constructor(service: TestService, provider: TestIdentityProvider, email?: string) {
    super(service, {}, email);
    this.#provider = provider;
  }

  /** Begins a sign-in, and returns the URL of the provider. */
  async start(query = ''): Promise<string> {
    const { status, headers } = await this.get(`/studio/api/oidc/start${query}`, OWN_NAVIGATION);
    const [set = ''] = headers.getSetCookie().filter((cookie) => cookie.includes('platen_sign_in='));
    expect(status).toBe(302);
    if (set) expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
    this.signInCookie = set.split(';')[0] ?? '';
    // The browser class takes every other cookie for that of the session.
    this.cookie = '';
    return headers.get('location') ?? '';
  }

  /** Opens the URL to which the provider sends the browser, and returns the path to which the studio sends it. */
  async finish(url: string): Promise<string> {
    const { pathname, search } = new URL(url);
    const cookie = this.signInCookie;
    const { status, headers } = await this.get(pathname + search, { ...NAVIGATION, cookie });
    const session = headers.getSetCookie().find((each) => each.includes('platen_session='));
    this.cookie = session?.split(';')[0] ?? '';
    expect(status).toBe(302);
    return headers.get('location') ?? '';
  }

  async signInWith(departures: Departures = {}, query = ''): Promise<string> {
    return this.finish(this.#provider.authorize(await this.start(query), departures));
  }

  async session() {
    return (await this.get('/studio/api/session')).body;
  }
}

/** Returns claims of the person of a browser, with a subject of their own. */
export const claimsOf = ({ email }: Browser, more: object = {}) => ({
  claims: { sub: `sub ${email}`, email, ...more },
});
