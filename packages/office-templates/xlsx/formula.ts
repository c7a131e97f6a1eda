/** A reference to cells, or to whole rows, whose columns are empty. */
export interface CellReference {
  /** The name of the sheet; `undefined` for the sheet of the formula. */
  sheet: string | undefined;
  first: CellPosition;
  /** Absent for one cell. */
  last: CellPosition | undefined;
  /** The innermost function with the reference as an argument, in upper case; empty outside of functions. */
  within: string;
}

export interface CellPosition {
  column: string;
  isColumnFixed: boolean;
  row: number;
  isRowFixed: boolean;
}

const TEXT = /"(?:[^"]|"")*"/y;
const QUOTED_SHEET = /'((?:[^']|'')*)'!/y;
const BRACKETS = /\[[^\]]*\]/y;
const SHEET = /([\p{L}_][\p{L}\p{N}_.]*)!/uy;
const FUNCTION = /([\p{L}_][\p{L}\p{N}_.]*)\(/uy;
const CELLS =
  /(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?::(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7}))?(?![\p{L}\p{N}_.(!])/uy;
const ROWS = /(\$?)(\d{1,7}):(\$?)(\d{1,7})(?![\p{L}\p{N}_.(!])/uy;
const NAME = /[\p{L}_\\][\p{L}\p{N}_.\\]*/uy;
const NUMBER = /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/y;

/**
 * Replaces the references in a formula (ISO/IEC 29500-1, 18.17.2). References to other workbooks and to
 * tables stay. `replace` returns the new text, with the name of the sheet, or `undefined` to keep it.
 */
export function replaceReferences(
  formula: string,
  replace: (reference: CellReference) => string | undefined,
): string {
  const functions: string[] = [];
  let result = '';
  let at = 0;
  let sheet: { name: string; text: string } | undefined;
  let isExternal = false;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(formula);
    if (match) at += match[0].length;
    return match;
  };
  const keep = (text: string) => {
    result += (sheet?.text ?? '') + text;
    sheet = undefined;
    isExternal = false;
  };
  const refer = (text: string, reference: Pick<CellReference, 'first' | 'last'>) => {
    const within = functions.at(-1) ?? '';
    const changed = isExternal ? undefined : replace({ ...reference, sheet: sheet?.name, within });
    if (changed === undefined) keep(text);
    else {
      sheet = undefined;
      keep(changed);
    }
  };
  while (at < formula.length) {
    const text = take(TEXT);
    if (text) {
      keep(text[0]);
      continue;
    }
    const brackets = take(BRACKETS);
    if (brackets) {
      keep(brackets[0]);
      isExternal = true;
      continue;
    }
    const named = take(QUOTED_SHEET) ?? take(SHEET);
    if (named) {
      const [whole, name = ''] = named;
      const before = result.at(-1) === ':';
      isExternal ||= before || name.includes('[');
      sheet = { name: name.replaceAll("''", "'"), text: (sheet?.text ?? '') + whole };
      continue;
    }
    const call = take(FUNCTION);
    if (call) {
      keep(call[0]);
      functions.push((call[1] ?? '').toUpperCase());
      continue;
    }
    const cells = take(CELLS);
    if (cells) {
      const [
        whole,
        fixedColumn,
        column = '',
        fixedRow,
        row,
        lastFixedColumn,
        lastColumn,
        lastFixedRow,
        lastRow,
      ] = cells;
      refer(whole, {
        first: position(column, fixedColumn, row, fixedRow),
        last:
          lastColumn === undefined ? undefined : position(lastColumn, lastFixedColumn, lastRow, lastFixedRow),
      });
      continue;
    }
    const rows = take(ROWS);
    if (rows) {
      const [whole, fixedRow, row, lastFixedRow, lastRow] = rows;
      refer(whole, { first: position('', '', row, fixedRow), last: position('', '', lastRow, lastFixedRow) });
      continue;
    }
    const other = take(NAME) ?? take(NUMBER);
    if (other) {
      keep(other[0]);
      continue;
    }
    const character = formula[at] ?? '';
    at += 1;
    if (character === '(') functions.push('');
    if (character === ')') functions.pop();
    keep(character);
  }
  return result + (sheet?.text ?? '');
}

function position(
  column: string,
  fixedColumn: string | undefined,
  row: string | undefined,
  fixedRow: string | undefined,
): CellPosition {
  return {
    column: column.toUpperCase(),
    isColumnFixed: fixedColumn === '$',
    row: Number(row),
    isRowFixed: fixedRow === '$',
  };
}

/** Writes a position as in a formula. */
export function writePosition({ column, isColumnFixed, row, isRowFixed }: CellPosition): string {
  return `${isColumnFixed ? '$' : ''}${column}${isRowFixed ? '$' : ''}${row}`;
}

/** Writes the name of a sheet as in a formula; empty for `undefined`. */
export function writeSheet(name: string | undefined): string {
  if (name === undefined) return '';
  return `'${name.replaceAll("'", "''")}'!`;
}

/** Moves the references of a formula that are not fixed, as a copy to another cell does. */
export function moveFormula(formula: string, by: { rows: number; columns: number }): string {
  const move = (at: CellPosition): CellPosition => ({
    ...at,
    row: at.isRowFixed ? at.row : at.row + by.rows,
    column:
      at.isColumnFixed || at.column === ''
        ? at.column
        : columnName(Math.max(1, columnNumber(at.column) + by.columns)),
  });
  return replaceReferences(formula, ({ sheet, first, last }) => {
    const end = last ? `:${writePosition(move(last))}` : '';
    return `${writeSheet(sheet)}${writePosition(move(first))}${end}`;
  });
}

/** Returns the number of a column, from 1 for A. */
export function columnNumber(name: string): number {
  let number = 0;
  for (let index = 0; index < name.length; index += 1) number = number * 26 + name.charCodeAt(index) - 64;
  return number;
}

/** Returns the letters of a column, from A for 1. */
export function columnName(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** Splits a reference to one cell such as `B7`. */
export function readCell(reference: string): { column: string; row: number } | undefined {
  const [, column, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  return column === undefined ? undefined : { column, row: Number(row) };
}
