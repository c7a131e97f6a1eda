import { expect, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

/** Much longer than a busy machine needs to answer, much shorter than the 5 to 29 seconds that backtracking on these inputs takes. */
const MAX_WAIT_MS = 3_000;

/** Sends a body and polls `/healthz` until it is answered. Returns the response and the longest health check. */
async function sendWhileWatching(path: string, body: object) {
  const request = { isAnswered: false };
  const answer = service()
    .post(path, body)
    .finally(() => (request.isAnswered = true));
  let longestMs = 0;
  while (!request.isAnswered) {
    const startedAt = performance.now();
    await fetch(`${service().url}/healthz`).then((health) => health.text());
    await Bun.sleep(5);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  return { answer: await answer, longestMs };
}

const spaces = ' '.repeat(99_900);
const padded = (times: number) =>
  `<p>url({{#each (range 1 ${times})}}{{padStart "" 1000}}{{/each}}data:,)</p>`;

test('a header of spaces inside url() does not block the service', async () => {
  const header = `<p>url(${spaces}data:</p>`;
  const { answer, longestMs } = await sendWhileWatching('/v1/generate', { html: 'x', options: { header } });
  expect(answer.status).toBe(200);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('two batch items with that header and footer do not block the service', async () => {
  const header = `<p>url(${spaces}data:</p>`;
  const item = { html: 'x', options: { header: header, footer: header } };
  const { answer, longestMs } = await sendWhileWatching('/v1/generate/batch', { items: [item, item] });
  expect(answer.status).toBe(202);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('a short header that Handlebars expands does not block the service', async () => {
  const options = { header: padded(200) };
  const { answer, longestMs } = await sendWhileWatching('/v1/generate', { html: 'x', data: {}, options });
  expect(answer.status).toBe(200);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('rejects a header that Handlebars expands beyond the limit', async () => {
  const options = { header: padded(500) };
  const refused = await service().post('/v1/generate', { html: 'x', data: {}, options });
  expect(refused.status).toBe(400);
  expect(refused.body.error.details[0].path).toBe('options.header');
  expect(refused.body.error.message).toContain('at most 400000 characters');
});
