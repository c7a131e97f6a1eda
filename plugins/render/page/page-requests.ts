import type { MayRequest, PageHeader } from './page-options.ts';
import type { Site } from './site.ts';
import type { PageSession } from '../browser/page-session.ts';

interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Readonly<Record<string, string>> };
  resourceType: string;
}

interface RequestRules {
  site: Site | undefined;
  headers: readonly PageHeader[];
  mayRequest: MayRequest | undefined;
}

/**
 * Answers the requests of a page for the files of its document, and adds headers to the others, until the
 * session ends.
 */
export async function interceptRequests(session: PageSession, rules: RequestRules): Promise<void> {
  const { site, headers, mayRequest } = rules;
  const run = (requestId: string, work: Promise<void>): void =>
    void work
      // A request that the browser refuses to send would stay pending.
      .catch(() => session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }))
      .catch(() => {
        // The page may be closed, or the request canceled.
      });
  // One after another: a script may request a large file many times at once, and each answer takes memory.
  let answered: Promise<unknown> = Promise.resolve();
  const answerInTurn = (paused: PausedRequest, owner: Site): Promise<void> => {
    const answering = answered.then(() => answer(session, paused, owner));
    answered = answering.catch(() => undefined);
    return answering;
  };
  session.on('Fetch.requestPaused', (paused) => {
    const owner = site?.has(paused.request.url) ? site : undefined;
    run(paused.requestId, owner ? answerInTurn(paused, owner) : forward(session, paused, rules));
  });
  const urlPattern = site && headers.length === 0 && !mayRequest ? `${site.origin}/*` : '*';
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] });
}

async function answer(
  session: PageSession,
  { requestId, request }: Omit<PausedRequest, 'resourceType'>,
  site: Site,
): Promise<void> {
  const file = site.read(request.url);
  if (!file) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return;
  }
  const { bytes, mediaType = 'application/octet-stream' } = file;
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: [{ name: 'Content-Type', value: mediaType }],
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  });
}

async function forward(
  session: PageSession,
  { requestId, request, resourceType }: PausedRequest,
  { headers, mayRequest }: RequestRules,
): Promise<void> {
  if (mayRequest && !(await isAllowed(mayRequest, { url: request.url, type: resourceType }))) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' });
    return;
  }
  const applying = await Promise.all(headers.map(async ({ appliesTo }) => appliesTo?.(request.url) ?? true));
  const added = headers.filter((_, index) => applying[index]);
  if (added.length === 0) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  const kept = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()));
  await session.send('Fetch.continueRequest', {
    requestId,
    headers: [
      ...kept.map(([name, value]) => ({ name, value })),
      ...added.map(({ name, value }) => ({ name, value })),
    ],
  });
}

/** A rule that fails allows nothing. */
async function isAllowed(mayRequest: MayRequest, request: Parameters<MayRequest>[0]): Promise<boolean> {
  try {
    return await mayRequest(request);
  } catch {
    return false;
  }
}
