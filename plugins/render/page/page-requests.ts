import type { CDPSession } from 'playwright-core';
import type { PageHeader, PageOptions } from './page-options.ts';
import type { Site } from './site.ts';

interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Readonly<Record<string, string>> };
}

interface RequestRules {
  site: Site | undefined;
  headers: readonly PageHeader[];
  refuses: PageOptions['refuses'];
}

/**
 * Answers the requests of a page for the files of its document, and adds headers to the others, until the
 * session ends.
 */
export async function interceptRequests(
  session: CDPSession,
  { site, headers, refuses }: RequestRules,
): Promise<void> {
  const run = (work: Promise<void>): void =>
    void work.catch(() => {
      // The page may be closed, or the request canceled.
    });
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
    if (refuses?.({ url: request.url, type: resourceType })) run(refuse(session, requestId));
    else if (site?.has(request.url)) run(answer(session, { requestId, request }, site));
    else run(forward(session, { requestId, request }, headers));
  });
  const urlPattern = site && headers.length === 0 && !refuses ? `${site.origin}/*` : '*';
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] });
}

async function refuse(session: CDPSession, requestId: string): Promise<void> {
  await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
}

async function answer(session: CDPSession, { requestId, request }: PausedRequest, site: Site): Promise<void> {
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
  session: CDPSession,
  { requestId, request }: PausedRequest,
  headers: readonly PageHeader[],
): Promise<void> {
  const added = headers.filter(({ appliesTo }) => appliesTo?.(request.url) ?? true);
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
