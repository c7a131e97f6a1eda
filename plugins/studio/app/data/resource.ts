import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAborted } from './api.ts';

/** Data from the service, and the state of loading it. Old data remains while it is reloaded. */
export interface Resource<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
  /** Replaces the data without a request. */
  set: (data: T) => void;
}

const cache = new Map<string, unknown>();
/** Counts how often all data was forgotten. A response to an earlier request is not kept. */
let epoch = 0;

/** Forgets all data, before another account signs in. */
export function forgetResources(): void {
  cache.clear();
  epoch += 1;
}

/** Forgets the data whose key begins with `prefix`, after a change. */
export function forget(prefix: string): void {
  for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key);
}

/** Keeps data that only this page has, until all data is forgotten. */
export function remember(key: string, data: unknown): void {
  cache.set(key, data);
}

/** Returns the data of a key; `undefined` for an unknown key. */
export function remembered<T>(key: string): T | undefined {
  return cache.get(key) as T | undefined;
}

/**
 * Loads data. Cached data with the same key is returned immediately and then reloaded. Without a key, nothing
 * is loaded.
 */
export function useResource<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [, update] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const state = useRef<{ key: string | undefined; error: unknown; isLoading: boolean }>({
    key: undefined,
    error: undefined,
    isLoading: true,
  });
  if (state.current.key !== key) state.current = { key, error: undefined, isLoading: key !== undefined };
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    const current = state.current;
    current.isLoading = true;
    const begun = epoch;
    latest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted || begun !== epoch) return;
        cache.set(key, data);
        current.error = undefined;
        current.isLoading = false;
        update((count) => count + 1);
      },
      (error: unknown) => {
        if (controller.signal.aborted || begun !== epoch || isAborted(error)) return;
        current.error = error;
        current.isLoading = false;
        update((count) => count + 1);
      },
    );
    return () => controller.abort();
  }, [key, attempt]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const set = useCallback(
    (data: T) => {
      if (key !== undefined) cache.set(key, data);
      update((count) => count + 1);
    },
    [key],
  );
  const data = key === undefined ? undefined : remembered<T>(key);
  return { data, error: state.current.error, isLoading: state.current.isLoading, reload, set };
}
