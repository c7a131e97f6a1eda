import { useEffect, useRef } from 'preact/hooks';
import type { IconName } from './icon.tsx';

/** An entry of the palette. */
export interface Command {
  id: string;
  label: string;
  group: string;
  icon: IconName;
  run: () => void;
}

/** The functions that return the commands of the open views. */
const viewCommands = new Set<() => Command[]>();

/**
 * Offers the commands of a view in the palette while the view is open. `list` is called when the palette
 * opens.
 */
export function usePaletteCommands(list: () => { label: string; icon: IconName; run: () => void }[]): void {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    const commands = () =>
      latest.current().map((command) => ({ ...command, id: command.label, group: 'This view' }));
    viewCommands.add(commands);
    return () => {
      viewCommands.delete(commands);
    };
  }, []);
}

/** Returns the commands of the open views. */
export function commandsOfView(): Command[] {
  return [...viewCommands].flatMap((commandsOf) => commandsOf());
}
