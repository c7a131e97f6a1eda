import { AppError, type AuthenticationScheme, type PluginContext } from '../../src/plugin.ts';

type Context = Pick<PluginContext<unknown, object, never, never>, 'accounts' | 'identifyByKey'>;

/**
 * Creates the schemes of browserless: an API key in the query as `token`, as Bearer token, or as the name or
 * the password of basic authentication, and the configured account for requests without any of them. Wrong
 * credentials are never taken for absent ones.
 */
export function createSchemes(
  { accounts, identifyByKey }: Context,
  email: string | undefined,
): readonly AuthenticationScheme[] {
  const token: AuthenticationScheme = {
    name: 'browserless token',
    async authenticate(request) {
      const key = tokenOf(request.url);
      return key === null ? undefined : identifyByKey(key);
    },
  };
  const header: AuthenticationScheme = {
    name: 'browserless header',
    async authenticate({ headers }) {
      const given = headers.get('authorization');
      if (given === null) return undefined;
      const [scheme = '', credentials = ''] = given.trim().split(/ +/, 2);
      return identifyByKey(scheme.toLowerCase() === 'basic' ? readBasic(credentials) : credentials);
    },
  };
  const anonymous: AuthenticationScheme = {
    name: 'browserless account',
    async authenticate() {
      if (email === undefined) return undefined;
      const account = await accounts.findByEmail(email);
      if (!account)
        throw new AppError('UNAUTHORIZED', `the account ${email} of plugins.browserless does not exist`);
      return { account };
    },
  };
  return [token, header, anonymous];
}

function tokenOf(url: string): string | null {
  return URL.parse(url, 'http://localhost')?.searchParams.get('token') ?? null;
}

/** Returns the password, or the name if the password is empty (RFC 7617). */
function readBasic(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon < 0 ? text : text.slice(colon + 1) || text.slice(0, colon);
}
