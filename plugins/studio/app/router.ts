import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
const guards = new Set<() => boolean>();

function announce(): void {
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', announce);

/** Goes to a view, unless a guard objects. */
export function navigate(url: string, { replace = false } = {}): void {
  if (url !== location.pathname + location.search) {
    for (const guard of guards) if (!guard()) return;
    if (replace) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
    if (!replace) window.scrollTo(0, 0);
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
  history.replaceState(null, '', url.pathname + url.search);
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
