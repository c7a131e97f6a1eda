import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ReactItems } from '../support/batch/react-items.ts';
import { TestService } from '../support/service/service.ts';
import {
  registerPage,
  servePage,
  startHoneypot,
  type Honeypot,
  type ServedPages,
} from './page-egress-harness.ts';
import { documentVectors } from './page-vectors/document.ts';
import { markupVectors } from './page-vectors/markup.ts';
import { scriptVectors } from './page-vectors/script.ts';
import type { Vector } from './page-vectors/vector.ts';

const vectors: Vector[] = [...markupVectors, ...scriptVectors, ...documentVectors];
const CONCURRENCY = 3;
const START_TIMEOUT_MS = 300_000;
/** How long a page may act after its response. */
const ACT_MS = 500;

/**
 * Vectors of `page-egress.test.ts` as pages of an allowed server that `POST /v1/generate` loads by their
 * `url`.
 */
describe('a page that is loaded by its URL cannot reach a listener on this machine', () => {
  const pages: ServedPages = new Map();
  const honeypots = new Map<Vector, Honeypot>();
  const statuses = new Map<Vector, number>();
  const site = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => servePage(pages, request) });
  const credentials = {
    cookies: [{ name: 'a', value: 'secret7431' }],
    headers: { 'X-Secret': 'secret7431' },
  };

  beforeAll(async () => {
    for (const vector of vectors) {
      const honeypot = await startHoneypot();
      honeypots.set(vector, honeypot);
      const { port } = honeypot;
      const at = `127.0.0.1:${port}`;
      const base = `http://127.0.0.1:${site.port}/${port}`;
      registerPage(pages, { vector, target: { port, at, url: `http://${at}`, base } });
    }
    const env = { EGRESS_ALLOW: `127.0.0.1:${site.port}`, RENDER_TIMEOUT_MS: '15000' };
    await using service = await TestService.start({ env });
    const queue = [...vectors];
    const work = async (): Promise<void> => {
      for (let vector = queue.shift(); vector; vector = queue.shift()) {
        const url = `http://127.0.0.1:${site.port}/${honeypots.get(vector)?.port}/`;
        statuses.set(vector, (await service.post('/v1/generate', { url, ...credentials })).status);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    // Real time: pages may still send something while they close.
    await Bun.sleep(ACT_MS);
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    for (const honeypot of honeypots.values()) honeypot.close();
    await site.stop(true);
  });

  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    expect(honeypots.get(vector)?.contacts).toEqual([]);
  });

  test('most pages were printed', () => {
    const printed = [...statuses.values()].filter((status) => status === 200);
    expect(printed.length).toBeGreaterThan(vectors.length / 2);
  });
});

describe('a plugin that passes the URL of a local file', () => {
  const items = ReactItems.share();

  test('gets an error, and nothing is printed', async () => {
    for (const url of [import.meta.url, 'chrome://version/', 'data:text/html,x']) {
      const { status, body } = await items.post({ source: { url } });
      expect([status, body.error.details[0]]).toMatchObject([
        400,
        {
          path: 'url',
          code: 'NAVIGATION_BLOCKED',
          message: expect.stringContaining('neither http nor https'),
        },
      ]);
    }
  });
});
