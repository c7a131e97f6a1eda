import { describe, expect, test } from 'bun:test';
import { startAssetSite } from '../../support/sites/asset-site.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

// Every kind of asset with every kind of failure, over http and https. The thorough suite runs the whole
// matrix.

const site = await startAssetSite();
const service = sharedService({ env: site.env });
const withShortDeadline = serviceOnDemand({ env: { ...site.env, RENDER_TIMEOUT_MS: '8000' } });

/** Creates the HTML of each kind of asset for its URL. The assets that block the parser are last. */
const ASSETS: Record<string, (url: string) => string> = {
  fetch: (url) => `<script>fetch('${url}').catch(() => {})</script>`,
  xhr: (url) =>
    `<script>{ const request = new XMLHttpRequest(); request.open('GET', '${url}'); request.send() }</script>`,
  font: (url) =>
    `<style>@font-face { font-family: F; src: url(${url}) }</style><p style="font-family: F">text</p>`,
  background: (url) => `<p style="background: url(${url})">text</p>`,
  svg: (url) => `<svg><image href="${url}" width="10" height="10"/></svg>`,
  poster: (url) => `<video poster="${url}"></video>`,
  img: (url) => `<img src="${url}">`,
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  script: (url) => `<script src="${url}"></script>`,
  stylesheet: (url) => `<link rel="stylesheet" href="${url}">`,
};

interface Cause {
  status: number | null;
  mime_type: string | null;
  outcome: string;
  reason: string | null;
}

/** A condition under which assets fail. */
interface Condition {
  name: string;
  url: (asset: string) => string;
  /** The URL in the receipt, after redirects. */
  listedUrl?: (asset: string) => string;
  cause: (asset: string) => Cause;
  /** The assets that fail under the condition; all when absent. */
  assets?: readonly string[];
  /** Left out of the short matrix. */
  fullOnly?: boolean;
}

const NO_CORS =
  'the response has no Access-Control-Allow-Origin header, which fonts and data from another origin need';
const NEEDS_CORS = new Set(['fetch', 'xhr', 'font']);

const REDIRECT = { status: 302, mime_type: 'text/html' };

/** Returns the cause of an asset that failed without a response from its server. */
const unanswered = (reason: string, outcome = 'failed') => ({
  status: null,
  mime_type: null,
  outcome,
  reason,
});

/**
 * Returns the cause of an asset that got a response of status 200 or 302: it fails if the asset needs CORS,
 * and otherwise is loaded or has the given cause.
 */
const answered =
  (head: { status: number; mime_type: string | null }, cause?: Partial<Cause>) => (asset: string) =>
    NEEDS_CORS.has(asset)
      ? { ...head, outcome: 'failed', reason: NO_CORS }
      : { ...head, outcome: 'loaded', reason: null, ...cause };

function errorConditions(origin: string, scheme: string): Condition[] {
  const types = { html: 'text/html', json: 'application/json', empty: null, untyped: null };
  const kept = new Set([
    'http 404-html',
    'http 403-untyped',
    'http 500-empty',
    'https 404-html',
    'https 500-json',
  ]);
  return [403, 404, 500].flatMap((status) =>
    Object.entries(types).map(([content, type]) => {
      const name = `${scheme} ${status}-${content}`;
      const reason = `the server responded with ${status}${type ? ` (${type})` : ''}`;
      return {
        name,
        url: (asset: string) => `${origin}/${status}-${content}/${asset}`,
        cause: () => ({ status, mime_type: type, outcome: 'failed', reason }),
        fullOnly: !kept.has(name),
      };
    }),
  );
}

function wrongType(asset: string): Cause {
  const head = { status: 200, mime_type: 'text/html' };
  const nouns: Record<string, string> = { script: 'a script', stylesheet: 'a style sheet' };
  const reason = `the response is text/html, not ${nouns[asset] ?? 'an image'}`;
  return answered(head, asset === 'iframe' ? {} : { outcome: 'broken', reason })(asset);
}

function siteConditions(origin: string, scheme: string): Condition[] {
  const loop = unanswered('the server redirected more than 20 times');
  const gone = {
    status: 404,
    mime_type: 'text/html',
    outcome: 'failed',
    reason: 'the server responded with 404 (text/html)',
  };
  const url = (condition: string) => (asset: string) => `${origin}/${condition}/${asset}`;
  const fullOnly = scheme === 'https';
  return [
    ...errorConditions(origin, scheme),
    { name: `${scheme} HTML in place of the asset`, url: url('200-html'), cause: wrongType },
    {
      name: `${scheme} redirect loop`,
      url: url('loop'),
      cause: (asset) => (NEEDS_CORS.has(asset) ? answered(REDIRECT)(asset) : loop),
      fullOnly,
    },
    {
      name: `${scheme} redirect to a missing file`,
      url: url('moved-404-html'),
      listedUrl: (asset) => url(NEEDS_CORS.has(asset) ? 'moved-404-html' : '404-html')(asset),
      cause: (asset) => (NEEDS_CORS.has(asset) ? answered(REDIRECT)(asset) : gone),
      fullOnly,
    },
    {
      name: `${scheme} response that is only for its own site`,
      url: url('private'),
      cause: (asset) => ({
        status: 200,
        mime_type: 'text/html',
        outcome: 'failed',
        reason:
          asset === 'iframe'
            ? 'the server does not allow other sites to show the page in a frame'
            : 'the Cross-Origin-Resource-Policy header of the response does not allow it',
      }),
      assets: ['img', 'iframe', 'script', 'stylesheet'],
      fullOnly,
    },
    {
      name: `${scheme} connection closed within the body`,
      url: url('cut'),
      cause: () => ({
        status: 200,
        mime_type: 'image/png',
        outcome: 'failed',
        reason: 'the connection was closed before the response was complete',
      }),
      assets: ['img', 'background', 'svg', 'poster'],
      fullOnly,
    },
    {
      name: `${scheme} private address`,
      url: (asset) => `${scheme}://10.0.0.1/${asset}`,
      cause: () => unanswered('the address is not public', 'refused'),
    },
    {
      name: `${scheme} unknown host`,
      url: (asset) => `${scheme}://nowhere.invalid/${asset}`,
      cause: () => unanswered('the host has no address'),
    },
    {
      name: `${scheme} refused connection`,
      url: (asset) => `${scheme}://${site.unreachable}/${asset}`,
      cause: () => unanswered('the host does not accept connections'),
    },
  ];
}

const allConditions: Condition[] = [
  ...siteConditions(site.http, 'http'),
  ...siteConditions(site.https, 'https'),
  {
    name: 'https certificate that is not trusted',
    url: (asset) => `${site.untrusted}/200-html/${asset}`,
    cause: () => unanswered("the server's certificate is not from a trusted authority"),
  },
];
const conditions = allConditions.filter(({ fullOnly }) => isThorough || !fullOnly);

async function receiptOf(html: string) {
  const { body } = await service().post('/v1/generate', { html });
  const id = body.id ?? (await service().get('/v1/generations?limit=1')).body.data[0].id;
  return (await service().get(`/v1/generations/${id}?receipt=true`)).body.receipt;
}

const documentWith = (assets: readonly string[], url: Condition['url']) =>
  `<!doctype html><body>${assets.map((asset) => ASSETS[asset]?.(url(asset))).join('\n')}`;

interface ListedResource extends Cause {
  url: string;
}

/**
 * Returns the causes in a receipt by URL. Failures come first, so they precede the redirects of the same URL.
 */
function causesIn(entries: ListedResource[], urls: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    urls.map((url) => {
      const { status, mime_type, outcome, reason } = entries.find((entry) => entry.url === url) ?? {};
      return [url, { status, mime_type, outcome, reason }];
    }),
  );
}

describe('the receipt states the status, media type and reason of every asset', () => {
  test.each(isThorough ? conditions : conditions.filter((_, index) => index % 3 === 0))(
    '$name',
    async ({ url, listedUrl = url, cause, assets = Object.keys(ASSETS) }) => {
      const { resources } = await receiptOf(documentWith(assets, url));
      const expected = Object.fromEntries(assets.map((asset) => [listedUrl(asset), cause(asset)]));
      expect(causesIn(resources.entries, assets.map(listedUrl))).toEqual(expected);
    },
  );

  test.if(isThorough)('a server that never responds, or never ends its response', async () => {
    const url = (asset: string) => `${site.http}/${asset === 'svg' ? 'stalled' : 'silent'}/${asset}`;
    // Each of the last two assets delays the others, so it gets its own document.
    const groups = [Object.keys(ASSETS).slice(0, -2), ['script'], ['stylesheet']];
    const own = await withShortDeadline();
    const answers = await Promise.all(
      groups.map((assets) => own.post('/v1/generate', { html: documentWith(assets, url) })),
    );
    expect(answers.map(({ body }) => body.error.details[0])).toEqual(
      groups.map(() =>
        expect.objectContaining({
          code: 'RENDER_TIMEOUT',
          message: expect.stringContaining('still pending'),
        }),
      ),
    );
    const { data } = (await own.get(`/v1/generations?limit=${groups.length}`)).body;
    const receipts = await Promise.all(
      data.map(({ id }: { id: string }) => own.get(`/v1/generations/${id}?receipt=true`)),
    );
    const entries = receipts.flatMap(({ body }) => body.receipt.resources.entries);
    const cause = unanswered('the server has not responded', 'pending');
    const stalled = { ...cause, status: 200, reason: 'the response is not complete' };
    const assets = groups.flat();
    expect(causesIn(entries, assets.map(url))).toEqual(
      Object.fromEntries(assets.map((asset) => [url(asset), asset === 'svg' ? stalled : cause])),
    );
  });

  const special: [string, string, Cause][] = [
    [
      'a server that claims to be the egress guard',
      `<img src="${site.https}/forged/a">`,
      { status: 404, mime_type: null, outcome: 'failed', reason: 'the server responded with 404' },
    ],
    [
      'a very long media type, which is truncated',
      `<img src="${site.http}/long/a">`,
      {
        status: 404,
        mime_type: `text/${'x'.repeat(95)}`,
        outcome: 'failed',
        reason: `the server responded with 404 (text/${'x'.repeat(95)})`,
      },
    ],
    [
      'a response whose head is too long to be read',
      `<img src="${site.http}/huge/a">`,
      unanswered('the response is not an image', 'broken'),
    ],
    [
      'a Content-Security-Policy of the document',
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'"><img src="${site.http}/200-html/a">`,
      unanswered('the Content-Security-Policy of the document does not allow it'),
    ],
    [
      'a port that browsers do not allow',
      '<img src="http://127.0.0.1:1/a">',
      unanswered('browsers do not allow this port'),
    ],
    ['an unknown scheme', '<img src="unknown:a">', unanswered('the URL is neither http nor https')],
  ];
  test.each(casesOfSuite(special, 6))('%s', async (_, html, cause) => {
    const { entries } = (await receiptOf(html)).resources;
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject(cause);
  });

  test('an invalid image after a redirect is listed once', async () => {
    const { resources } = await receiptOf(`<img src="${site.http}/moved-200-json/logo">`);
    const listed = resources.entries.map(({ url, status, outcome, reason }: ListedResource) => [
      url.replace(site.http, ''),
      status,
      outcome,
      reason,
    ]);
    expect(listed).toEqual([
      ['/200-json/logo', 200, 'broken', 'the response is application/json, not an image'],
      ['/moved-200-json/logo', 302, 'loaded', null],
    ]);
  });

  test.if(isThorough)('a request that needs a CORS preflight request', async () => {
    const fetchOf = (path: string) =>
      `<script>fetch('${site.https}${path}', { headers: { 'x-own': '1' } }).catch(() => {})</script>`;
    const { resources } = await receiptOf(`${fetchOf('/404-html/a')}${fetchOf('/200-json/b')}<p>text`);
    const causes = resources.entries.map(({ url, type, ...cause }: Record<string, string>) => [
      `${type} ${url?.replace(site.https, '')}`,
      cause['status'],
      cause['reason'],
    ]);
    const noHeader = 'the response to the CORS preflight request has no Access-Control-Allow-Origin header';
    expect(causes.toSorted()).toEqual([
      ['Fetch /200-json/b', null, noHeader],
      ['Fetch /404-html/a', null, noHeader],
      ['Other /200-json/b', 200, null],
      ['Other /404-html/a', 404, 'the server responded with 404 (text/html)'],
    ]);
  });
});

describe('options.strict fails with the same reason', () => {
  const chosenConditions = isThorough ? conditions : conditions.filter((_, index) => index % 4 === 0);
  const cells = chosenConditions.flatMap(({ assets = Object.keys(ASSETS), ...condition }, index) => {
    const chosen = isThorough ? assets : assets.slice(index % assets.length, (index % assets.length) + 1);
    return chosen.map((asset) => ({ ...condition, name: `${condition.name}: ${asset}`, asset }));
  });

  test.each(cells)('$name', async ({ asset, url, listedUrl = url, cause }) => {
    const { outcome, reason } = cause(asset);
    const html = documentWith([asset], url);
    const { body } = await service().post('/v1/generate', { html, options: { strict: true } });
    const { status, error } = body;
    const [detail] = error?.details ?? [];
    expect({ status, code: detail?.code, message: detail?.message }).toEqual(
      outcome === 'loaded'
        ? { status: 'completed', code: undefined, message: undefined }
        : { status: undefined, code: 'ASSET_FAILED', message: `${listedUrl(asset)}: ${reason}` },
    );
  });
});
