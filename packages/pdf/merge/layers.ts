import { type Dict, joinLayerProperties } from '../objects/index.ts';
import type { Member } from './member.ts';

/** Joins optional content: all groups, each as visible by default as in its document (ISO 32000-1 8.11.4). */
export function joinLayers(members: readonly Member[], catalog: Dict): void {
  const all = members.flatMap(({ document }) => document.catalog.dict('OCProperties') ?? []);
  const joined = joinLayerProperties(all, () => true);
  if (joined) catalog.set('OCProperties', joined);
}
