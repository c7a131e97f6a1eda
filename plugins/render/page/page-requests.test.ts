import { EventEmitter } from 'node:events';
import { expect, test } from 'bun:test';
import { interceptRequests } from './page-requests.ts';
import { Site } from './site.ts';
import type { PageSession } from '../browser/page-session.ts';

const siteOf = (files: Readonly<Record<string, number>>) =>
  new Site({
    html: '',
    files: new Map(Object.entries(files).map(([name, size]) => [name, { bytes: new Uint8Array(size) }])),
  });

/** A session of a browser page that never answers the commands about requests. */
class SilentSession extends EventEmitter {
  readonly sent: string[] = [];
  readonly #answers: (() => void)[] = [];

  async send(method: string, { requestId }: { requestId?: string } = {}): Promise<void> {
    if (requestId === undefined) return;
    this.sent.push(`${method} ${requestId}`);
    await new Promise<void>((resolve) => this.#answers.push(resolve));
  }

  /** Answers the oldest command. */
  async answer(): Promise<void> {
    this.#answers.shift()?.();
    await Bun.sleep(0);
  }
}

test('the files of a document are sent one after another, so that they take memory once', async () => {
  const session = new SilentSession();
  const site = siteOf({ 'a.png': 10 });
  await interceptRequests(session as unknown as PageSession, { site, headers: [], mayRequest: undefined });
  for (const requestId of ['1', '2', '3'])
    session.emit('Fetch.requestPaused', {
      requestId,
      request: { url: `${site.origin}/a.png?${requestId}`, headers: {} },
      resourceType: 'Image',
    });
  await Bun.sleep(0);
  expect(session.sent).toEqual(['Fetch.fulfillRequest 1']);
  await session.answer();
  expect(session.sent).toEqual(['Fetch.fulfillRequest 1', 'Fetch.fulfillRequest 2']);
});

test('a document may load its files a few times, and small ones often', () => {
  const site = siteOf({ 'a.png': 10_000_000, 'b.css': 1_000 });
  const load = (name: string) => site.read(`${site.origin}/${name}`) !== undefined;
  expect(Array.from({ length: 5 }, () => load('a.png'))).not.toContain(false);
  expect(Array.from({ length: 1_000 }, () => load('b.css'))).not.toContain(false);
  expect(load('a.png')).toBe(false);
});
