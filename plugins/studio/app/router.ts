import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
/** Asks the person whether to leave the view, and calls `proceed` if they agree. */
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
/** Whether the browser is going back to the entry of the view that a guard keeps. */
let isReturning = false;

/**
 * Tells whether the view may be left at once. Otherwise its guard asks the person, and may call `proceed`
 * later.
 */
function mayLeave(proceed: () => void): boolean {
  const [guard] = guards;
  guard?.(proceed);
  return guard === undefined;
}

// The back and forward buttons change the URL before this event. If a guard objects, the history returns to
// the entry of the current view.
window.addEventListener('popstate', (event) => {
  const reached = (event.state as Entry | null)?.position ?? 0;
  const steps = reached - position;
  const hasReturned = isReturning && steps === 0;
  isReturning = false;
  if (hasReturned) return;
  if (steps !== 0 && !mayLeave(() => history.go(steps))) {
    isReturning = true;
    history.go(-steps);
    return;
  }
  position = reached;
  announce();
});

/** Replaces the URL without changing the view. */
export function replaceUrl(url: string): void {
  history.replaceState({ position }, '', url);
}

/** Goes to the view of a URL, unless a guard objects. */
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

/** Calls `proceed` at once, or when the person agrees to leave a view with changes. */
export function whenLeft(proceed: () => void): void {
  if (mayLeave(proceed)) proceed();
}

/** An attempt to leave a view with changes. */
export interface Leaving {
  leave: () => void;
  stay: () => void;
}

/**
 * Keeps the view open while it has unsaved changes. Returns the attempt to leave it, if there is one, which a
 * dialog must answer. The browser itself asks before the page is closed or reloaded.
 */
export function useLeaveGuard(hasChanges: boolean): Leaving | undefined {
  const [proceed, setProceed] = useState<() => void>();
  const release = useRef<() => void>(undefined);
  // An ordinary effect runs after the change is shown, and the person may leave in between.
  useLayoutEffect(() => {
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

/** Returns the current URL. The component is rendered again when the URL changes. */
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

/** Opens links within the studio without reloading the page. */
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
