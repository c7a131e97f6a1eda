import type { CDPSession } from 'playwright-core';
import type { DecisionOf } from './receipt/resource-log.ts';
import { redactUrl } from './redact-url.ts';
import { RenderError } from './render-error.ts';

/** Schemes of addresses to which a document may go by itself. */
const PAGES = /^(?:https?|about|blob|data):/i;

/**
 * Watches whether a document leaves for another address, by a script, a form or a `<meta http-equiv=refresh>`. An address that cannot
 * be reached ends the document with an error that names it: what Chromium shows instead, or nothing, is not to be printed.
 */
export function watchNavigation(
  session: CDPSession,
  {
    frameId,
    decisionOf,
    onFault,
  }: { frameId: string; decisionOf: DecisionOf; onFault: (error: Error) => void },
): void {
  const fail = (url: string, reason: string): void =>
    onFault(new RenderError('RENDER_FAILED', `the document navigates to ${redactUrl(url)}, ${reason}`));
  session.on('Page.frameRequestedNavigation', ({ frameId: requested, url }) => {
    if (requested === frameId && !PAGES.test(url)) fail(url, 'which is not the address of a page');
  });
  session.on('Page.frameNavigated', ({ frame: { id, url, unreachableUrl } }) => {
    if (id !== frameId) return;
    const decision = decisionOf(unreachableUrl ?? url);
    if (decision?.outcome === 'refused') fail(unreachableUrl ?? url, `which is refused: ${decision.reason}`);
    else if (unreachableUrl !== undefined) fail(unreachableUrl, 'which cannot be reached');
  });
}
