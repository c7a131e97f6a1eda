import { get } from './api.ts';
import { useResource } from './resource.ts';
import type { List, StarterSummary } from './types.ts';

const images = JSON.parse(document.getElementById('starter-images')?.textContent ?? '{}') as Record<
  string,
  string
>;

/**
 * Returns the URL of the page image of a starter, or undefined for a starter that does not come with Platen.
 */
export function starterImage(slug: string): string | undefined {
  return images[slug];
}

export function useStarters() {
  return useResource('starters', (signal) => get<List<StarterSummary>>('/v1/starter-templates', signal));
}
