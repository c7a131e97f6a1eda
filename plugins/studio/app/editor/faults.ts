import type { ApiError } from '../data/api.ts';
import { capitalise, formatCountOf } from '../data/format.ts';
import type { Warnings } from '../data/api-types.ts';
import type { Receipt } from '../data/types.ts';
import type { CodeFault, CodeMarks } from './code-editor.tsx';
import type { CheckedHtml, MissingVariable } from './missing-variables.ts';
import type { Note } from './note.ts';
import { readPosition } from './wording.ts';

/** The reason in a receipt for a request that the document itself canceled. */
const CANCELED = 'the request was canceled';

/** Returns the faults in the HTML whose position is known. */
export function faultsOf(error: ApiError | undefined): CodeFault[] {
  return (error?.details ?? []).flatMap(({ path, message }) => {
    const fault = path === 'html_content' ? readPosition(message) : undefined;
    return fault ? [fault] : [];
  });
}

/** Returns the messages of an error whose paths begin with one of these fields, by path. */
export function faultsBelow(
  error: ApiError | undefined,
  fields: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (error?.details ?? [])
      .filter(({ path }) => fields.some((field) => path.startsWith(field)))
      .map(({ path, message }) => [path, message]),
  );
}

/**
 * Describes the faults of a printed document: missing resources, failed scripts, characters without a glyph,
 * and barriers for assistive technology.
 */
export function findingsOf({
  resources,
  exceptions,
  missing_glyphs: glyphs,
  accessibility,
}: Receipt): string[] {
  const missing = resources.entries.filter(
    ({ outcome, type, reason }) =>
      ['failed', 'refused', 'broken'].includes(outcome) && type !== 'Ping' && reason !== CANCELED,
  );
  // The list begins with the resources that failed.
  const more = missing.length === resources.entries.length ? resources.omitted : 0;
  return [
    ...missing.map(({ url, type, reason, outcome }) => {
      const name = url || `A ${type.toLowerCase()}`;
      return `Printed without ${name}: ${reason ?? outcome}.`;
    }),
    ...(more > 0 ? [`${formatCountOf(more, 'more resource')} may be missing.`] : []),
    ...exceptions.entries.map(({ message, line }) =>
      line === null ? `A script failed: ${message}` : `A script failed on line ${line}: ${message}`,
    ),
    ...(glyphs && glyphs.count > 0
      ? [
          `No font has a glyph for ${formatCountOf(glyphs.count, 'character')}, printed as boxes: ${glyphs.characters.map(nameOf).join(', ')}.`,
        ]
      : []),
    ...(accessibility?.findings.entries ?? []).map(({ path, message }) => `${path}: ${message}.`),
  ];
}

/** Describes the messages and languages that the translations lack, each as a sentence. */
export function translationFindingsOf(warnings: Warnings): string[] {
  return warnings
    .filter(({ path }) => path?.startsWith('translations.'))
    .map(({ message }) => `${capitalise(message)}.`);
}

/** Returns a character with its code point, because the browser may have no font for it either. */
function nameOf(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `${character} (U+${code})`;
}

/** Returns the notes that the preview of a document shows. */
export function notesOf(from: {
  findings: string[];
  mismatches: { path: string; expected: string; found: string }[];
  openData: () => void;
}): Note[] {
  const fix = { label: 'Open the data', run: from.openData };
  return [
    ...from.findings.map((text) => ({ text })),
    ...from.mismatches.map(({ path, expected, found }) => ({
      text:
        found === 'missing'
          ? `“${path}” is in the schema but missing from the sample data.`
          : `The schema expects “${path}” to be of type ${expected}, but the sample data has ${found}.`,
      fix,
    })),
  ];
}

const ADD = 'Add to the sample data';

/** Returns the marks of the values that the sample data lacks. */
export function marksOf(
  { html, reads }: CheckedHtml,
  add: (path: readonly string[]) => void,
): CodeMarks | undefined {
  if (!reads) return undefined;
  return {
    text: html,
    marks: reads.missing.map(({ from, to, name, path }) => ({
      from,
      to,
      message: `“${name}” is not in the sample data.`,
      action: { label: ADD, run: () => add(path) },
    })),
  };
}

/** The most missing values that have a note of their own. */
const MAX_MISSING = 5;

/** Returns the notes about values that the sample data lacks, one for each value. */
export function missingNotes(
  missing: readonly MissingVariable[],
  add: (paths: readonly (readonly string[])[]) => void,
): Note[] {
  const values = [...new Map(missing.toReversed().map((entry) => [entry.path.join('.'), entry])).values()];
  const distinct = values.toSorted((one, other) => one.from - other.from);
  const others = distinct.slice(MAX_MISSING);
  return [
    ...distinct.slice(0, MAX_MISSING).map(({ name, line, path }) => ({
      text: `Line ${line}: “${name}” is not in the sample data.`,
      fix: { label: ADD, run: () => add([path]) },
    })),
    ...(others.length > 0
      ? [
          {
            text: `${formatCountOf(others.length, 'more value')} missing from the sample data.`,
            fix: { label: 'Add all', run: () => add(distinct.map(({ path }) => path)) },
          },
        ]
      : []),
  ];
}
