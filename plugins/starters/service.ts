import type { StartersService } from './contract.ts';
import { foldCase } from '../templates/exports.ts';
import type { StarterFiles } from './read-starters.ts';

export function createStartersService(files: StarterFiles): StartersService {
  const starters = [...files.values()]
    .map(({ starter }) => starter)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const searchTexts = new Map(
    starters.map((starter) => [
      starter,
      foldCase([starter.name, starter.description, starter.category].join('\n')),
    ]),
  );
  return {
    list(search) {
      if (search === undefined) return starters;
      const folded = foldCase(search);
      return starters.filter((starter) => searchTexts.get(starter)?.includes(folded));
    },
    find: (slug) => files.get(slug)?.starter ?? null,
  };
}
