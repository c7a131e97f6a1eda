import { formatCount } from '../data/format.ts';
import { Icon } from '../ui/icon.tsx';

const SHOWN = 20;

/** Returns the key of the sentences about the invalid records of a batch, which the page remembers. */
export function invalidRecordsKey(batch: string): string {
  return `invalid records of ${batch}`;
}

/** Renders sentences about invalid records, the first of them one by one. */
export function Faults({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <section class="warnings faults" aria-label="Invalid records">
      <Icon name="warning" />
      <div>
        <p>{title}</p>
        <ul>
          {sentences.slice(0, SHOWN).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {sentences.length > SHOWN && <li>And {formatCount(sentences.length - SHOWN)} more.</li>}
        </ul>
      </div>
    </section>
  );
}
