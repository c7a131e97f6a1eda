import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../../plugins/render/browser/find-chromium.mjs';
import { browsers } from '../../../plugins/template-tests/collections.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import { callJson, ServiceProcess } from '../../support/service/process.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(120_000);
const root = mkdtempSync(join(tmpdir(), 'platen-upgrade-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const chromium = process.env['CHROMIUM_PATH'] ?? findChromium() ?? '';
const EARLIER = '100.0.4896.127';

/** Writes a program that starts the browser of this machine with a flag, as an earlier one would print. */
async function earlierBrowser(): Promise<string> {
  const path = join(root, 'earlier');
  await Bun.write(path, `#!/bin/sh\nexec '${chromium}' "$@" --blink-settings=minimumFontSize=20\n`);
  chmodSync(path, 0o755);
  return path;
}

const logOf = ({ stdout, stderr }: ServiceProcess) => stdout + stderr;

/** Runs a step with a service on the folder, in a process of its own. */
async function withService<T>(
  browser: string,
  step: (service: ServiceProcess, url: string) => Promise<T>,
): Promise<{ result: T; log: string }> {
  const service = new ServiceProcess({
    DATA_DIR: root,
    CHROMIUM_PATH: browser,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    EARLIER_CHROMIUM_PATH: browser === chromium ? await earlierBrowser() : join(root, 'removed'),
  });
  try {
    const result = await step(service, await service.ready());
    return { result, log: logOf(service) };
  } finally {
    service.killGroup();
    await service.exited;
  }
}

/** Reads the stored version of the browser, and replaces it if a version is given. */
async function storedVersion(replacement?: string): Promise<string | undefined> {
  const store = createSqliteStore({ path: join(root, 'platen.sqlite') });
  try {
    const collection = await store.collection(browsers);
    if (replacement !== undefined) await collection.update({ id: 'browser' }, { version: replacement });
    return (await collection.get('browser'))?.version;
  } finally {
    await store.close();
  }
}

test('a service with another version of Chromium finds the templates whose pages change', async () => {
  const first = await withService(await earlierBrowser(), async (service, url) => {
    const key = await service.firstKey();
    const save = async (name: string, html: string, cases: readonly string[]) => {
      const body = { name, html_content: html };
      const { id } = (await callJson(url, '/v1/templates', key, body)).body;
      for (const each of cases) {
        const path = `/v1/templates/${id}/cases/${each}`;
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        await fetch(url + path, { method: 'PUT', headers, body: '{"data":{"text":"Sale"}}' });
        expect((await callJson(url, `${path}/accept`, key, {})).status).toBe(200);
      }
      return `/v1/templates/${id}`;
    };
    const small = '<p style="font: 9px sans-serif">{{text}}</p>';
    const note = await save('note', small, ['small']);
    const invoice = await save('invoice', small, ['a', 'b', 'c']);
    const poster = await save('poster', '<h1 style="font: 40px sans-serif">{{text}}</h1>', ['one']);
    const letter = await callJson(url, '/v1/templates', key, {
      name: 'letter',
      html_content: '<p>Dear customer</p>',
      options: { browser: 'earlier' },
    });
    for (const body of [{ template: letter.body.id }, { html: '<p>', options: { browser: 'earlier' } }]) {
      const refused = await callJson(url, '/v1/generate', key, body);
      expect([refused.status, refused.body.error.details]).toEqual([
        400,
        [expect.objectContaining({ path: 'options.browser', message: expect.stringContaining('"current"') })],
      ]);
    }
    return { key, note, invoice, poster };
  });
  const { key, note, invoice, poster } = first.result;
  const version = await storedVersion();
  expect(version).toMatch(/^\d+\.[\d.]+$/);
  expect(first.log).not.toContain('another version');
  expect(first.log).toContain('the file does not exist; documents for the earlier browser fail');
  await storedVersion(EARLIER);

  const second = await withService(chromium, async (service, url) => {
    const read = async (path: string) => (await callJson(url, path, key)).body;
    const changesOf = async (path: string) =>
      (await read(`${path}/cases`)).data.map(
        ({ name, browser_change: change }: { name: string; browser_change: { status: string } | null }) =>
          `${name} ${change?.status}`,
      );
    await until(() => logOf(service).includes('the cases were checked with the new Chromium'));
    expect(await changesOf(poster)).toEqual(['one equal']);
    const list = await read('/v1/browser-changes');
    const idOf = (path: string) => path.replace('/v1/templates/', '');
    const id = idOf(invoice);
    expect(list).toEqual({
      data: [...['c', 'b', 'a'].map((name) => [id, name]), [idOf(note), 'small']].map(([template, name]) => ({
        id: `${template}:${name}`,
        template_id: template,
        name,
        browser_change: { from: EARLIER, to: version, status: 'different', checked_at: expect.any(String) },
      })),
      has_more: false,
    });
    expect((await read(`/v1/browser-changes?limit=1&starting_after=${id}:c`)).data[0].name).toBe('b');
    expect(await read('/v1/browser-changes?status=failed')).toEqual({ data: [], has_more: false });
    expect((await read('/v1/browser-changes?status=equal')).error.message).toContain('status');

    const accepted = await callJson(url, `${invoice}/cases/a/accept`, key, {});
    expect([accepted.status, accepted.body.browser_change]).toEqual([200, null]);
    const names = async () =>
      (await read('/v1/browser-changes')).data.map((each: { name: string }) => each.name);
    expect(await names()).toEqual(['c', 'b', 'small']);

    // The operator keeps the earlier browser, and the template stays with it.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const put = (path: string, body: object) =>
      fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    expect((await put(invoice, { options: { browser: 'earlier' } })).status).toBe(200);
    const check = await callJson(url, `${invoice}/check`, key, { cases: ['b'] });
    expect([check.body.passed, await names()]).toEqual([true, ['c', 'small']]);
    // So do the documents of programs, which do not send the options of the template.
    const document = { template: id, data: { text: 'Sale' } };
    const cases = [
      [{}, true],
      [{ options: { browser: 'current' } }, false],
    ] as const;
    for (const [options, isEarlier] of cases) {
      const made = await callJson(url, '/v1/generate', key, { ...document, ...options });
      await put(`${invoice}/cases/c`, { data: { text: 'Sale' }, accepted: made.body.id });
      const compared = await callJson(url, `${invoice}/check`, key, { cases: ['c'] });
      expect([made.status, compared.body.passed]).toEqual([200, isEarlier]);
    }
    expect(await names()).toEqual(['small']);
    await fetch(url + note, { method: 'DELETE', headers });
    expect(await names()).toEqual([]);
  });
  const line = `"from":"${EARLIER}","to":"${version}","templates":3`;
  expect(second.log.split(line)).toHaveLength(2);
  expect(await storedVersion()).toBe(version);
});
