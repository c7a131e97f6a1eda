import type { LostReference } from '../documents/inline-files.ts';
import { describeLost } from '../render.ts';
import type { Finding, Mark } from './page/state.ts';

/** A warning of a response. */
export interface Warning {
  code: string;
  message: string;
  path: string | null;
}

/** The parts of a receipt that warnings do not have. */
export interface ReceiptParts {
  console: { entries: { level: string; text: string }[] };
  exceptions: { entries: { message: string; line: number | null }[] };
  missing_glyphs: { characters: string[] } | null;
}

/** A word of a page with its box in points. */
export interface PlacedWord {
  page: number;
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const MAX_MARKS = 200;

/** Lists the findings about a document: files that are not there, warnings, and errors of its scripts. */
export function findingsOf({
  lost,
  warnings,
  receipt,
  boxes,
}: {
  lost: readonly LostReference[];
  warnings: readonly Warning[];
  receipt: ReceiptParts | null;
  boxes: readonly PlacedWord[];
}): Finding[] {
  const known = new Set(lost.map(({ reference }) => reference));
  return [
    ...lost.map((reference) => ({
      code: reference.reason === 'missing' ? 'FILE_MISSING' : 'FILE_OUTSIDE',
      message: describeLost(reference).slice(`${placeOf(reference)}: `.length),
      place: placeOf(reference),
      marks: [],
    })),
    ...warnings
      .filter(({ path }) => path === null || !known.has(path))
      .map(({ code, message }) => ({
        code,
        message,
        place: null,
        marks: marksOf(code, boxes),
      })),
    ...(receipt?.exceptions.entries ?? []).map(({ message, line }) => ({
      code: 'SCRIPT',
      message,
      place: line === null ? null : `line ${line}`,
      marks: [],
    })),
    ...(receipt?.console.entries ?? []).map(({ level, text }) => ({
      code: 'CONSOLE',
      message: `${level}: ${text}`,
      place: null,
      marks: [],
    })),
  ];
}

function placeOf({ file, line }: LostReference): string {
  return `${file}:${line}`;
}

function marksOf(code: string, boxes: readonly PlacedWord[]): Mark[] {
  if (code === 'OVERFLOW') return [{ kind: 'edge' }];
  if (code !== 'MISSING_GLYPHS') return [];
  return boxes
    .slice(0, MAX_MARKS)
    .map(({ page, x, y, width, height }) => ({ kind: 'box', page, x, y, width, height }));
}
