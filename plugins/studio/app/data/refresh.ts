import { useEffect } from 'preact/hooks';
import type { Resource } from './resource.ts';

/** The time between two requests. */
const REFRESH_MS = 2000;

/** Reloads data while the page is visible, until nothing in the data is unfinished. */
export function useRefresh<T>(resource: Resource<T>, isUnfinished: (data: T) => boolean): void {
  const { data, error, reload } = resource;
  const isWaiting = data !== undefined && isUnfinished(data);
  // The next wait starts after the response, which replaces the data or the error, so requests do not
  // overlap.
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

/** Tells whether a generation or batch is queued or being processed. */
export function isInProgress({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'processing';
}
