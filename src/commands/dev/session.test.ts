import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../tests/support/until.ts';
import type { Client } from '../service/client.ts';
import type { DevState } from './page/state.ts';
import { createReport } from './report.ts';
import { DevSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-session-'));
afterAll(() => rmSync(folder, { recursive: true }));
const documents = ['a', 'b'].map((name) => {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, name);
  return { name, path };
});

/** A session whose client answers each print and each question about a document when the test says so. */
function startSession() {
  const prints: { html: string; resolve: (id: string) => void; reject: (error: Error) => void }[] = [];
  const deleted: string[] = [];
  const receipts = Promise.withResolvers<void>();
  const client = {
    isOwn: false,
    async json(route: string, { body }: { body?: { html: string } } = {}) {
      if (route !== 'POST /v1/generate') {
        await receipts.promise;
        return route.startsWith('GET') ? { receipt: null } : { page_sizes: [] };
      }
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      prints.push({ html: body?.html ?? '', resolve, reject });
      return { id: await promise, pages: 1, generation_time_ms: 1, warnings: [] };
    },
    bytes: async () => new Uint8Array(),
    send: async (route: string) => void deleted.push(route),
  } as unknown as Client;
  const session = new DevSession({
    client: Promise.resolve(client),
    documents,
    data: undefined,
    options: {},
    onState: () => {},
  });
  const print = async (count: number) => {
    await until(() => prints.length === count);
    return prints[count - 1] as (typeof prints)[number];
  };
  return { session, print, deleted, answerReceipts: receipts.resolve };
}

describe('a session of platen dev', () => {
  test('does not show the pages of a document that is no longer selected', async () => {
    const { session, print, deleted } = startSession();
    const started = session.start();
    const first = await print(1);
    session.select(1);
    first.resolve('gen_a');
    const second = await print(2);
    expect([first.html, second.html]).toEqual(['a', 'b']);
    expect(session.state).toMatchObject({ selected: 1, printed: null, failure: null });
    second.reject(new Error('b cannot be printed'));
    await started;
    expect(session.state).toMatchObject({
      selected: 1,
      isBusy: false,
      printed: null,
      failure: { message: 'b cannot be printed' },
    });
    expect(await session.pdf()).toBeUndefined();
    expect(deleted).toEqual(['DELETE /v1/generations/gen_a']);
    await session.close();
  });

  test('drops facts and failures of a document that is no longer selected', async () => {
    const { session, print, answerReceipts } = startSession();
    const started = session.start();
    (await print(1)).resolve('gen_a');
    await until(() => session.state.printed !== null);
    session.select(1);
    answerReceipts();
    const second = await print(2);
    expect(session.state).toMatchObject({ selected: 1, printed: null });
    session.select(0);
    second.reject(new Error('b cannot be printed'));
    const third = await print(3);
    expect(session.state).toMatchObject({ selected: 0, failure: null });
    third.resolve('gen_c');
    await started;
    expect(session.state).toMatchObject({ selected: 0, isBusy: false, printed: { pages: 1 } });
    await session.close();
  });
});

describe('the report of platen dev', () => {
  test('counts pages and findings, and reports findings that arrive later', () => {
    const lines: string[] = [];
    const report = createReport(undefined, (line) => lines.push(line));
    const finding = { code: 'OVERFLOW', message: 'wide', place: null, marks: [] };
    const state = (pages: number, findings: (typeof finding)[]): DevState => ({
      documents: ['a.html'],
      selected: 0,
      isBusy: false,
      printed: { version: pages, pages, sizes: [], findings, milliseconds: 5 },
      failure: null,
    });
    for (const each of [state(1, []), state(1, []), state(1, [finding]), state(2, [finding, finding])])
      report(each);
    expect(lines).toEqual([
      'a.html: 1 page in 5 ms',
      'a.html: 1 page in 5 ms, 1 finding',
      'a.html: 2 pages in 5 ms, 2 findings',
    ]);
  });
});
