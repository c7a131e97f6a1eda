import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { FILE_TOO_LARGE, type Message } from './browser-message.ts';
import { BrowserPipe, type PipeLimits } from './browser-pipe.ts';

const SESSION = 'A'.repeat(32);
const TARGET = 'the page';
const LIMITS: PipeLimits = {
  eventBytes: 1_000,
  responseBytes: 5_000,
  pdfBytes: 3_000,
  imageBytes: 3_000,
  consoleEvents: 5,
  events: 20,
};

/** Opens a pipe, with the test in the place of the browser. */
function openPipe() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const pipe = new BrowserPipe({ input, output, limits: LIMITS, onClose: () => {} });
  const received: Message[] = [];
  const sent: Message[] = [];
  output.on('data', (bytes: Buffer) => {
    for (const text of bytes.toString().split('\0')) if (text) sent.push(JSON.parse(text) as Message);
  });
  const excesses: string[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport's interface is a property
  pipe.onmessage = (message) => void received.push(message);
  pipe.watch(TARGET, (excess) => void excesses.push(excess));
  const say = (message: object, pieceBytes = Number.POSITIVE_INFINITY) => {
    const bytes = Buffer.from(`${JSON.stringify(message)}\0`);
    for (let at = 0; at < bytes.length; at += pieceBytes) input.write(bytes.subarray(at, at + pieceBytes));
  };
  say({
    method: 'Target.attachedToTarget',
    params: { sessionId: SESSION, targetInfo: { targetId: TARGET } },
    sessionId: 'B'.repeat(32),
  });
  return {
    pipe,
    input,
    received,
    sent,
    excesses,
    say,
    event: (method: string, params: object) => say({ method, params, sessionId: SESSION }),
    /** Waits until the pipe has read everything that the browser sent. */
    settle: async () => {
      for (let before = -1; before !== received.length || input.readableLength > 0;) {
        before = received.length;
        await Bun.sleep(10);
      }
      return received.slice(1);
    },
  };
}

test('messages arrive complete, however they are split', async () => {
  const { say, settle } = openPipe();
  const messages = [1, 2, 3].map((id) => ({
    id,
    result: { text: `ü${'x'.repeat(id * 400)}` },
    sessionId: SESSION,
  }));
  for (const message of messages) say(message, 7);
  expect(await settle()).toEqual(messages);
});

test('a PDF is decoded from base64, however it is split', async () => {
  const pdf = Buffer.from(Array.from({ length: 2_000 }, (_, index) => index % 256));
  for (const pieceBytes of [1, 64, 255, 257, 1_000, 10_000]) {
    const { pipe, say, settle } = openPipe();
    pipe.send({ id: 7, method: 'Page.printToPDF', sessionId: SESSION });
    say({ id: 7, result: { data: pdf.toString('base64'), stream: '' }, sessionId: SESSION }, pieceBytes);
    expect(await settle()).toEqual([{ id: 7, result: { data: pdf }, sessionId: SESSION }]);
  }
});

test('a PDF and a response that exceed their limits become errors', async () => {
  const { pipe, say, settle } = openPipe();
  pipe.send({ id: 7, method: 'Page.printToPDF', sessionId: SESSION });
  say({ id: 7, result: { data: 'A'.repeat(4_400) }, sessionId: SESSION }, 500);
  say({ id: 8, result: { data: 'A'.repeat(5_400) }, sessionId: SESSION }, 500);
  say({ id: 9, result: {}, sessionId: SESSION });
  const [pdf, response, next] = await settle();
  expect(pdf).toMatchObject({ id: 7, error: { message: FILE_TOO_LARGE }, sessionId: SESSION });
  expect(response).toMatchObject({
    id: 8,
    error: { message: expect.stringMatching(/has 5\d\d\d bytes/) },
    sessionId: SESSION,
  });
  expect(next).toEqual({ id: 9, result: {}, sessionId: SESSION });
});

test('long events are replaced by short ones with their length, and the page is reported', async () => {
  const { event, settle, excesses } = openPipe();
  const text = 'z'.repeat(50_000);
  event('Runtime.exceptionThrown', { timestamp: 1, exceptionDetails: { text } });
  event('Runtime.consoleAPICalled', { type: 'warning', args: [{ type: 'string', value: text }] });
  event('Page.javascriptDialogOpening', { url: 'about:blank', message: text, type: 'confirm' });
  event('Page.frameNavigated', { frame: { url: text } });
  const [exception, console, dialog, ...others] = await settle();
  expect(exception).toMatchObject({
    method: 'Runtime.exceptionThrown',
    params: { exceptionDetails: { text: expect.stringMatching(/^Uncaught exception of 50\d\d\d bytes$/) } },
    sessionId: SESSION,
  });
  expect(console).toMatchObject({
    params: { type: 'warning', args: [{ value: expect.stringMatching(/a message of 50\d\d\d bytes/) }] },
  });
  expect(dialog).toMatchObject({ method: 'Page.javascriptDialogOpening', params: { message: '' } });
  expect(others).toEqual([]);
  expect(excesses).toEqual(Array.from({ length: 4 }, () => 'long message'));
});

test('console messages beyond the limit are dropped until the next document, and other events arrive', async () => {
  const { pipe, event, settle, excesses } = openPipe();
  pipe.send({ id: 1, method: 'Runtime.enable', sessionId: SESSION });
  for (let index = 0; index < 10; index += 1) event('Runtime.consoleAPICalled', { type: 'log', args: [] });
  event('Page.loadEventFired', {});
  expect((await settle()).map(({ method }) => method)).toEqual([
    ...Array.from({ length: 6 }, () => 'Runtime.consoleAPICalled'),
    'Page.loadEventFired',
  ]);
  pipe.send({ id: 2, method: 'Page.setDocumentContent', sessionId: SESSION });
  event('Runtime.consoleAPICalled', { type: 'log', args: [] });
  expect(await settle()).toHaveLength(8);
  expect(excesses).toEqual([]);
});

test('a document with too many events is reported once, and its further events are dropped', async () => {
  const { pipe, event, settle, excesses } = openPipe();
  pipe.send({ id: 1, method: 'Page.setDocumentContent', sessionId: SESSION });
  for (let index = 0; index < 40; index += 1)
    event('Network.requestWillBeSent', { requestId: String(index) });
  expect(await settle()).toHaveLength(21);
  expect(excesses).toEqual(['too many events']);
});

test("Playwright's subscriptions to a page end when the renderer opens its own session", async () => {
  const { pipe, say, settle, sent } = openPipe();
  const playwrights = 'C'.repeat(32);
  const params = { sessionId: playwrights, targetInfo: { targetId: 'page' } };
  say({ method: 'Target.attachedToTarget', params });
  await settle();
  pipe.send({ id: 1, method: 'Target.attachToTarget', params: { targetId: 'page' } });
  await Bun.sleep(10);
  const [command, ...others] = sent.toReversed();
  expect(command?.method).toBe('Target.attachToTarget');
  expect(others.map(({ method }) => method)).toContain('Runtime.disable');
  expect(others.every(({ id = 0, sessionId }) => id < 0 && sessionId === playwrights)).toBe(true);
  // The pipe discards the responses.
  for (const { id = 0 } of others) say({ id, result: {}, sessionId: playwrights });
  say({ id: 1, result: {} });
  expect((await settle()).at(-1)).toEqual({ id: 1, result: {} });
  say({
    method: 'Target.attachedToTarget',
    params: { ...params, sessionId: SESSION },
    sessionId: 'B'.repeat(32),
  });
  await settle();
  pipe.takeOver('page');
  await Bun.sleep(10);
  expect(sent.at(-1)).toMatchObject({ method: 'Page.disable', sessionId: playwrights });
});

/** Opens a pipe whose page the renderer has taken over. */
async function openDirect() {
  const opened = openPipe();
  await opened.settle();
  const session = opened.pipe.takeOver(TARGET);
  const lastSent = async () => {
    await Bun.sleep(1);
    return opened.sent.at(-1);
  };
  return { ...opened, session, lastSent };
}

test('the messages of a session that was taken over do not reach Playwright', async () => {
  const { session, say, event, lastSent, settle } = await openDirect();
  const loads: unknown[] = [];
  session.on('Page.loadEventFired', (load) => void loads.push(load));
  session.once('Page.loadEventFired', (load) => void loads.push(load));
  const evaluated = session.send('Runtime.evaluate', { expression: '1' });
  const sent = await lastSent();
  expect(sent).toMatchObject({ method: 'Runtime.evaluate', params: { expression: '1' }, sessionId: SESSION });
  event('Page.loadEventFired', { timestamp: 1 });
  event('Page.loadEventFired', { timestamp: 2 });
  say({ id: sent?.id, result: { result: { value: 1 } }, sessionId: SESSION });
  expect(await evaluated).toMatchObject({ result: { value: 1 } });
  expect(loads).toEqual([{ timestamp: 1 }, { timestamp: 1 }, { timestamp: 2 }]);
  expect(await settle()).toEqual([]);
});

test('a PDF and an error arrive at a session that was taken over, within the limits', async () => {
  const { session, say, lastSent } = await openDirect();
  const pdf = Buffer.from('%PDF-1.7'.repeat(100));
  const answer = async (response: object) =>
    say({ id: (await lastSent())?.id, ...response, sessionId: SESSION });
  const printed = session.send('Page.printToPDF');
  await answer({ result: { data: pdf.toString('base64'), stream: '' } });
  expect((await printed).data as unknown).toEqual(pdf);

  const tooLarge = session.send('Page.printToPDF').catch(String);
  await answer({ result: { data: 'A'.repeat(4_400) } });
  expect(await tooLarge).toBe(`Error: Protocol error (Page.printToPDF): ${FILE_TOO_LARGE}`);

  const refused = session.send('Page.enable').catch(String);
  await answer({ error: { code: -32_000, message: 'no page' } });
  expect(await refused).toBe('Error: Protocol error (Page.enable): no page');
});

test('a session that was taken over ends with its page and with the browser', async () => {
  const ends = [
    ({ say }: Awaited<ReturnType<typeof openDirect>>) =>
      say({ method: 'Target.detachedFromTarget', params: { sessionId: SESSION }, sessionId: 'B'.repeat(32) }),
    ({ input }: Awaited<ReturnType<typeof openDirect>>) => input.destroy(),
  ];
  for (const end of ends) {
    const opened = await openDirect();
    const running = opened.session.send('Page.enable').catch(String);
    end(opened);
    const ended = 'Error: Protocol error (Page.enable): the session of the page has ended';
    expect(await running).toBe(ended);
    expect(await opened.session.send('Page.enable').catch(String)).toBe(ended);
  }
});
