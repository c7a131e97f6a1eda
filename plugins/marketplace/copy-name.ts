import { MAX_NAME_CHARACTERS } from '../templates/contract.ts';

const MARKER = ' (Copy)';

/** Names a copy: the name and ` (Copy)`, once; a name that leaves no room for it is cut. */
export function nameCopy(name: string): string {
  if (name.endsWith(MARKER)) return name;
  const room = MAX_NAME_CHARACTERS - MARKER.length;
  // Half of a surrogate pair is no character.
  const kept = name.length > room ? name.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') : name;
  return kept + MARKER;
}
