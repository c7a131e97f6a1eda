import { expect, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

/** Far above what a busy machine needs to answer, far below the 5 to 29 seconds for which these requests once stopped the service. */
const MAX_WAIT_MS = 3_000;

/** Sends a body, asks `/healthz` until it is answered, and returns the answer and the longest wait for the next health check. */
async function sendWhileWatching(path: string, body: object) {
  const sent = { isAnswered: false };
  const answer = service()
    .post(path, body)
    .finally(() => (sent.isAnswered = true));
  let longestMs = 0;
  while (!sent.isAnswered) {
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

test('a header of spaces inside url() stops nobody', async () => {
  const header = `<p>url(${spaces}data:</p>`;
  const { answer, longestMs } = await sendWhileWatching('/v1/generate', { html: 'x', options: { header } });
  expect(answer.status).toBe(200);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('two batch items with that header and footer stop nobody', async () => {
  const marginal = `<p>url(${spaces}data:</p>`;
  const item = { html: 'x', options: { header: marginal, footer: marginal } };
  const { answer, longestMs } = await sendWhileWatching('/v1/generate/batch', { items: [item, item] });
  expect(answer.status).toBe(202);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('a short header that Handlebars makes long stops nobody', async () => {
  const options = { header: padded(200) };
  const { answer, longestMs } = await sendWhileWatching('/v1/generate', { html: 'x', data: {}, options });
  expect(answer.status).toBe(200);
  expect(longestMs).toBeLessThan(MAX_WAIT_MS);
}, 120_000);

test('a header that Handlebars makes too long is refused', async () => {
  const options = { header: padded(500) };
  const refused = await service().post('/v1/generate', { html: 'x', data: {}, options });
  expect(refused.status).toBe(400);
  expect(refused.body.error.details[0].path).toBe('options.header');
  expect(refused.body.error.message).toContain('at most 400000 characters');
});
