import { timingSafeEqual } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { AppError, type AuthenticationScheme, type PluginContext } from '../../src/plugin.ts';
import type { Settings } from './settings.ts';

type Context = Pick<PluginContext<unknown, object, never, never>, 'accounts' | 'identifyByKey'>;

/**
 * Creates the schemes of Gotenberg's routes: a key as Bearer token, Gotenberg's own basic authentication or a
 * key as the password of basic authentication, and the configured account for requests without credentials.
 * Wrong credentials are never taken for absent ones.
 */
export function createSchemes(
  { accounts, identifyByKey }: Context,
  { account: email, basicAuth }: Pick<Settings, 'account' | 'basicAuth'>,
): readonly AuthenticationScheme[] {
  const identifyByEmail = async (address: string) => {
    const account = await accounts.findByEmail(address);
    if (!account)
      throw new AppError('UNAUTHORIZED', `the account ${address} of plugins.gotenberg does not exist`);
    return { account };
  };
  const bearer: AuthenticationScheme = {
    name: 'gotenberg bearer',
    async authenticate({ headers }) {
      const [scheme, key = ''] = readAuthorization(headers);
      return scheme === 'bearer' ? identifyByKey(key) : undefined;
    },
  };
  const basic: AuthenticationScheme = {
    name: 'gotenberg basic',
    async authenticate({ headers }) {
      const [scheme, credentials = ''] = readAuthorization(headers);
      if (scheme !== 'basic') return undefined;
      const { username, password } = readBasic(credentials);
      if (
        email !== undefined &&
        basicAuth &&
        isSame(username, basicAuth.username) &&
        isSame(password, basicAuth.password)
      )
        return identifyByEmail(email);
      return identifyByKey(password);
    },
  };
  const anonymous: AuthenticationScheme = {
    name: 'gotenberg account',
    async authenticate({ headers }) {
      if (email === undefined || basicAuth || headers.has('authorization')) return undefined;
      return identifyByEmail(email);
    },
  };
  return [bearer, basic, anonymous];
}

function readAuthorization(headers: Headers): [scheme: string, credentials?: string] {
  const [scheme = '', ...rest] = headers.get('authorization')?.trim().split(/ +/) ?? [];
  return [scheme.toLowerCase(), ...(rest.length === 1 ? rest : [])] as [string, string?];
}

/** Reads the credentials of basic authentication (RFC 7617). */
function readBasic(credentials: string): { username: string; password: string } {
  const bytes = Buffer.from(credentials, 'base64');
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = text.indexOf(':');
  if (colon < 0) return { username: text, password: '' };
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Compares texts in a time that does not depend on where they differ. */
function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => new Bun.CryptoHasher('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
