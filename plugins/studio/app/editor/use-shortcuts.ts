import { useEffect, useRef } from 'preact/hooks';

/** Runs commands at Ctrl or Cmd with a key, whose names are in lower case. */
export function useShortcuts(commands: Record<string, () => Promise<void> | void>): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.metaKey && !event.ctrlKey) return;
      const command = latest.current[event.key.toLowerCase()];
      if (!command) return;
      event.preventDefault();
      void command();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
