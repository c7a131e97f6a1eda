import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { withTimeout } from '@platen/runtime';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { chromiumFlags } from '../../plugins/render/browser/chromium-flags.ts';
import { FONT_CONFIG } from '../../plugins/render/browser/font-config.ts';
import { launchBrowser } from '../../plugins/render/browser/launch.ts';
import { createEgressGuard } from '../../src/egress/guard.ts';
import { until } from '../support/until.ts';
import { casesOfSuite } from '../support/suite.ts';
import { modesOf, outcomeKey, runVectors, type Mode, type Outcome } from './page-egress-harness.ts';
import { documentVectors } from './page-vectors/document.ts';
import { markupVectors } from './page-vectors/markup.ts';
import { scriptVectors } from './page-vectors/script.ts';
import type { Vector } from './page-vectors/vector.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
const runs = existsSync(executablePath) || process.env['REQUIRE_SERVERS'] === '1';
if (!runs) console.log('skipped: no Chromium');
const describeWithChromium: (name: string, body: () => void) => void = runs ? describe : () => undefined;

const allVectors: Vector[] = [...markupVectors, ...scriptVectors, ...documentVectors];
const vectors = casesOfSuite(allVectors, 40);
const modes: Mode[] = ['set', 'served'];
const sandbox = process.getuid?.() !== 0;
const flags = (proxyUrl: string) => chromiumFlags({ proxyUrl, sandbox });
const hangGuardMs = 240_000;

/** Returns the vectors of these names that the suite runs. */
function pick(names: readonly string[]): Vector[] {
  return casesOfSuite(names, 16).map((name) => {
    const vector = allVectors.find((candidate) => candidate.name === name);
    if (vector === undefined) throw new Error(`no vector ${name}`);
    return vector;
  });
}

describeWithChromium('a page cannot reach a listener on this machine', () => {
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    outcomes = await runVectors({ executablePath, vectors, modes, flags });
  }, hangGuardMs);

  for (const vector of vectors) {
    for (const mode of modesOf(vector, modes)) {
      const key = outcomeKey(vector, mode);
      test(key, () => expect(outcomes.get(key)?.contacts).toEqual([]));
    }
  }

  test('most vectors tried and were refused by the guard', () => {
    const tried = [...outcomes.values()].filter(({ refused }) => refused);
    expect(tried.length).toBeGreaterThan(vectors.length);
  });
});

// The two controls show that the tests above can fail: the same pages reach the honeypots if the guard allows
// the ports or the flags are missing.
describeWithChromium('control: the honeypots are on the allow list', () => {
  const control = pick([
    'decimal address',
    'https',
    'img',
    'stylesheet',
    'font',
    'iframe',
    'object',
    'video',
    'link prefetch',
    'speculation rules prerender',
    'module script',
    'fetch',
    'sendBeacon',
    'EventSource',
    'WebSocket',
    'secure WebSocket',
    'WebRTC TURN over TCP',
    'worker importScripts',
    'service worker',
    'meta refresh',
    'form POST',
    'CSP report-uri',
    'redirect of an image',
  ]);
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    outcomes = await runVectors({
      executablePath,
      vectors: control,
      modes: ['served'],
      flags,
      allowHoneypots: true,
    });
  }, hangGuardMs);

  test.each(control.map((vector) => outcomeKey(vector, 'served')))('%s: reaches the honeypot', (key) => {
    expect(outcomes.get(key)?.contacts).not.toEqual([]);
  });
});

describeWithChromium('control: the browser has only the proxy flag', () => {
  const control = pick([
    'img',
    'localhost',
    'IPv6 loopback',
    '0.0.0.0',
    'WebSocket',
    'WebTransport',
    'WebRTC STUN',
    'WebRTC TURN over UDP',
    'WebRTC remote candidates',
    'link to a new page',
    'window.open',
    'link click with ping',
  ]);
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    const driven = [
      '--headless',
      '--remote-debugging-pipe',
      '--no-startup-window',
      ...(sandbox ? [] : ['--no-sandbox']),
    ];
    const proxyOnly = (proxyUrl: string) => [...driven, `--proxy-server=${proxyUrl}`];
    outcomes = await runVectors({ executablePath, vectors: control, modes: ['served'], flags: proxyOnly });
  }, hangGuardMs);

  test.each(control.map((vector) => outcomeKey(vector, 'served')))('%s: reaches the honeypot', (key) => {
    const outcome = outcomes.get(key);
    // Chromium's proxy rules do not treat 0.0.0.0 as loopback, so it reaches the guard anyway.
    if (key.startsWith('0.0.0.0')) expect(outcome?.refused).toBe(true);
    else expect(outcome?.contacts).not.toEqual([]);
  });
});

describeWithChromium('local files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-egress-'));
    await Bun.write(join(folder, 'secret.html'), '<p>SECRET-7431</p>');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('cannot be read by a page', async () => {
    const guard = await createEgressGuard({ allow: [], resolve: async () => [] });
    const launched = await launchBrowser({
      executablePath,
      flags: flags(guard.url),
      niceness: 0,
      fontConfig: FONT_CONFIG,
    });
    const page = await launched.browser.newPage();
    const url = `file://${folder}/secret.html`;
    await page.setContent(`<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
      <iframe src="view-source:${url}"></iframe><link rel="import" href="${url}">
      <script>
        const show = (text) => document.body.append(text);
        fetch('${url}').then((r) => r.text()).then(show, () => 0);
        try { const x = new XMLHttpRequest(); x.open('GET', '${url}', false); x.send(); show(x.responseText) } catch {}
        new Worker(URL.createObjectURL(new Blob(["fetch('${url}').then((r) => r.text()).then(postMessage)"]))).onmessage = (e) => show(e.data);
      </script>`);
    // A frame whose document was refused may never respond.
    const textOf = async (frame: Frame) => {
      const text = frame.evaluate(() => document.documentElement.textContent).catch(() => '');
      return (await withTimeout(text, { limitMs: 1_000, onTimeout: () => null })) ?? '';
    };
    // Playwright sometimes loses the context of the main frame, so the text is read through a session.
    const session = await page.context().newCDPSession(page);
    const mainText = async () => {
      const expression = 'document.documentElement.textContent';
      const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
      return String(result.value);
    };
    // The script's own source is part of the page; the secret is not.
    await until(async () => (await mainText()).includes('secret.html'));
    expect(await mainText()).not.toContain('SECRET-7431');
    const shown = await Promise.all(page.frames().map(textOf));
    expect(shown.join('')).not.toContain('SECRET-7431');
    const messages: string[] = [];
    session.on('Log.entryAdded', ({ entry }) => messages.push(entry.text));
    await session.send('Log.enable');
    messages.length = 0;
    await session.send('Runtime.evaluate', { expression: `location.href = '${url}'` });
    await until(() => messages.some((text) => text.startsWith('Not allowed to load local resource')));
    expect(page.url()).not.toStartWith('file:');
    expect(await mainText()).not.toContain('SECRET-7431');
    await launched.close();
    await guard.close();
  }, 60_000);
});
