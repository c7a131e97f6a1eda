import type { StartersService } from './contract.ts';
import type { StarterFiles } from './read-starters.ts';

/** Makes the service of starters that were read. */
export function createStartersService(files: StarterFiles): StartersService {
  const starters = [...files.values()]
    .map(({ starter }) => starter)
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  return {
    list: () => starters,
    find: (slug) => files.get(slug)?.starter ?? null,
  };
}
