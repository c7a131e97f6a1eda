import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { listen, ListenError, type ListenOptions } from '../../../src/listen/listen.ts';
import { platen } from '../../support/service/process.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { allowedPort } from '../../support/sites/allowed-ports.ts';
import { Receiver, verify } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = sharedService();
const receiver = new Receiver(({ path }) => new Response(null, { status: path === '/broken' ? 500 : 204 }));
afterAll(() => receiver[Symbol.asyncDispose]());

/** Listens until it is disposed of. */
async function startListening(options: Partial<ListenOptions> & { key: string }) {
  const lines: string[] = [];
  const ending = new AbortController();
  const running = listen({
    server: service().url,
    forward: receiver.url('/hook'),
    events: [],
    pollMs: 10,
    print: (line) => lines.push(line),
    signal: ending.signal,
    ...options,
  });
  await Promise.race([running, until(() => lines.length >= 2)]);
  return {
    lines,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}

const generate = (key: string, html = 'x') => service().post('/v1/generate', { html }, key);
const idsAt = (path: string) => receiver.at(path).map(({ body }): string => JSON.parse(body).data.id);

describe('platen listen', () => {
  test('sends each new event once, signed with the secret that it prints', async () => {
    const key = await service().newKey();
    await generate(key, 'before');
    await using listening = await startListening({ key });
    const made = [];
    for (const html of ['1', '2', '3']) made.push((await generate(key, html)).body.id);
    await until(() => receiver.at('/hook').length >= 3);
    const last = (await generate(key)).body.id;
    await until(() => receiver.at('/hook').length >= 4);
    expect(idsAt('/hook')).toEqual([...made, last]);
    const secret = /whsec_\S+$/.exec(listening.lines[1] ?? '')?.[0] ?? '';
    const { data: events } = (await service().get('/v1/events', key)).body;
    for (const [index, request] of receiver.at('/hook').entries()) {
      const { id, type, timestamp, data } = events[3 - index];
      expect(verify(secret, request)).toEqual({ type, timestamp, data });
      expect(request.headers['webhook-id']).toBe(id);
      await until(() => listening.lines.length === 6);
      expect(listening.lines[2 + index]).toBe(`${timestamp}  ${type}  ${id}  -> 204`);
    }
  });

  test('sends only the types that it is asked for', async () => {
    const key = await service().newKey();
    const events = ['generation.failed', 'batch.*'];
    await using _ = await startListening({ key, events, forward: receiver.url('/some') });
    await generate(key);
    await service().post('/v1/generate', { react: 'no component' }, key);
    await until(() => receiver.at('/some').length > 0);
    expect(receiver.at('/some').map(({ body }) => JSON.parse(body).type)).toEqual(['generation.failed']);
  });

  test('sends the events of templates', async () => {
    const key = await service().newKey();
    const template = { name: 'Letter', html_content: '<p>One</p>' };
    const { id } = (await service().post('/v1/templates', template, key)).body;
    const forward = receiver.url('/templates');
    await using _ = await startListening({ key, events: ['template.*', 'quota.threshold'], forward });
    await service().request('PUT', `/v1/templates/${id}`, { key, body: { name: 'Second' } });
    await until(() => receiver.at('/templates').length > 0);
    expect(receiver.at('/templates').map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({
        type: 'template.updated',
        data: expect.objectContaining({ id, name: 'Second' }),
      }),
    ]);
  });

  test('reports a program that fails or does not run, and continues', async () => {
    const key = await service().newKey();
    await using broken = await startListening({ key, forward: receiver.url('/broken') });
    await using stopped = await startListening({ key, forward: `http://127.0.0.1:${allowedPort()}/` });
    await generate(key);
    await until(() => broken.lines.length === 3 && stopped.lines.length === 3);
    expect(broken.lines[2]).toEndWith('-> 500');
    expect(stopped.lines[2]).toMatch(/-> not delivered \(Connection\w+|ECONNREFUSED\)$/);
    await generate(key);
    await until(() => broken.lines.length === 4 && stopped.lines.length === 4);
  });

  test('continues when the server is back, without losing or repeating an event', async () => {
    const event = (id: string, seconds: number) => ({
      id,
      type: 'generation.completed',
      timestamp: '2026-11-21T09:30:00.000Z',
      stored_at: new Date(Date.UTC(2026, 10, 21, 9, 30, seconds)).toISOString(),
      data: { id },
    });
    const stored = [event('old', 0)];
    const serve = (port = 0) =>
      Bun.serve({
        port,
        hostname: '127.0.0.1',
        fetch(request) {
          const { searchParams } = new URL(request.url);
          const since = Date.parse(searchParams.get('stored_after') ?? '1970-01-01T00:00:00Z');
          const data = stored.filter(({ stored_at: at }) => Date.parse(at) >= since).toReversed();
          return Response.json({ data, has_more: false });
        },
      });
    let server = serve();
    const { port } = server;
    const address = `http://127.0.0.1:${port}`;
    await using listening = await startListening({
      key: 'k',
      server: address,
      forward: receiver.url('/again'),
    });
    stored.push(event('one', 1));
    await until(() => receiver.at('/again').length === 1);
    await server.stop(true);
    await until(() => listening.lines.some((line) => line.includes('trying again')));
    // The clock of the process that stored this event is behind.
    stored.splice(1, 0, event('late', 0));
    stored.push(event('two', 2));
    server = serve(port);
    await until(() => receiver.at('/again').length === 3);
    expect(idsAt('/again').toSorted()).toEqual(['late', 'one', 'two']);
    expect(listening.lines).toContain(`${address} can be reached again.`);
    await server.stop(true);
  });

  test('catches up with more pages than the rate limit and the server allow at a time', async () => {
    const eventOf = (second: number) => ({
      id: `evt${second}`,
      type: 'generation.completed',
      timestamp: '2026-11-21T09:30:00.000Z',
      stored_at: new Date(Date.UTC(2026, 10, 21, 9, 30, second)).toISOString(),
      data: { id: `evt${second}` },
    });
    const stored = [eventOf(0)];
    const read: (string | null)[] = [];
    let requests = 0;
    let isLimited = false;
    // A page has one event. Of three requests, one gets 429 and one fails.
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        requests += 1;
        if (isLimited && requests % 3 === 1)
          return new Response(null, { status: 429, headers: { 'retry-after': '0' } });
        if (isLimited && requests % 3 === 0) return new Response(null, { status: 500 });
        const { searchParams } = new URL(request.url);
        const since = Date.parse(searchParams.get('stored_after') ?? '1970-01-01T00:00:00Z');
        const position = searchParams.get('starting_after');
        const list = stored.filter(({ stored_at: at }) => Date.parse(at) >= since).toReversed();
        const from = position === null ? 0 : list.findIndex(({ id }) => id === position) + 1;
        if (isLimited) read.push(position);
        return Response.json({ data: list.slice(from, from + 1), has_more: from + 1 < list.length });
      },
    });
    await using listening = await startListening({
      key: 'k',
      server: `http://127.0.0.1:${server.port}`,
      forward: receiver.url('/backlog'),
      pollMs: 1,
    });
    isLimited = true;
    for (let second = 1; second <= 6; second += 1) stored.push(eventOf(second));
    // A line is printed after the response of the receiver.
    await until(() => listening.lines.filter((line) => line.endsWith('-> 204')).length >= 6);
    const ids = ['evt1', 'evt2', 'evt3', 'evt4', 'evt5', 'evt6'];
    expect(idsAt('/backlog')).toEqual(ids);
    expect(listening.lines.filter((line) => line.endsWith('-> 204'))).toHaveLength(6);
    // Each page was read once: a failure did not begin the list again.
    const second = read.indexOf('evt6');
    expect(read.slice(second, second + 6)).toEqual(ids.toReversed());
  });

  test('explains in one sentence what is wrong', async () => {
    const key = await service().newKey();
    const limited = await service().newKeyOfAccount({ scopes: ['generate'] });
    const nowhere = `http://127.0.0.1:${allowedPort()}`;
    for (const [options, message] of [
      [{ key: 'plt_live_wrong' }, 'the API key is not valid for this server; check PLATEN_API_KEY'],
      [{ key: '' }, 'the API key is missing; set PLATEN_API_KEY or use --key'],
      [{ key: limited }, 'the server refused the request: the API key lacks the scope "webhooks"'],
      [{ key, server: undefined }, 'the address of the server is missing; set PLATEN_URL or --server'],
      [{ key, server: 'localhost:3000' }, 'the address of the server must be an http or https URL'],
      [{ key, server: nowhere }, `${nowhere} cannot be reached (`],
      [{ key, server: receiver.url('') }, 'is not the address of a Platen service'],
      [{ key, forward: 'hook' }, 'the URL of the local program must be an http or https URL'],
      [
        { key, events: ['generation.started'] },
        'the server refused the request: type: must be a type of events',
      ],
    ] as const) {
      const error = await startListening(options).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ListenError);
      expect((error as Error).message).toContain(message);
    }
  });

  test('is a command that reads PLATEN_URL and PLATEN_API_KEY', async () => {
    const forward = ['listen', '--forward', receiver.url('/command')];
    const env = { PLATEN_URL: service().url, PLATEN_API_KEY: 'plt_live_wrong' };
    const { code, stderr } = await platen(forward, env);
    expect([code, stderr]).toEqual([
      1,
      'platen: the API key is not valid for this server; check PLATEN_API_KEY\n',
    ]);
  });
});
