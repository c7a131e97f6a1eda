import { definePlugin, newId, Type } from '../../src/plugin.ts';
import { createSchemes } from './credentials.ts';
import { createProtocol } from './protocol.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'browserless',
  title: 'browserless',
  description: 'Routes of browserless v2, for its clients.',
  guide: new URL('../../docs/browserless.md', import.meta.url),
  config: Type.Object(
    {
      account: Type.Optional(
        Type.String({
          minLength: 3,
          pattern: '^[^@\\s]+@[^@\\s]+$',
          expected: 'the email address of an account',
          description: 'The account of requests without a token, which is created if it does not exist.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  requires: ['documents'],
  uses: ['render'],
  setup({ config: { account: email }, services, accounts, identifyByKey, serve, administration, auditLog }) {
    const { routes } = serve(createProtocol(createSchemes({ accounts, identifyByKey }, email)));
    if (services.render) mountRoutes(routes, services.render);
    return {
      async start() {
        if (email === undefined || (await administration.accounts.findByEmail(email))) return;
        const id = newId('acct_');
        const actor = { type: 'command', id: null, name: 'plugins.browserless.account' } as const;
        const creation = {
          account: id,
          actor,
          action: 'account.created',
          target: id,
          usesReserve: true,
        } as const;
        await auditLog.during(creation, () =>
          administration.accounts.findOrCreate({ id, email, plan: 'enterprise' }),
        );
      },
    };
  },
});
