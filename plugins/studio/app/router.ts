import { useEffect, useRef, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
/** Asks the person whether to leave, and calls the function if so. */
type Guard = (proceed: () => void) => void;
const guards = new Set<Guard>();

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

/** Tells whether the view may be left at once. Otherwise its guard asks, and `proceed` leaves it later. */
function mayLeave(proceed: () => void): boolean {
  const [guard] = guards;
  guard?.(proceed);
  return guard === undefined;
}

// The back and forward buttons change the URL before the event, so a refusal goes back to where the view still is.
window.addEventListener('popstate', (event) => {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const reached = (event.state as Entry | null)?.position ?? 0;
  const steps = reached - position;
  if (steps !== 0 && !mayLeave(() => history.go(steps))) {
    isReturning = true;
    history.go(-steps);
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
    if (!mayLeave(() => navigate(url, { replace }))) return;
    if (replace) replaceUrl(url);
    else {
      position += 1;
      history.pushState({ position }, '', url);
      window.scrollTo(0, 0);
    }
  }
  announce();
}

/** An attempt to leave a view with changes. */
export interface Leaving {
  leave: () => void;
  stay: () => void;
}

/**
 * Keeps the view while it has changes. Returns an attempt to leave it, for a dialog. The browser itself asks before the page is closed or
 * loaded again.
 */
export function useLeaveGuard(hasChanges: boolean): Leaving | undefined {
  const [proceed, setProceed] = useState<() => void>();
  const release = useRef<() => void>(undefined);
  useEffect(() => {
    if (!hasChanges) return;
    const guard: Guard = (next) => setProceed(() => next);
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    guards.add(guard);
    window.addEventListener('beforeunload', unload);
    const remove = () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', unload);
    };
    release.current = remove;
    return remove;
  }, [hasChanges]);
  const stay = () => setProceed(undefined);
  return (
    proceed && {
      stay,
      leave: () => {
        release.current?.();
        stay();
        proceed();
      },
    }
  );
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
