import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
const guards = new Set<() => boolean>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** The state of an entry of the browser's history: its position among the entries of the studio. */
interface Entry {
  position: number;
}

/** The position of the entry that is shown. */
let position = (history.state as Entry | null)?.position ?? 0;
history.replaceState({ position }, '');
/** True while the browser returns to the entry that a guard keeps. */
let isReturning = false;

function mayLeave(): boolean {
  return [...guards].every((guard) => guard());
}

// The back and forward buttons change the URL before the event, so a refusal goes back to where the view still is.
window.addEventListener('popstate', (event) => {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const reached = (event.state as Entry | null)?.position ?? 0;
  if (reached !== position && !mayLeave()) {
    isReturning = true;
    history.go(position - reached);
    return;
  }
  position = reached;
  announce();
});

/** Replaces the URL of the view that is shown, which stays as it is. */
export function replaceUrl(url: string): void {
  history.replaceState({ position }, '', url);
}

/** Goes to a view, unless a guard objects. */
export function navigate(url: string, { replace = false } = {}): void {
  if (url !== location.pathname + location.search) {
    if (!mayLeave()) return;
    if (replace) replaceUrl(url);
    else {
      position += 1;
      history.pushState({ position }, '', url);
      window.scrollTo(0, 0);
    }
  }
  announce();
}

/** Asks a function before the view changes, and the browser before the page is left. The function tells whether to go on. */
export function useLeaveGuard(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return;
    const guard = () => confirm('Leave without saving? Your changes to this template will be lost.');
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    guards.add(guard);
    window.addEventListener('beforeunload', unload);
    return () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', unload);
    };
  }, [hasChanges]);
}

/** Returns the current URL and follows it. */
export function useLocation(): URL {
  const [url, setUrl] = useState(() => new URL(location.href));
  useEffect(() => {
    const listener = () => setUrl(new URL(location.href));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return url;
}

/** Sets a query parameter of the current view; an empty value removes it. */
export function setQuery(name: string, value: string): void {
  const url = new URL(location.href);
  if (value === '') url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  replaceUrl(url.pathname + url.search);
  announce();
}

/** Follows links within the studio without loading the page again. */
export function interceptLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname !== '/' && !/^\/studio(?:\/(?!api\/|assets\/)|$)/.test(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
