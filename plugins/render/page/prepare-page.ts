import { RenderError } from '../render-error.ts';
import { interceptRequests } from './page-requests.ts';
import type { PageCookie, PageOptions } from './page-options.ts';
import type { Site } from './site.ts';
import type { PageSession } from '../browser/page-session.ts';

/**
 * Prepares a browser page for a document. The page must not be used for another one afterwards, unless the
 * document only has files.
 */
export async function preparePage(
  session: PageSession,
  { cookies = [], headers = [], userAgent, scripts = true, mayRequest }: PageOptions,
  site: Site | undefined,
): Promise<void> {
  await Promise.all([
    userAgent === undefined || session.send('Emulation.setUserAgentOverride', { userAgent }),
    scripts || session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    (!site && headers.length === 0 && !mayRequest) ||
      interceptRequests(session, { site, headers, mayRequest }),
    ...cookies.map((cookie) => setCookie(session, cookie)),
  ]);
}

async function setCookie(session: PageSession, { name, value, domain, ...rest }: PageCookie): Promise<void> {
  const { path = '/', secure = false, httpOnly = false, sameSite } = rest;
  const { success } = await session
    .send('Network.setCookie', {
      name,
      value,
      domain,
      path,
      secure,
      httpOnly,
      ...(sameSite && { sameSite }),
      // Chromium binds a cookie to a scheme and a port only when they are known.
      sourceScheme: 'Unset',
      sourcePort: -1,
    })
    .catch(() => ({ success: false }));
  if (!success)
    throw new RenderError('RENDER_FAILED', `the browser does not accept the cookie "${name}"`, {
      path: 'page.cookies',
    });
}
