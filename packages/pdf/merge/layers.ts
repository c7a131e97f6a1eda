import { type Dict, joinLayerProperties } from '../objects/index.ts';
import type { MergeInput } from './merge-input.ts';

/** Joins all optional content groups, and keeps their default visibility (ISO 32000-1 8.11.4). */
export function joinLayers(inputs: readonly MergeInput[], catalog: Dict): void {
  const all = inputs.flatMap(({ document }) => document.catalog.dict('OCProperties') ?? []);
  const joined = joinLayerProperties(all, () => true);
  if (joined) catalog.set('OCProperties', joined);
}
