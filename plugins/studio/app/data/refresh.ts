import { useEffect } from 'preact/hooks';
import type { Resource } from './resource.ts';

/** How long the view waits between two requests. */
const REFRESH_MS = 2000;

/** Loads data again, while the page is visible, until nothing in it is unfinished. */
export function useRefresh<T>(resource: Resource<T>, isUnfinished: (data: T) => boolean): void {
  const { data, error, reload } = resource;
  const isWaiting = data !== undefined && isUnfinished(data);
  // The next wait begins after an answer, which replaces the data or the error. A slow request is not repeated.
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      clearInterval(timer);
      reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isWaiting, data, error, reload]);
}

/** Tells whether work on a generation or batch continues. */
export function isInProgress({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'processing';
}
