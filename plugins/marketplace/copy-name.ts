import { MAX_NAME_CHARACTERS } from '../templates/exports.ts';

const MARKER = ' (Copy)';

/** Returns the name of a copy: the name with ` (Copy)` appended once, truncated if it would be too long. */
export function nameCopy(name: string): string {
  if (name.endsWith(MARKER)) return name;
  const room = MAX_NAME_CHARACTERS - MARKER.length;
  // Do not split a surrogate pair.
  const kept = name.length > room ? name.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') : name;
  return kept + MARKER;
}
