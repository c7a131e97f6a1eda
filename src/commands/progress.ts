/** Work shorter than this prints no progress where standard error is not a terminal. */
const QUIET_MS = 1_000;
const ERASE_LINE = '\r\u001b[K';

/** Reports the progress of long work on standard error. */
export interface Progress extends Disposable {
  /** Shows a line, such as `12 of 500 documents`. It replaces the line before it on a terminal. */
  show(line: string): void;
}

/**
 * Starts to report progress. A terminal shows one line, which disappears at the end. Elsewhere, at most one
 * line per second is printed, and none for work that takes less than a second.
 */
export function startProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  let lastMs = performance.now();
  let isShown = false;
  return {
    show(line) {
      if (output.isTTY) {
        output.write(`${ERASE_LINE}${line}`);
        isShown = true;
        return;
      }
      const nowMs = performance.now();
      if (nowMs - lastMs < QUIET_MS) return;
      lastMs = nowMs;
      output.write(`${line}\n`);
    },
    [Symbol.dispose]() {
      if (isShown) output.write(ERASE_LINE);
      isShown = false;
    },
  };
}

/** Prints a line on standard error, in place of the line of progress that a terminal may show. */
export function printNotice(line: string, output: NodeJS.WriteStream = process.stderr): void {
  output.write(`${output.isTTY ? ERASE_LINE : ''}${line}\n`);
}
