import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import type { RawJson } from '../../src/plugin.ts';
import type { Message } from './message-body.ts';
import { listTool, type Tool } from './tool.ts';

/** How a client should use the tools, which many clients show their model. */
const INSTRUCTIONS = `Platen makes PDFs from HTML, Markdown and stored templates, and works on PDFs.
Make a document with render_document, look at it with look_at_pages, and find faults with check_layout.
When both are satisfying, keep the HTML with save_template.
Documents, files and templates are named by their id (gen_…, file_…, tmpl_…); results have a link to download.
An error says what to change.`;

/** The tools of a server, and the function that calls them. */
interface ServerParts {
  tools: readonly Tool[];
  /** Calls a tool. Never rejects: a fault is a result with `isError`. */
  callTool: (name: string, given: RawJson | undefined) => Promise<CallToolResult>;
}

/** The method that keeps a response open for events, which this server does not send. */
const LISTEN = 'subscriptions/listen';
const METHOD_NOT_FOUND = -32_601;

/**
 * Serves one message in the protocol of its sender: that of 2025 or that of 2026-07-28. Each message has a
 * server of its own, and responses are JSON, not streams: the response is complete when the promise resolves.
 */
export async function serveMessage(
  request: Request,
  { params, ...message }: Message,
  { tools, callTool }: ServerParts,
): Promise<Response> {
  if (message.method === LISTEN) return refuse(message);
  // The tool reads the arguments itself, in slices.
  const { arguments: given, ...rest } = params ?? {};
  const parsedBody = {
    ...message,
    ...(params && { params: { ...rest, ...(given && { arguments: {} }) } }),
  };
  const createServer = () => {
    const server = new Server(
      { name: 'platen', title: 'Platen', version: packageJson.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(listTool) as ListedTool[] }));
    server.setRequestHandler('tools/call', async ({ params: { name } }) => callTool(name, given));
    return server;
  };
  // The body of the request has been read, and responses are JSON whatever it accepts.
  const head = new Request(request.url, { method: 'POST', headers: request.headers });
  head.headers.set('accept', 'application/json, text/event-stream');
  if (await isLegacyRequest(head, parsedBody)) {
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(head, { parsedBody });
    } finally {
      await server.close();
    }
  }
  const handler = createMcpHandler(createServer, { legacy: 'reject' });
  try {
    return await handler.fetch(head, { parsedBody });
  } finally {
    await handler.close();
  }
}

function refuse(message: object): Response {
  const { id = null } = message as { id?: unknown };
  return Response.json({
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code: METHOD_NOT_FOUND, message: `${LISTEN} is not supported: this server sends no events` },
  });
}
