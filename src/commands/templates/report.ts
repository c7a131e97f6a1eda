import { EXIT_STATUS } from '../failures.ts';
import { printable } from '../names.ts';

/** The outcome of a command for one template, for the person and for `--json`. */
export interface Outcome {
  /** The name of the folder. */
  template: string;
  result: string;
  /** Whether the person must do something; the command then ends with a status other than 0. */
  isConflict?: boolean;
  /** A sentence that says why, or what to do. */
  message?: string;
  version?: number;
  /** Lines about the changed files. */
  changes?: readonly string[];
}

/** Prints the outcome of each template, and returns the exit status. */
export function reportOutcomes(outcomes: readonly Outcome[], { json }: { json: boolean }): number {
  const conflicts = outcomes.filter(({ isConflict }) => isConflict).length;
  if (json)
    console.log(
      JSON.stringify({
        templates: outcomes.map(({ isConflict = false, ...rest }) => ({ ...rest, conflict: isConflict })),
      }),
    );
  else for (const outcome of outcomes) console.log(describeOutcome(outcome));
  return conflicts > 0 ? EXIT_STATUS.findings : EXIT_STATUS.done;
}

function describeOutcome({ template, result, message }: Outcome): string {
  return printable(message === undefined ? `${template}: ${result}` : `${template}: ${result}: ${message}`);
}
