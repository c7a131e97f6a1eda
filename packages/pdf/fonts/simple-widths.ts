import { resolve, type Dict } from '../objects/index.ts';

/** The widths in the dictionary of a simple font, in thousandths of an em. */
interface SimpleWidths {
  /** Whether the dictionary has a Widths array. */
  given: boolean;
  /** Returns the width of a code; `undefined` if the dictionary has neither a width nor MissingWidth. */
  of(code: number): number | undefined;
}

/** Reads the widths of a simple font (ISO 32000-1 table 111). */
export function simpleWidths(font: Dict): SimpleWidths {
  const list = font.array('Widths');
  const first = font.number('FirstChar') ?? 0;
  const missing = font.dict('FontDescriptor')?.number('MissingWidth');
  return {
    given: list !== undefined,
    of: (code) => {
      const width = list && resolve(list[code - first]);
      return typeof width === 'number' ? width : missing;
    },
  };
}

/**
 * Rewrites the Widths array so that it covers the given codes and the declared range. Leaves an array that
 * already does unchanged.
 */
export function writeWidths(font: Dict, widths: SimpleWidths, codes: readonly number[]): void {
  const declared = font.array('Widths');
  const first = font.number('FirstChar');
  const last = font.number('LastChar');
  const low = Math.min(...codes);
  const high = Math.max(...codes);
  const matchesRange =
    declared && first !== undefined && last !== undefined && declared.length === last - first + 1;
  if (
    matchesRange &&
    declared.every((width) => typeof resolve(width) === 'number') &&
    first <= low &&
    last >= high
  )
    return;
  const from = clamp(Math.min(low, first ?? low));
  const before = declared && first !== undefined ? first + declared.length - 1 : high;
  const to = clamp(Math.max(high, before));
  font.set('FirstChar', from).set('LastChar', Math.max(to, from));
  font.set(
    'Widths',
    Array.from({ length: Math.max(to - from, 0) + 1 }, (_, index) =>
      codes.includes(from + index)
        ? (widths.of(from + index) ?? 0)
        : (declaredWidth(declared, from + index, first) ?? 0),
    ),
  );
}

function declaredWidth(list: readonly unknown[] | undefined, code: number, first = 0): number | undefined {
  const width = list?.[code - first];
  return typeof width === 'number' ? width : undefined;
}

function clamp(code: number): number {
  return Number.isFinite(code) ? Math.min(Math.max(Math.trunc(code), 0), 255) : 0;
}
