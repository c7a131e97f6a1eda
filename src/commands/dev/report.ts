import type { DevState } from './page/state.ts';

/**
 * Creates the report of prints in the terminal. It reports each print once, and again if more findings arrive
 * after the pages.
 */
export function createReport(
  json: true | undefined,
  write: (line: string) => void = console.log,
): (state: DevState) => void {
  let last = '';
  return ({ isBusy, printed, failure, documents, selected }) => {
    if (isBusy || (printed === null && failure === null)) return;
    const key = JSON.stringify(failure ?? [printed?.version, printed?.findings]);
    if (key === last) return;
    last = key;
    const document = documents[selected];
    if (json) {
      const facts = failure ? { failure } : printed;
      write(JSON.stringify({ document, ...facts }));
    } else if (failure) {
      write(`${failure.place ?? document}: ${failure.message}`);
    } else if (printed) {
      const { pages, milliseconds, findings } = printed;
      const found = findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`;
      write(`${document}: ${plural(pages, 'page')} in ${milliseconds} ms${found}`);
    }
  };
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
