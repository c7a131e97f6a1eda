import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { inTime, untilResponse } from '../../support/service/in-time.ts';
import { readMetric } from '../../support/service/metrics.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { extendedService, sharedService } from '../../support/service/shared-service.ts';
import { allowedPort } from '../../support/sites/allowed-ports.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const site = Bun.serve({
  hostname: '127.0.0.1',
  port: allowedPort(),
  async fetch(request) {
    // Real time: the network is idle only after the responses.
    await Bun.sleep(200);
    return new Response(new URL(request.url).pathname, { headers: { 'access-control-allow-origin': '*' } });
  },
});
site.unref();
const origin = `http://127.0.0.1:${site.port}`;

const EGRESS_ALLOW = `127.0.0.1:${site.port}`;
const service = extendedService();
const TIMEOUT_MS = 4_000;
const withShortDeadline = sharedService({ env: { EGRESS_ALLOW, RENDER_TIMEOUT_MS: String(TIMEOUT_MS) } });

const print = async (html: string, waitFor: object) =>
  pdfText(await service().pdf({ html, options: { waitFor } }));

/** Returns the field and the message of a rejected request, and the id of its record if it has one. */
async function rejection(
  html: string,
  waitFor: object,
  on = service(),
): Promise<{ said: string; id: string | undefined }> {
  // On a busy machine the deadline may pass before the document waits.
  const { status, body } = await untilResponse(
    () => on.post('/v1/generate', { html, options: { waitFor } }),
    (answer) => answer.body.error?.details[0].path !== 'html',
  );
  expect(status).toBe(400);
  const [{ path, message }] = body.error.details;
  return { said: `${path}: ${message}`, id: /gen_\w+/.exec(body.error.message)?.[0] };
}

/** A document whose text "late" appears after 800 ms, in a new element. */
const late = `<p id=early>early</p><script>
  setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<p class=late>late</p>'); window.ready = true }, 800);
</script>`;

describeWithPdfTools('options.waitFor', () => {
  const conditions: [string, object][] = [
    ['selector', { selector: 'p.late' }],
    ['expression', { expression: 'window.ready' }],
    [
      'expression with a promise',
      { expression: 'new Promise((done) => setTimeout(() => done(true), 1000))' },
    ],
    [
      'expression that throws at first',
      { expression: 'document.querySelector(".late").textContent === "late"' },
    ],
    ['delayMs', { delayMs: 1_000 }],
    ['all conditions', { selector: '.late', expression: 'ready', networkIdle: true, delayMs: 10 }],
  ];
  test.each(casesOfSuite(conditions, 10))(
    '%s: prints text that a timer adds after 800 ms',
    async (_, waitFor) => {
      expect(await print(late, waitFor)).toMatch(/early\s+late/);
    },
  );

  test.if(isThorough)('without waitFor the text is missing', async () => {
    expect(await pdfText(await service().pdf({ html: late }))).not.toContain('late');
  });

  test.if(isThorough)(
    'delayMs: a timer of the same length that the document started earlier has run',
    async () => {
      const html = '<p id=p></p><script>setTimeout(() => { p.textContent = "done" }, 300)</script>';
      expect(await print(html, { delayMs: 300 })).toContain('done');
    },
  );

  test.if(isThorough)('networkIdle waits for requests that follow one another', async () => {
    const html = `<p id=p></p><script>
      const next = async () => {
        for (let n = 0; n < 3; n += 1) {
          p.append(await (await fetch('${origin}/part' + n)).text());
          await new Promise((done) => setTimeout(done, 100));
        }
      };
      next();
    </script>`;
    expect(await print(html, { networkIdle: true })).toContain('/part0/part1/part2');
  });

  test('a document without scripts can wait for an element that it contains', async () => {
    expect(await print('<p class=a>text', { selector: '.a', networkIdle: true })).toContain('text');
  });

  test.if(isThorough)('an image that appears with the selector is printed', async () => {
    const html = `<script>setTimeout(() => {
      const image = new Image();
      image.className = 'late';
      image.alt = 'MISSING';
      image.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text y="30">drawn</text></svg>';
      document.body.append(image);
    }, 200)</script>`;
    const text = await print(html, { selector: '.late' });
    expect(text).not.toContain('MISSING');
    expect(text).toContain('drawn');
  });

  test.if(isThorough)('a component and an item of a batch can wait too', async () => {
    const react = 'export default () => <p className="a">from a component</p>';
    const accepted = await submit(service(), [
      { react, options: { waitFor: { selector: 'p.a' } } },
      { html: late, options: { waitFor: { selector: '.late' } } },
    ]);
    const { generations } = await completed(service(), accepted);
    const texts = generations.map(async ({ id }: { id: string }) => {
      const { body } = await service().get(`/v1/generations/${id}`);
      return pdfText(await service().download(body.url));
    });
    expect(await Promise.all(texts)).toEqual([
      expect.stringContaining('from a component'),
      expect.stringContaining('late'),
    ]);
  });
});

describe('a condition that is not met', () => {
  test('fails the generation with an error that names it', async () => {
    const { said, id } = await rejection('<p>x', { selector: '#never' }, withShortDeadline());
    expect(said).toBe(
      `options.waitFor.selector: no element matched the selector "#never": not finished after ${TIMEOUT_MS} ms, in phase wait`,
    );
    const { body } = await withShortDeadline().get(`/v1/generations/${id}`);
    expect([body.status, body.error]).toEqual(['failed', `RENDER_TIMEOUT: ${said}`]);
  });

  test.if(isThorough)('is named, whatever it is', async () => {
    const fetches = `<script>setInterval(() => fetch('${origin}/again'), 50)</script>`;
    const cases: [html: string, object, RegExp][] = [
      [
        'x',
        { expression: 'false' },
        /^options\.waitFor\.expression: the expression "false" did not become true: not/,
      ],
      [
        'x',
        { expression: 'nothing.ready' },
        /did not become true \(ReferenceError: nothing is not defined\)/,
      ],
      ['x', { expression: 'new Promise(() => {})' }, /^options\.waitFor\.expression: .* did not become true/],
      ['x', { selector: 'body', expression: '0' }, /^options\.waitFor\.expression: /],
      [fetches, { networkIdle: true }, /^options\.waitFor\.networkIdle: the network was not idle for 500 ms/],
    ];
    const said = await Promise.all(
      cases.map(([html, waitFor]) => rejection(html, waitFor, withShortDeadline())),
    );
    for (const [index, [, , says]] of cases.entries()) expect(said[index]?.said).toMatch(says);
  });

  test.if(isThorough)('because it is an endless script does not affect the next document', async () => {
    const { said } = await rejection('<p>x', { expression: '(() => { for (;;); })()' }, withShortDeadline());
    expect(said).toStartWith('options.waitFor.expression: ');
    // Another account, because the first account now waits for the second browser.
    const key = await withShortDeadline().newKey();
    const body = { html: '<p>next', options: { waitFor: { selector: 'p' } } };
    expect((await inTime(() => withShortDeadline().post('/v1/generate', body, key))).status).toBe(200);
  });
});

describe('a condition is rejected', () => {
  test.each([
    [{}, 'options.waitFor: must have at least one of selector, expression, networkIdle and delayMs'],
    [
      { delayMs: TIMEOUT_MS },
      `options.waitFor.delayMs: must be less than ${TIMEOUT_MS}, the time limit of a document in milliseconds`,
    ],
  ])('%p, before anything is recorded', async (waitFor, message) => {
    const { said, id } = await rejection('x', waitFor, withShortDeadline());
    expect([said, id]).toEqual([message, undefined]);
    const preview = await withShortDeadline().post('/v1/templates/preview', {
      html_content: 'x',
      options: { waitFor },
    });
    expect([preview.status, preview.body.error.details[0].path]).toEqual([400, message.split(':')[0]]);
    const batch = await withShortDeadline().post('/v1/generate/batch', {
      items: [{ html: 'x', options: { waitFor } }],
    });
    expect([batch.status, batch.body.error.details[0].path]).toEqual([
      400,
      `items[0].${message.split(':')[0]}`,
    ]);
  });

  test.each([
    [{ selector: 'p[' }, 'options.waitFor.selector: "p[" is not a valid CSS selector'],
    [
      { expression: 'a b' },
      "options.waitFor.expression: is not a valid expression: SyntaxError: Unexpected identifier 'b'",
    ],
    [{ delayMs: -1 }, /^options\.waitFor\.delayMs: /],
    [{ delayMs: 1.5 }, /^options\.waitFor\.delayMs: /],
    [{ selector: '' }, /^options\.waitFor\.selector: /],
    [{ until: 'load' }, /^options\.waitFor\.until: /],
  ])('%p', async (waitFor, says) => {
    expect((await rejection('<p>x', waitFor)).said).toMatch(says);
  });
});

describe.if(isThorough)('a document that waits', () => {
  const isolatedAccounts = () => readMetric(service(), 'isolated_accounts');

  /** Tells whether a document that takes two seconds isolates its account. */
  const isolates = async (html: string) => {
    const before = await isolatedAccounts();
    const body = { html, options: { waitFor: { delayMs: 2_000 } } };
    expect((await service().post('/v1/generate', body, await service().newKey())).status).toBe(200);
    return (await isolatedAccounts()) > before;
  };

  test('does not count as slow', async () => {
    // A busy machine may delay the responses of the page.
    let isIsolated = true;
    for (let attempt = 1; attempt <= 5 && isIsolated; attempt += 1) isIsolated = await isolates('<p>idle');
    expect(isIsolated).toBe(false);
  });

  test('counts as slow when it works meanwhile', async () => {
    const busy =
      '<script>setInterval(() => { const end = performance.now() + 80; while (performance.now() < end); }, 100)</script>';
    expect(await isolates(busy)).toBe(true);
  });
});
