import { useState } from 'preact/hooks';

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const isReload = navigation?.type === 'reload';

/** Returns state that remains when the browser loads the page again. A page that is opened begins with `initial`. */
export function useKept<T extends string>(
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
