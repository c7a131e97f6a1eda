import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import {
  AiProvider,
  completion,
  completionEvents,
  eventStream,
  messageEvents,
  page,
  type Responder,
} from '../../support/ai/provider.ts';
import { TestService } from '../../support/service/service.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

setDefaultTimeout(60_000);
const PATH = '/v1/ai/generate-template';
const provider = new AiProvider();
afterAll(() => provider[Symbol.asyncDispose]());
const openai = sharedService({ env: provider.env() });
const anthropic = sharedService({ env: provider.env('anthropic') });
const withShortDeadline = serviceOnDemand({
  env: provider.env(),
  config: { plugins: { ai: { timeoutMs: 1_000 } } },
});

let handleConnection: (socket: Socket) => void = () => {};
const connections = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => handleConnection(socket));
}).listen(0, '127.0.0.1');
await once(connections, 'listening');
const { port: connectionPort } = connections.address() as AddressInfo;

async function outcome(service: TestService, respond: Responder) {
  provider.reset(respond);
  const { status, body, headers } = await service.post(PATH, { prompt: 'x' });
  return {
    status,
    html: body.html,
    code: body.error?.code,
    message: body.error?.message,
    retryAfter: headers.get('retry-after'),
    asked: provider.requests.length,
  };
}

const ERROR = { status: 502, code: 'AI_ERROR', asked: 1 };

/** Creates a response whose body arrives in pieces and then stalls or breaks off. */
function pieces(texts: readonly string[], end: 'stalls' | 'breaks', type = 'application/json'): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const text of texts) {
        controller.enqueue(new TextEncoder().encode(text));
        await Bun.sleep(5);
      }
      // Bun prints an error that is not undefined.
      if (end === 'breaks') controller.error();
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}

describe('a provider that streams without being asked', () => {
  const html = page('<p>Grüße 🚲 {{name}}</p>');

  test('is read to the end', async () => {
    for (const pieceLength of [1, 97, 100_000]) {
      expect(await outcome(openai(), () => eventStream(completionEvents(html), pieceLength))).toMatchObject({
        status: 200,
        html,
      });
      expect(await outcome(anthropic(), () => eventStream(messageEvents(html), pieceLength))).toMatchObject({
        status: 200,
        html,
      });
    }
  });

  test('causes an error if its stream breaks off', async () => {
    const broken = { ...ERROR, message: 'the answer of the AI provider is truncated' };
    expect(await outcome(openai(), () => eventStream(completionEvents(html).slice(0, -2)))).toMatchObject(
      broken,
    );
    expect(await outcome(anthropic(), () => eventStream(messageEvents(html).slice(0, -1)))).toMatchObject(
      broken,
    );
    expect(await outcome(openai(), () => eventStream([]))).toMatchObject(broken);
  });

  test('causes an error if it sends an error event', async () => {
    const events = [
      ...messageEvents(html).slice(0, 4),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"secret"}}',
    ];
    const found = await outcome(anthropic(), () => eventStream(events));
    expect(found).toMatchObject(ERROR);
    expect(found.message).not.toContain('secret');
    const errorEvents = [...completionEvents(html).slice(0, 2), 'data: {"error":"secret"}'];
    expect(await outcome(openai(), () => eventStream(errorEvents))).toMatchObject(ERROR);
  });
});

describe('an unusable response is an error:', () => {
  test.each<[string, () => Response]>([
    [
      'a page of HTML',
      () => new Response('<html>Bad gateway</html>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['an empty body', () => new Response('')],
    ['no content', () => new Response(null, { status: 204 })],
    ['truncated JSON', () => new Response('{"choices":[{"message":{"content":"<!DOCTYPE')],
    ['a number', () => Response.json(7)],
    ['null', () => Response.json(null)],
    ['a list', () => Response.json([])],
    ['an object', () => Response.json({})],
    ['an error with status 200', () => Response.json({ error: { message: 'secret' } })],
    ['no choices', () => Response.json({ choices: [] })],
    ['choices that are a string', () => Response.json({ choices: 'secret' })],
    ['a choice without a message', () => Response.json({ choices: [{ finish_reason: 'stop' }] })],
    ['content that is a number', () => completion(7)],
    ['a refusal', () => completion('secret', 'content_filter')],
    ['bytes that are not text', () => new Response(new Uint8Array([0xff, 0xfe, 0, 1, 2]))],
    [
      'a gzipped response',
      () => new Response(Bun.gzipSync('{"choices":[]}'), { headers: { 'content-encoding': 'gzip' } }),
    ],
    ['a response of 10 MB', () => completion('x'.repeat(10_000_000))],
    [
      'an endless response',
      () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
    ],
  ])('%s', async (_, answer) => {
    const found = await outcome(openai(), answer);
    expect(found).toMatchObject(ERROR);
    expect(found.message).not.toContain('secret');
  });
});

describe('the content of a response', () => {
  test('is requested again if it is empty', async () => {
    for (const content of [null, '', []]) {
      const found = await outcome(openai(), (_asked, count) => completion(count === 1 ? content : page('x')));
      expect(found).toMatchObject({ status: 200, asked: 2 });
    }
  });

  test('is joined if it has parts', async () => {
    const parts = [
      { type: 'text', text: page('x').slice(0, 30) },
      { type: 'text', text: page('x').slice(30) },
    ];
    expect(await outcome(openai(), () => completion(parts))).toMatchObject({ status: 200, html: page('x') });
  });
});

describe('an error status of the provider', () => {
  test.each([400, 401, 403, 404, 413, 422, 500, 502, 504])('%d is an error and not retried', async (code) => {
    const found = await outcome(openai(), () =>
      Response.json({ error: { message: 'secret' } }, { status: code }),
    );
    expect(found).toMatchObject({ ...ERROR, retryAfter: null });
    expect(found.message).toBe(`the AI provider answered with an error (${code})`);
  });

  test.each<[string | undefined, (seconds: number) => boolean]>([
    ['7', (seconds) => seconds === 7],
    ['0', (seconds) => seconds === 1],
    ['86400', (seconds) => seconds === 3600],
    [undefined, (seconds) => seconds === 30],
    ['soon', (seconds) => seconds === 30],
    [new Date(Date.now() + 1_200_000).toUTCString(), (seconds) => seconds > 30 && seconds <= 1_200],
    ['Thu, 01 Jan 1970 00:00:00 GMT', (seconds) => seconds === 1],
  ])(
    '429 and 529 pass on Retry-After, limited to 1 to 3600 seconds, or 30 if it is unusable: %s',
    async (value, fits) => {
      for (const status of [429, 529]) {
        const headers = value === undefined ? undefined : { 'retry-after': value };
        const respond = () => new Response('secret', { status, ...(headers && { headers }) });
        const found = await outcome(openai(), respond);
        expect(found).toMatchObject(ERROR);
        expect(fits(Number(found.retryAfter))).toBe(true);
      }
    },
  );
});

describe.if(isThorough)('the time limit of the provider', () => {
  const late = { ...ERROR, message: 'the AI provider returned no usable template within 1 s' };

  /**
   * Repeats a call that timed out before the provider received the expected number of requests, as happens on
   * a busy machine.
   */
  async function lateOutcome(respond: Responder, asked = 1) {
    let found = await outcome(await withShortDeadline(), respond);
    for (let run = 1; run < 10 && found.asked < asked; run += 1)
      found = await outcome(await withShortDeadline(), respond);
    return found;
  }

  test('covers the head, the body and a stream', async () => {
    expect(await lateOutcome(() => new Promise(() => undefined))).toMatchObject(late);
    expect(await lateOutcome(() => pieces(['{"choices":'], 'stalls'))).toMatchObject(late);
    const events = completionEvents(page('x'))
      .slice(0, 2)
      .map((event) => `${event}\n\n`);
    expect(await lateOutcome(() => pieces(events, 'stalls', 'text/event-stream'))).toMatchObject(late);
  });

  test('covers both attempts', async () => {
    const respond: Responder = (_, count) => (count === 1 ? 'no document' : new Promise(() => undefined));
    expect(await lateOutcome(respond, 2)).toMatchObject({ ...late, asked: 2 });
  });
});

describe('a connection to the provider', () => {
  const connected = sharedService({
    env: { ...provider.env(), AI_BASE_URL: `http://127.0.0.1:${connectionPort}/v1` },
  });
  afterAll(() => connections.close());

  test('that breaks in the body is an error', async () => {
    expect(await outcome(openai(), () => pieces(['{"choices":[{"mess'], 'breaks'))).toMatchObject(ERROR);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closes at once', (socket) => socket.destroy()],
    ['does not speak HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['closes in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')],
    [
      'sends less than its Content-Length',
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\ncontent-type: application/json\r\n\r\n{"a":1}'),
    ],
  ])('that %s is an error', async (_, handle) => {
    handleConnection = handle;
    const { status, body } = await connected().post(PATH, { prompt: 'x' });
    expect([status, body.error.code]).toEqual([502, 'AI_ERROR']);
    expect(body.error.message).not.toContain('127.0.0.1');
  });

  test('that is refused is an error, and so is a name that does not resolve', async () => {
    const urls = ['http://127.0.0.1:1/v1', 'http://nowhere.invalid/v1', 'https://127.0.0.1:1/v1'];
    for (const url of casesOfSuite(urls, 6)) {
      await using own = await TestService.start({ env: { ...provider.env(), AI_BASE_URL: url } });
      const { status, body } = await own.post(PATH, { prompt: 'x' });
      expect([status, body.error.message]).toEqual([502, 'the AI provider cannot be reached']);
    }
  });
});
