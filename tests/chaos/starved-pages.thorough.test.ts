import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { completed, submit } from '../support/batch/batches.ts';
import { untilResponse } from '../support/service/in-time.ts';
import { descendantsOf, processesLike } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { TestService } from '../support/service/service.ts';
import { until } from '../support/until.ts';

// Only prevents a hang.
setDefaultTimeout(180_000);

const TIMEOUT_MS = 6_000;
const PLAIN = '<p>plain</p>';

/** Pages that a test has stopped. They would survive their browser, which closes without them. */
const stopped = new Set<number>();
afterEach(async () => {
  const running = await processesLike('--type=renderer');
  for (const { pid } of running) if (stopped.has(pid)) process.kill(pid, 'SIGKILL');
  stopped.clear();
});

async function pages(): Promise<number[]> {
  const all = await descendantsOf(process.pid);
  return all.filter(({ command }) => command.includes('--type=renderer')).map(({ pid }) => pid);
}

/** Stops the browser pages that are not among the given ones. */
async function stopPages(others: readonly number[]): Promise<void> {
  const own = (await pages()).filter((pid) => !others.includes(pid));
  expect(own.length).toBeGreaterThan(0);
  for (const pid of own) {
    stopped.add(pid);
    process.kill(pid, 'SIGSTOP');
  }
}

async function startWithStoppedPage(): Promise<TestService> {
  const others = await pages();
  const service = await TestService.start({ env: { RENDER_TIMEOUT_MS: String(TIMEOUT_MS) } });
  await until(async () => (await service.post('/v1/generate', { html: PLAIN })).status === 200);
  await stopPages(others);
  return service;
}

/** Expects a refusal that names the page. A machine may be so busy that the browser provides none in time. */
function expectStarved({ status, headers, body }: Awaited<ReturnType<TestService['post']>>): void {
  expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.error.details[0]).toMatchObject({
    code: 'RENDER_TIMEOUT',
    message: expect.stringMatching(/the page got too little processor time|provided no page|was available/),
  });
  expect(headers.get('retry-after')).toBe('5');
}

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('a plain document whose page was stopped is a 503, and a retry is printed', async () => {
  await using service = await startWithStoppedPage();
  expectStarved(await service.post('/v1/generate', { html: PLAIN }));
  await until(async () => (await service.post('/v1/generate', { html: PLAIN })).status === 200);
});

onLinux('a document with scripts whose page was stopped is a 503, and a retry is printed', async () => {
  const others = await pages();
  await using receiver = new Receiver();
  await using service = await TestService.start({
    env: { RENDER_TIMEOUT_MS: String(TIMEOUT_MS), EGRESS_ALLOW: receiver.host },
  });
  const request = {
    html: `<p>active</p><script>navigator.sendBeacon('${receiver.url('/started')}')</script>`,
    options: { waitFor: { delayMs: 3_000 } },
  };
  const refused = service.post('/v1/generate', request);
  await until(() => receiver.received.length > 0);
  await stopPages(others);
  expectStarved(await refused);
  await until(async () => (await service.post('/v1/generate', request)).status === 200);
});

onLinux('a batch item whose page was stopped is made by another attempt, which counts', async () => {
  await using service = await startWithStoppedPage();
  const accepted = await submit(service, [{ html: PLAIN }]);
  expect(await completed(service, accepted)).toMatchObject({ completed: 1, failed: 0 });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^platen_job_runs_total\{job="batch\.item",outcome="failed"\} [1-9]/m);
});

/** Documents that never finish and use little processor time. */
const waiting = {
  'a timer that never ends': {
    html: '<p>x</p><script>(function again() { setTimeout(again, 50) })()</script>',
    options: { waitFor: { selector: '#never' } },
  },
  'a promise that never resolves': {
    html: '<p>x</p><script>document.title = "x"</script>',
    options: { waitFor: { expression: 'new Promise(() => {})' } },
  },
};

test.each(Object.entries(waiting))('a document that waits is at fault: %s', async (_name, request) => {
  await using service = await TestService.start({ env: { RENDER_TIMEOUT_MS: '1500' } });
  // On a busy machine the page may get too little processor time.
  const { status, body } = await untilResponse(
    () => service.post('/v1/generate', request),
    (answer) => answer.status === 400,
  );
  expect([status, body.error.details[0].code]).toEqual([400, 'RENDER_TIMEOUT']);
  expect(body.error.details[0].path).toStartWith('options.waitFor.');
});
