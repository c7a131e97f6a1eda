import type { Dict } from '../objects/index.ts';

const MAX_ROLES = 32;

/**
 * Returns the standard structure type of an element (ISO 32000-1 14.8.4), or the last known type in the role
 * map.
 */
export function roleOf(element: Dict, root: Dict): string | undefined {
  let role = element.name('S');
  for (let hops = 0; hops < MAX_ROLES && role !== undefined; hops++) {
    const next = root.dict('RoleMap')?.name(role);
    if (next === undefined) break;
    role = next;
  }
  return role;
}
