import type { StartersService } from './contract.ts';
import type { StarterFiles } from './read-starters.ts';

/** Creates the service that lists the starters. */
export function createStartersService(files: StarterFiles): StartersService {
  const starters = [...files.values()]
    .map(({ starter }) => starter)
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  return {
    list: () => starters,
    find: (slug) => files.get(slug)?.starter ?? null,
  };
}
