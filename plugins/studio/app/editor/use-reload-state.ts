import { useState } from 'preact/hooks';

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const isReload = navigation?.type === 'reload';

/**
 * Returns state that survives a reload of the page. Opening the page in any other way starts with `initial`.
 */
export function useReloadState<T extends string>(
  name: string,
  initial: T,
): readonly [value: T, set: (value: T) => void] {
  const key = `platen ${name}`;
  const [value, setValue] = useState(() => {
    const kept = isReload ? sessionStorage.getItem(key) : null;
    return (kept as T | null) ?? initial;
  });
  const set = (next: T) => {
    sessionStorage.setItem(key, next);
    setValue(next);
  };
  return [value, set];
}
