import { useEffect, useRef } from 'preact/hooks';

const FIELDS = 'input, textarea, select, [contenteditable=true]';

/**
 * Runs commands at Ctrl or Cmd with a key, whose names are in lower case. The command `?` runs at that key
 * outside of fields.
 */
export function useShortcuts(commands: Record<string, () => Promise<void> | void>): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = event.metaKey || event.ctrlKey;
      const isField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
      const command = latest.current[event.key.toLowerCase()];
      if (!command || (event.key === '?' ? isField : !hasModifier)) return;
      // A dialog keeps the keys.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      void command();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
