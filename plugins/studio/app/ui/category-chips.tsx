import { capitalise } from '../data/format.ts';
import { setQuery } from '../router.ts';

/** Renders the categories as buttons that set the query parameter `category`. */
export function CategoryChips({ names, value }: { names: readonly string[]; value: string }) {
  return (
    <div class="chips" role="group" aria-label="Category">
      {['', ...names].map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => setQuery('category', name)}
        >
          {name === '' ? 'All' : capitalise(name)}
        </button>
      ))}
    </div>
  );
}
