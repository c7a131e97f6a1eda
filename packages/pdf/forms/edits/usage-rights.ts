import type { Dict, PdfDocument } from '../../objects/index.ts';
import type { Edits } from './edits.ts';

/** Removes the usage rights of Adobe Reader, which apply to the original file. */
export function dropUsageRights({ catalog }: PdfDocument, edits: Edits): void {
  const kept = withoutUsageRights(catalog);
  if (kept) edits.touchCatalog().set('Perms', kept.map.size > 0 ? kept : undefined);
}

/** Returns the permissions dictionary without usage rights, or `undefined` if it has none. */
export function withoutUsageRights(catalog: Dict): Dict | undefined {
  const permissions = catalog.dict('Perms');
  if (!permissions?.map.has('UR') && !permissions?.map.has('UR3')) return undefined;
  return permissions.copy().delete('UR', 'UR3');
}
