import { PAGE_GUARD } from './page-guard.ts';
import type { PageSession } from './page-session.ts';

/**
 * Runs at the start of every document and frame of an active page. Scripts of "print view" pages call
 * `close`, which would close the page, and `print`, which has no effect. A window would keep its name from
 * one document to the next, and a service worker would remain after its document.
 */
export const ACTIVE_PAGE_SCRIPT = `${PAGE_GUARD} window.close = window.print = () => {}; window.name = '';
  if (globalThis.ServiceWorkerContainer)
    ServiceWorkerContainer.prototype.register = async () => { console.warn('service workers are blocked'); };`;

/** Closes the dialogs of a page's scripts, which wait for an answer. A page may always be left. */
export function closeDialogs(session: PageSession): void {
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    // The page may be closed.
    session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => {});
  });
}
