import type { AccountInput, Log, RouteInput, Routes } from '../../src/plugin.ts';
import { runTool } from './run-tool.ts';
import { Message } from './message-body.ts';
import { serveMessage } from './server.ts';
import type { Tool } from './tool.ts';

/** The largest message. Files travel as ids, so only HTML and data need room. */
const MAX_BODY_BYTES = 10_000_000;

/** Mounts `POST /mcp`. Other methods get 405, because there are no sessions. */
export function mountRoutes(routes: Routes, { tools, log }: { tools: readonly Tool[]; log: Log }): void {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolOf = ({ method, params }: Message) =>
    method === 'tools/call' && typeof params?.name === 'string' ? byName.get(params.name) : undefined;

  routes.post(
    '/mcp',
    {
      scope: 'any',
      // Tools that change something describe their entries themselves.
      audit: null,
      hidden: true,
      summary: 'Serve an agent over the Model Context Protocol',
      idempotency: { ignored: 'the protocol has no such header' },
      body: { kind: 'mcp', schema: Message },
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: (body) => toolOf(body as Message)?.worksOnDocument === true,
      usesQuota: true,
    },
    async (input: RouteInput<unknown, unknown, Message> & AccountInput) =>
      serveMessage(input.request, input.body, {
        tools,
        callTool: async (name, given) => runTool(byName, { name, given, caller: input, log }),
      }),
  );
}
