import { definePlugin, Type } from '../../src/plugin.ts';
import { createAuthorization } from './authorization.ts';
import { createProtocol } from './protocol.ts';
import { messageBody } from './message-body.ts';
import { mountRoutes } from './routes.ts';
import { createTools } from './tools/index.ts';

export default definePlugin({
  name: 'mcp',
  title: 'MCP',
  description: 'Tools for agents, over the Model Context Protocol.',
  guide: new URL('../../docs/agents.md', import.meta.url),
  requires: ['documents', 'files'],
  uses: ['render', 'templates', 'pdf-tools', 'forms', 'studio'],
  config: Type.Object(
    {
      issuer: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'The issuer whose access tokens identify agents, beside API keys: that of `plugins.studio.oidc`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyKinds: [messageBody],
  async setup({ administration, config, identifyByKey, log, publicRoutes, sandbox, serve, services }) {
    const { publicUrl } = administration;
    const accessTokens = services.studio?.accessTokens;
    const authorization = createAuthorization(config.issuer, { publicUrl, accessTokens });
    authorization?.mount(publicRoutes);
    const { routes } = serve(createProtocol(identifyByKey, authorization));
    mountRoutes(routes, { tools: await createTools({ services, sandbox }), log });
    return {};
  },
});
