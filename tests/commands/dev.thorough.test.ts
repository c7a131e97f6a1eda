import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { servePage } from '../../src/commands/dev/page-server.ts';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onePixelPng } from '../support/pdf/one-pixel-png.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { until } from '../support/until.ts';
import type { DevState } from '../../src/commands/dev/page/state.ts';
import { CommandFolder } from './command.ts';

const service = sharedService();
let folder: CommandFolder;
let command: ReturnType<CommandFolder['start']>;
let url = '';
/** The last state that the page received. */
let state: DevState | undefined;

beforeAll(async () => {
  folder = new CommandFolder();
  await folder.write({
    'documents/invoice/template.html': '<h1>{{> title}}</h1><p>{{customer}}</p>',
    'documents/invoice/partials/title.html': 'Invoice',
    'documents/invoice/sample.json': '{"customer": "Ada"}',
    'documents/notes.md': '# Notes',
    'documents/readme.txt': 'no document',
  });
  command = folder.start(['dev', 'documents', '--port', '0', '--json'], { service: service() });
  const reader = command.stdout.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  url = (JSON.parse(first.split('\n')[0] ?? '') as { url: string }).url;
  // The rest is read, so that the command can write.
  void (async () => {
    while (!(await reader.read()).done);
  })();
  // The connection ends with the command.
  void follow().catch(() => {});
}, 60_000);

afterAll(async () => {
  command.kill('SIGINT');
  await command.exited;
  folder[Symbol.dispose]();
}, 60_000);

/** Follows the events, as the page does. */
async function follow(): Promise<void> {
  const { body } = await fetch(`${url}/events`);
  if (!body) throw new Error('the events have no body');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    const last = messages.at(-1);
    if (last !== undefined) state = JSON.parse(last.slice('data: '.length)) as DevState;
  }
}

/** Waits for a print after a version without a fault. */
async function printedAfter(version: number): Promise<NonNullable<DevState['printed']>> {
  await until(() => state?.failure === null && (state.printed?.version ?? 0) > version);
  return state?.printed as NonNullable<DevState['printed']>;
}

const version = () => state?.printed?.version ?? 0;

/** Returns the state once a finding has a code. */
async function finding(code: string) {
  const find = () => state?.printed?.findings.find((each) => each.code === code);
  await until(() => find() !== undefined);
  return find();
}

/** Sends a request with headers that `fetch` does not let a caller choose. Returns the status. */
function statusFor(host: string, headers = ''): Promise<number> {
  const { port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(port), '127.0.0.1', () =>
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`),
  );
  socket.once('data', (bytes) => {
    resolve(Number(bytes.toString().split(' ')[1]));
    socket.destroy();
  });
  socket.once('error', reject);
  return promise;
}

describe('platen dev', () => {
  test('shows the documents of a folder, and the pages of the first as images', async () => {
    const { pages, version: first } = await printedAfter(0);
    expect(state).toMatchObject({ documents: ['invoice', 'notes.md'], selected: 0, failure: null });
    expect(pages).toBe(1);
    const image = await fetch(`${url}/pages/${first}/1.png?width=400`);
    expect(image.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await image.arrayBuffer());
    expect(bytes.readUInt32BE(16)).toBe(400);
    const pdf = Buffer.from(await (await fetch(`${url}/document.pdf`)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await fetch(`${url}/pages/${first + 100}/1.png`)).status).toBe(404);
  });

  test('prints again when the document, its data, a partial or a file beside it changes', async () => {
    for (const files of [
      { 'documents/invoice/sample.json': '{"customer": "Grace"}' },
      { 'documents/invoice/partials/title.html': 'Invoice 2' },
      { 'documents/invoice/template.html': '<h1>{{> title}}</h1><p>{{customer}}</p><img src="logo.png">' },
      { 'documents/invoice/logo.png': onePixelPng(0, 0, 0) },
      { 'documents/invoice/logo.png': onePixelPng(0, 255, 0) },
    ]) {
      const before = version();
      await folder.write(files);
      await printedAfter(before);
    }
    // Many editors replace a file by another.
    const before = version();
    await folder.write({ 'documents/new.json': '{"customer": "Alan"}' });
    renameSync(join(folder.path, 'documents/new.json'), join(folder.path, 'documents/invoice/sample.json'));
    await printedAfter(before);
    expect(state?.printed?.findings).toEqual([]);
  });

  test('keeps the last good pages while the template has a fault, and names the line', async () => {
    const before = version();
    await folder.write({ 'documents/invoice/partials/title.html': 'Invoice\n{{#if paid}}' });
    await until(() => state?.failure?.place === 'partials/title.html:2:4');
    expect(state).toMatchObject({
      failure: {
        message: 'the block "if" is not closed',
        excerpt: [
          { line: 1, text: 'Invoice', isFault: false },
          { line: 2, text: '{{#if paid}}', isFault: true },
        ],
      },
      printed: { version: before },
    });
    expect((await fetch(`${url}/pages/${before}/1.png`)).status).toBe(200);
    await folder.write({ 'documents/invoice/partials/title.html': 'Invoice 3' });
    await printedAfter(before);
  });

  test('prints the messages of template.json, and names a message that has a fault', async () => {
    const at = 'documents/invoice/template';
    const messages = (total: string) => JSON.stringify({ translations: { de: { total } } });
    const print = async (files: Record<string, string>) => {
      const before = version();
      await folder.write(files);
      await printedAfter(before);
    };
    await print({ [`${at}.json`]: messages('Summe') });
    await print({ [`${at}.html`]: '{{> title}} {{t "total"}}' });
    expect(state?.printed?.findings).toEqual([]);
    await print({ [`${at}.json`]: messages('Summe {n}') });
    expect((await finding('MISSING_VARIABLE'))?.message).toContain('the message total has no value for n');
    await folder.write({ [`${at}.json`]: messages('Summe {') });
    await until(() => state?.failure?.message.includes('is not an ICU message') ?? false);
    await print({ [`${at}.json`]: '{}', [`${at}.html`]: '{{> title}}' });
  });

  test('lists the findings, and marks them where their place is known', async () => {
    await folder.write({
      'documents/invoice/template.html':
        '{{> title}}\n<img src="gone.png"><img src="../../outside.png"><p>{{missing}} glyph \uE123\uE124</p><table style="width: 1300px"><tr><td>wide</td></tr></table>',
    });
    expect(await finding('FILE_MISSING')).toMatchObject({ place: 'template.html:2' });
    expect(await finding('FILE_OUTSIDE')).toMatchObject({ place: 'template.html:2' });
    expect(await finding('MISSING_VARIABLE')).toMatchObject({ message: 'the data has no missing' });
    expect(await finding('OVERFLOW')).toMatchObject({ marks: [{ kind: 'edge' }] });
    await until(() => state?.printed?.findings.some(({ marks }) => marks[0]?.kind === 'box') ?? false);
    expect((await finding('MISSING_GLYPHS'))?.marks[0]).toMatchObject({ kind: 'box', page: 1 });
  });

  test('shows another document of the folder', async () => {
    const before = version();
    expect((await fetch(`${url}/select`, { method: 'POST', body: '1' })).status).toBe(204);
    await printedAfter(before);
    expect(state).toMatchObject({ selected: 1, printed: { findings: [] } });
    expect((await fetch(`${url}/select`, { method: 'POST', body: '7' })).status).toBe(400);
  });

  test('answers this machine only', async () => {
    const { host, port } = new URL(url);
    expect(await statusFor(host)).toBe(200);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
    expect(await statusFor(`evil.example:${port}`)).toBe(403);
    expect(await statusFor('127.0.0.1')).toBe(403);
    expect(await statusFor(host, 'Origin: https://evil.example\r\n')).toBe(403);
  });

  test('deletes the documents that it made', async () => {
    command.kill('SIGTERM');
    expect(await command.exited).toBe(143);
    // The record of a failed print has no document, and expires within a day.
    const { body } = await service().get('/v1/generations?status=completed');
    expect(body.data).toEqual([]);
  });
});

test('the page names the work that it waits for, if the work takes a while', async () => {
  const image = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const printed = { version: 1, pages: 1, sizes: [], findings: [], milliseconds: 48 };
  const waiting: DevState = {
    documents: ['letter'],
    selected: 0,
    isBusy: true,
    printed: null,
    failure: null,
  };
  const drawn = { ...waiting, isBusy: false, printed };
  const source = {
    state: waiting,
    select: () => true,
    image: () => image.promise,
    pdf: async () => undefined,
  };
  const server = servePage(source, { port: 0 });
  const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
  if (!executablePath) throw new Error('Chromium is not installed');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage();
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    const status = page.getByRole('status');
    const shows = async (text: string) => until(async () => (await status.textContent()) === text);
    const work = () => page.locator('#pages').evaluate(({ dataset }) => dataset['work'] ?? '');
    await page.goto(server.url);
    // The state has arrived.
    await page.getByRole('heading', { name: 'letter' }).waitFor();
    await page.clock.fastForward(299);
    expect(await status.textContent()).toBe('Starting…');
    await page.clock.fastForward(1);
    await shows('Printing…');
    expect(await work()).toBe('Printing…');
    server.publish(drawn);
    await shows('Drawing page 1 …');
    image.resolve(new Uint8Array(onePixelPng(0, 0, 0)));
    await shows('1 page in 48 ms');
    expect(await work()).toBe('');

    // A quick print shows only its result.
    const texts = await page.evaluateHandle(() => {
      const seen: string[] = [];
      const element = document.querySelector('#status');
      const note = () => seen.push(element?.textContent ?? '');
      if (element) new MutationObserver(note).observe(element, { childList: true });
      return seen;
    });
    server.publish({ ...drawn, isBusy: true });
    server.publish({ ...drawn, printed: { ...printed, version: 2, milliseconds: 50 } });
    await shows('1 page in 50 ms');
    await page.clock.fastForward(1_000);
    expect(await texts.jsonValue()).toEqual(['1 page in 50 ms']);
  } finally {
    await browser.close();
    await server.stop();
  }
}, 60_000);
