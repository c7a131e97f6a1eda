import type { DecisionOf } from '../receipt/resource-log.ts';
import { redactUrl } from './redact-url.ts';
import { RenderError } from '../render-error.ts';
import type { PageSession } from './page-session.ts';

/** The URL schemes to which a document may navigate. */
const ALLOWED_SCHEMES = /^(?:https?|about|blob|data):/i;

/**
 * Watches whether a document navigates to another URL, by a script, a form or `<meta http-equiv=refresh>`. A
 * URL that cannot be reached fails the document with an error that names the URL; otherwise Chromium's error
 * page, or a blank page, would be printed.
 */
export function watchNavigation(
  session: PageSession,
  {
    frameId,
    decisionOf,
    onFailure,
    isExpected,
  }: {
    frameId: string;
    decisionOf: DecisionOf;
    onFailure: (error: Error) => void;
    /** Tells whether a navigation is the service's own, whose failure is explained elsewhere. */
    isExpected: (loaderId: string) => boolean;
  },
): void {
  const fail = (url: string, reason: string): void =>
    onFailure(
      new RenderError('NAVIGATION_BLOCKED', `the document navigates to ${redactUrl(url)}, ${reason}`),
    );
  session.on('Page.frameRequestedNavigation', ({ frameId: requested, url }) => {
    if (requested === frameId && !ALLOWED_SCHEMES.test(url)) fail(url, 'which is not a web page');
  });
  session.on('Page.frameNavigated', ({ frame: { id, loaderId, url, unreachableUrl } }) => {
    if (id !== frameId || isExpected(loaderId)) return;
    const decision = decisionOf(unreachableUrl ?? url);
    if (decision?.outcome === 'refused') fail(unreachableUrl ?? url, `which is refused: ${decision.reason}`);
    else if (unreachableUrl !== undefined) fail(unreachableUrl, 'which cannot be reached');
  });
}
