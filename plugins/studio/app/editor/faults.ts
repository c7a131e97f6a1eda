import type { ApiError } from '../data/api.ts';
import type { CodeFault } from './code-editor.tsx';
import type { Note } from './preview.tsx';

const POSITION = /^line (\d+), column (\d+): (.*)$/s;

/** Returns the faults of the HTML that have a position. */
export function faultsOf(error: ApiError | undefined): CodeFault[] {
  return (error?.details ?? []).flatMap(({ path, message }) => {
    const match = path === 'html_content' ? POSITION.exec(message) : null;
    return match ? [{ line: Number(match[1]), column: Number(match[2]), message: match[3] ?? message }] : [];
  });
}

/** Lists what the reader of a preview should know about the document. */
export function notesOf(from: {
  findings: string[];
  mismatches: { path: string; expected: string; found: string }[];
  dataError: string;
  openData: () => void;
}): Note[] {
  const fix = { label: 'Open the data', run: from.openData };
  return [
    ...(from.dataError
      ? [{ text: `The sample data is not valid; the page shows the last valid data. ${from.dataError}`, fix }]
      : []),
    ...from.findings.map((text) => ({ text: `Printed without a part: ${text}` })),
    ...from.mismatches.map(({ path, expected, found }) => ({
      text:
        found === 'missing'
          ? `“${path}” is in the schema and missing from the sample data.`
          : `“${path}” should be of the type ${expected} and is ${found}.`,
      fix,
    })),
  ];
}
