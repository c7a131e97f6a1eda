import { reasonOf, retrying } from './api.ts';
import { formatCountOf } from './format.ts';

/** The outcome of an action on several entries. */
export interface BulkOutcome<T> {
  done: T[];
  failed: T[];
  /** The reason of the first failure. */
  error?: unknown;
}

/** Runs an action on entries, one after the other. An entry whose action fails does not stop the others. */
export async function forEachOf<T>(
  entries: readonly T[],
  action: (entry: T) => Promise<unknown>,
): Promise<BulkOutcome<T>> {
  const outcome: BulkOutcome<T> = { done: [], failed: [] };
  for (const entry of entries) {
    try {
      await retrying(() => action(entry));
      outcome.done.push(entry);
    } catch (error) {
      if (outcome.failed.length === 0) outcome.error = error;
      outcome.failed.push(entry);
    }
  }
  return outcome;
}

/** Describes an outcome, such as "2 files were deleted. 1 file was not deleted: not found". */
export function outcomeText(
  { done, failed, error }: BulkOutcome<unknown>,
  noun: string,
  verb: string,
): string {
  const count = (entries: unknown[], word: string) =>
    `${formatCountOf(entries.length, noun)} ${entries.length === 1 ? 'was' : 'were'} ${word}`;
  const sentences = [
    (done.length > 0 || failed.length === 0) && `${count(done, verb)}.`,
    failed.length > 0 && `${count(failed, `not ${verb}`)}: ${reasonOf(error)}`,
  ];
  return sentences.filter(Boolean).join(' ');
}
