import { definePlugin, Type } from '../../src/plugin.ts';
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
  uses: ['render', 'templates', 'pdf-tools', 'forms'],
  config: Type.Object({}, { additionalProperties: false }),
  bodyKinds: [messageBody],
  async setup({ services, sandbox, identifyByKey, serve, log }) {
    const { routes } = serve(createProtocol(identifyByKey));
    mountRoutes(routes, { tools: await createTools({ services, sandbox }), log });
    return {};
  },
});
