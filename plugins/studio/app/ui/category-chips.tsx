import { capitalise } from '../data/format.ts';
import { setQuery } from '../router.ts';

/** Renders the categories as buttons that set the query parameter `category`. */
export function CategoryChips({ names, value }: { names: readonly string[]; value: string }) {
  return <Chips parameter="category" all="All" names={names} value={value} />;
}

/**
 * Renders the tags of listed templates as buttons that set the query parameter `tag`. Renders nothing without
 * tags.
 */
export function TagChips({ names, value }: { names: readonly string[]; value: string }) {
  const known = [...new Set(value === '' ? names : [...names, value])].toSorted();
  if (known.length === 0) return null;
  return (
    <div class="toolbar">
      <Chips parameter="tag" all="All tags" names={known} value={value} />
    </div>
  );
}

function Chips(props: {
  parameter: 'category' | 'tag';
  /** The label of the button that removes the filter. */
  all: string;
  names: readonly string[];
  value: string;
}) {
  const { parameter, names, value } = props;
  // Categories are words of Platen, tags those of the account.
  const show = (name: string) => (parameter === 'category' ? capitalise(name) : name);
  return (
    <div class="chips" role="group" aria-label={capitalise(parameter)}>
      {['', ...names].map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => setQuery(parameter, name)}
        >
          {name === '' ? props.all : show(name)}
        </button>
      ))}
    </div>
  );
}
