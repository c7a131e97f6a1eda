/** A request that the provider received. */
export interface ProviderRequest {
  path: string;
  headers: Record<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary requests
  body: any;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Returns the text of the model, which is wrapped for the interface in use, or a whole response. `count`
 * starts at 1.
 */
export type Responder = (
  request: ProviderRequest,
  count: number,
) => string | Response | Promise<string | Response>;

/** The API key with which the service calls the provider. */
export const PROVIDER_KEY = 'sk-test-0123456789abcdefghijklmnop';

/** Simulates a model provider on a loopback port, with the chat completions and the messages interface. */
export class AiProvider implements AsyncDisposable {
  readonly requests: ProviderRequest[] = [];
  /** Responds to the next requests. */
  respond: Responder;
  readonly #server;

  constructor(respond: Responder = () => page('<p>{{name}}</p>')) {
    this.respond = respond;
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 120,
      fetch: async (request) => {
        const { pathname: path } = new URL(request.url);
        const headers = Object.fromEntries(request.headers.entries());
        const { signal } = request;
        const entry = { path, headers, body: await request.json(), signal };
        this.requests.push(entry);
        const reply = await this.respond(entry, this.requests.length);
        if (reply instanceof Response) return reply;
        return path.endsWith('/messages') ? message(reply) : completion(reply);
      },
    });
  }

  /** Forgets the requests and changes the responses. */
  reset(respond: Responder): void {
    this.requests.length = 0;
    this.respond = respond;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Returns the environment of a service that uses this provider. */
  env(provider: 'openai' | 'anthropic' = 'openai'): Record<string, string> {
    return {
      AI_PROVIDER: provider,
      AI_BASE_URL: provider === 'openai' ? `${this.url}/v1` : this.url,
      AI_API_KEY: PROVIDER_KEY,
      AI_MODEL: 'test-model',
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** Wraps a body in a document that the service accepts. */
export function page(body: string, head = ''): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Test</title>${head}</head><body>${body}</body></html>`;
}

/** Creates a complete chat completion response. */
export function completion(content: unknown, reason = 'stop'): Response {
  return Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
}

/** Creates a complete response of the messages interface. */
export function message(text: string, reason = 'end_turn'): Response {
  return Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: reason,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
}

/** Creates an event stream in pieces that do not end at event boundaries. */
export function eventStream(events: readonly string[], pieceLength = 97): Response {
  const text = events.map((event) => `${event}\n\n`).join('');
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let at = 0; at < bytes.length; at += pieceLength) {
        controller.enqueue(bytes.slice(at, at + pieceLength));
        await Bun.sleep(0);
      }
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

/** Creates the events of a streamed chat completion. */
export function completionEvents(text: string): string[] {
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}`;
  const parts = text.match(/[\s\S]{1,40}/gu) ?? [];
  return [
    chunk({ role: 'assistant', content: '' }),
    ...parts.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    'data: [DONE]',
  ];
}

/** Creates the events of a streamed message. */
export function messageEvents(text: string): string[] {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}`;
  const parts = text.match(/[\s\S]{1,40}/gu) ?? [];
  return [
    event('message_start', { message: { id: 'msg_1', role: 'assistant', content: [] } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ': a comment',
    ...parts.map((part) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: part } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
    event('message_stop', {}),
  ];
}
